//! A span of a day on some weekdays: `09:00_17:00_monday,tuesday`.

/// The days of a week as conditions spell them.
pub const WEEKDAYS: [&str; 7] =
    ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/// A span, both minutes included. It does not cross midnight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeSpan {
    from: u16,
    to: u16,
    days: Vec<String>,
}

impl TimeSpan {
    /// Two times and at least one weekday in lower case; the day may end at 24:00. `None` for any other text: one misspelt day makes the
    /// whole text invalid.
    #[must_use]
    pub fn read(value: &str) -> Option<Self> {
        let parts: Vec<&str> = value.split('_').collect();
        let [from, to, days] = parts.as_slice() else { return None };
        let days: Vec<String> = days.split(',').map(str::to_owned).collect();
        let are_days = days.iter().all(|day| WEEKDAYS.contains(&day.as_str()));
        let span = Self { from: minute_of(from)?, to: minute_of(to)?, days };
        are_days.then_some(span)
    }

    /// Whether a minute of a weekday, counted from midnight, is within it.
    #[must_use]
    pub fn contains(&self, weekday: &str, minute: u16) -> bool {
        (self.from..=self.to).contains(&minute) && self.days.iter().any(|day| day == weekday)
    }

    /// Whether it contains any minute.
    pub(crate) fn has_minutes(&self) -> bool {
        self.from <= self.to && self.from < 24 * 60
    }
}

fn minute_of(time: &str) -> Option<u16> {
    let (hour, minute) = time.split_once(':')?;
    Some(below(hour, 25)? * 60 + below(minute, 60)?)
}

/// A number of one or two digits.
fn below(digits: &str, end: u16) -> Option<u16> {
    let are_digits = digits.len() <= 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|number| are_digits && *number < end)
}

#[cfg(test)]
mod tests {
    use super::TimeSpan;

    #[test]
    fn span_has_both_its_ends() {
        let span = TimeSpan::read("9:05_24:00_monday,sunday").unwrap();

        assert!(span.contains("monday", 9 * 60 + 5));
        assert!(span.contains("sunday", 23 * 60 + 59));
        assert!(!span.contains("sunday", 9 * 60 + 4));
        assert!(!span.contains("tuesday", 12 * 60));
    }

    #[test]
    fn a_text_of_another_form_is_no_time_span() {
        for value in [
            "",
            "9:_24:00_tuesday",
            ":_24:00_tuesday",
            "09:00:00_17:00:00_tuesday",
            "00:00_24:00_wednesday,",
            "00:00_24:00_wednesday_extra",
            "00:00_24:00_Wednesday",
            "00:00_24:00_",
            "00:00_24:00",
            "+9:00_17:00_monday",
            "09:60_17:00_monday",
            "09:00_25:00_monday",
            "009:00_17:00_monday",
            " 09:00_17:00_monday",
        ] {
            assert_eq!(TimeSpan::read(value), None, "{value}");
        }
    }
}
