//! Visitors per day, those of each variation on top of each other.

use app::numerals::thousands;
use askama::Template;

use super::ticks::Ticks;
use super::{DayAxis, Mark, Scale, coordinate};

/// The height of the plot in pixels.
const PLOT: f64 = 120.0;

/// Bars of a chart: more would be thinner than a line on a phone, so that a bar is several days then.
const BARS_AT_MOST: i64 = 90;

/// The share of its place that a bar fills.
const FILLED: f64 = 0.82;

/// The chart.
#[derive(Template)]
#[template(path = "charts/visitors.html")]
pub(crate) struct VisitorChart {
    id: String,
    title: String,
    description: String,
    bars: Vec<Bar>,
    counts: Vec<Mark>,
    days: Vec<Mark>,
}

/// What came on a day.
#[derive(Debug, Clone)]
pub(crate) struct DayBar {
    pub(crate) day: String,
    /// By variation.
    pub(crate) visitors: Vec<u64>,
}

struct Bar {
    at: String,
    width: String,
    words: String,
    parts: Vec<Part>,
}

struct Part {
    /// The place of its variation, which its colour goes by.
    arm: usize,
    at: String,
    height: String,
}

impl VisitorChart {
    /// None without a day.
    pub(crate) fn new(id: String, description: String, days: &[DayBar]) -> Option<Self> {
        let axis = DayAxis::of(days.iter().map(|day| day.day.as_str()))?;
        let days_per_bar = (axis.length() + BARS_AT_MOST - 1) / BARS_AT_MOST;
        let stacks = stacks(days, axis, days_per_bar);
        let largest = stacks.iter().map(Stack::all).max().unwrap_or_default();
        let scale = Scale::of_counts(number(largest));
        let bars = u32::try_from((axis.length() + days_per_bar - 1) / days_per_bar).unwrap_or(1);
        let width = 100.0 / f64::from(bars.max(1));
        let middle =
            |day: i64| (number(day.unsigned_abs() / days_per_bar.unsigned_abs()) + 0.5) * width;
        let title = match days_per_bar {
            1 => "Visitors per day".to_owned(),
            days => format!("Visitors per {days} days"),
        };
        Some(Self {
            id,
            title,
            description,
            counts: counts(scale),
            days: axis.marks_at(middle),
            bars: stacks.iter().map(|stack| stack.bar(scale, width)).collect(),
        })
    }
}

/// The visitors of some days.
struct Stack {
    place: u64,
    /// The first and the last one on which visitors came.
    days: [String; 2],
    visitors: Vec<u64>,
}

fn stacks(days: &[DayBar], axis: DayAxis, days_per_bar: i64) -> Vec<Stack> {
    let mut stacks: Vec<Stack> = Vec::new();
    for DayBar { day, visitors } in days {
        let place = (axis.number(day) / days_per_bar).unsigned_abs();
        if let Some(stack) = stacks.last_mut().filter(|stack| stack.place == place) {
            let arms = stack.visitors.iter_mut().zip(visitors);
            arms.for_each(|(all, more)| *all = all.saturating_add(*more));
            stack.days[1].clone_from(day);
        } else {
            let days = [day.clone(), day.clone()];
            stacks.push(Stack { place, days, visitors: visitors.clone() });
        }
    }
    stacks
}

impl Stack {
    fn all(&self) -> u64 {
        self.visitors.iter().fold(0, |all, more| all.saturating_add(*more))
    }

    fn words(&self) -> String {
        let ([first, last], visitors) = (&self.days, thousands(self.all()));
        if first == last {
            format!("{first}: {visitors}")
        } else {
            format!("{first} to {last}: {visitors}")
        }
    }

    fn bar(&self, scale: Scale, width: f64) -> Bar {
        let mut below = 0_u64;
        let parts = self.visitors.iter().enumerate().filter(|(_, visitors)| **visitors > 0);
        let parts = parts.map(|(arm, visitors)| {
            below = below.saturating_add(*visitors);
            let height = scale.share(number(*visitors)) * PLOT;
            let at = (1.0 - scale.share(number(below))) * PLOT;
            Part { arm: arm % 6, at: coordinate(at), height: coordinate(height) }
        });
        let parts = parts.collect();
        Bar {
            at: coordinate((number(self.place) + 0.5 - 0.5 * FILLED) * width),
            width: coordinate(width * FILLED),
            words: self.words(),
            parts,
        }
    }
}

fn counts(scale: Scale) -> Vec<Mark> {
    let ticks = Ticks::whole_on(scale, 3);
    let mark = |value: &f64| Mark {
        at: coordinate((1.0 - scale.share(*value)) * PLOT),
        label: format!("{value:.0}"),
        anchor: "start",
        is_zero: *value == 0.0,
    };
    ticks.values.iter().map(mark).collect()
}

/// A screen shows no more of it.
fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use askama::Template as _;
    use proptest::prelude::*;

    use super::{DayBar, VisitorChart};

    fn day(day: &str, visitors: &[u64]) -> DayBar {
        DayBar { day: day.to_owned(), visitors: visitors.to_vec() }
    }

    fn drawn(days: &[DayBar]) -> String {
        VisitorChart::new("visitors".to_owned(), "Two days.".to_owned(), days)
            .unwrap()
            .render()
            .unwrap()
    }

    #[test]
    fn variations_stand_on_top_of_each_other() {
        let days = [day("2026-11-01", &[30, 10]), day("2026-11-03", &[0, 20])];

        insta::assert_snapshot!(drawn(&days));
    }

    #[test]
    fn a_long_experiment_has_bars_of_several_days() {
        let days =
            [day("2026-01-01", &[1, 2]), day("2026-01-02", &[3, 4]), day("2026-12-31", &[5, 5])];

        let svg = drawn(&days);

        assert!(svg.contains("Visitors per 5 days"), "{svg}");
        assert!(svg.contains("2026-01-01 to 2026-01-02: 10</title>"), "{svg}");
        assert!(VisitorChart::new(String::new(), String::new(), &[]).is_none());
    }

    proptest! {
        #[test]
        fn stacks_stay_in_the_plot(counts in prop::collection::vec(prop::collection::vec(any::<u64>(), 3), 1..5)) {
            let name = |place: usize| format!("2026-11-{:02}", place + 1);
            let days: Vec<_> = counts.iter().enumerate().map(|(place, counts)| day(&name(place), counts)).collect();

            let svg = drawn(&days);

            prop_assert!(!["NaN", " y=\"-", "height=\"-"].iter().any(|wrong| svg.contains(wrong)), "{}", svg);
        }
    }
}
