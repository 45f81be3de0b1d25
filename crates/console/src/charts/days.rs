//! An axis of days.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::{Mark, anchor, coordinate};

/// Labels on the axis: more would touch each other on a phone.
const LABELS_AT_MOST: i64 = 4;

/// The days from the first to the last that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DayAxis {
    first: Date,
    last: Date,
}

impl DayAxis {
    /// The axis from the first to the last of these days, which are written as `2026-11-23`; none without a day.
    pub(crate) fn of<'d>(days: impl IntoIterator<Item = &'d str>) -> Option<Self> {
        let days = days.into_iter().filter_map(date);
        days.fold(None, |axis: Option<Self>, day| match axis {
            None => Some(Self { first: day, last: day }),
            Some(Self { first, last }) => Some(Self { first: first.min(day), last: last.max(day) }),
        })
    }

    /// How many days after the first one a day is.
    pub(crate) fn number(self, day: &str) -> i64 {
        date(day).map_or(0, |day| days_between(self.first, day).max(0))
    }

    /// How many days it has.
    pub(crate) fn length(self) -> i64 {
        days_between(self.first, self.last) + 1
    }

    /// Where the end of a day is, from zero to one; a single day is in the middle.
    pub(super) fn share(self, day: &str) -> f64 {
        let last = self.length() - 1;
        if last == 0 { 0.5 } else { number(self.number(day)) / number(last) }
    }

    /// Round places with their dates, for points at [`share`](Self::share).
    pub(super) fn marks(self) -> Vec<Mark> {
        let last = self.length() - 1;
        self.marks_at(|day| if last == 0 { 50.0 } else { number(day) / number(last) * 100.0 })
    }

    /// Dates at places that the caller has for the numbers of days.
    pub(super) fn marks_at(self, percent: impl Fn(i64) -> f64) -> Vec<Mark> {
        let last = self.length() - 1;
        let step = (last + LABELS_AT_MOST - 1) / LABELS_AT_MOST;
        let days = (0..=last).filter(|day| step == 0 || day % step == 0);
        // The first one of each year tells it, where there are several.
        let mut year = (self.first.year() == self.last.year()).then(|| self.first.year());
        let mark = |day: i64| {
            let date = self.first.saturating_add(day.days());
            let form =
                if year.replace(date.year()) == Some(date.year()) { "%-d %b" } else { "%-d %b %Y" };
            Mark {
                at: coordinate(percent(day)),
                label: date.strftime(form).to_string(),
                anchor: anchor(percent(day)),
                is_zero: false,
            }
        };
        days.map(mark).collect()
    }
}

fn date(day: &str) -> Option<Date> {
    day.parse().ok()
}

fn days_between(first: Date, last: Date) -> i64 {
    first.until(last).map_or(0, |span| i64::from(span.get_days()))
}

/// Days of an experiment are few enough for every one to be exact.
fn number(days: i64) -> f64 {
    f64::from(i32::try_from(days).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::DayAxis;

    fn mark_lines(first: &str, last: &str) -> Vec<String> {
        let marks = DayAxis::of([last, first]).unwrap().marks();
        marks.iter().map(|mark| format!("{} at {}", mark.label, mark.at)).collect()
    }

    #[test]
    fn days_have_their_places() {
        let axis = DayAxis::of(["2026-11-03", "2026-11-01", "2026-12-01"]).unwrap();

        assert_eq!(
            (axis.length(), axis.number("2026-11-03"), axis.number("2026-12-01")),
            (31, 2, 30)
        );
        assert!((axis.share("2026-11-16") - 0.5).abs() < 1e-12);
        assert_eq!(DayAxis::of(["soon"]), None);
    }

    #[test]
    fn few_dates_are_named() {
        assert_eq!(mark_lines("2026-11-01", "2026-11-01"), ["1 Nov at 50"]);
        assert_eq!(
            mark_lines("2026-11-01", "2026-11-03"),
            ["1 Nov at 0", "2 Nov at 50", "3 Nov at 100"]
        );
        let month = ["1 Nov at 0", "9 Nov at 26.67", "17 Nov at 53.33", "25 Nov at 80"];
        assert_eq!(mark_lines("2026-11-01", "2026-12-01"), month);
        let years =
            ["1 Dec 2026 at 0", "24 Dec at 25.27", "16 Jan 2027 at 50.55", "8 Feb at 75.82"];
        assert_eq!(mark_lines("2026-12-01", "2027-03-02"), years);
    }
}
