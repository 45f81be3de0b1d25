//! A span of a day on some weekdays: `09:00_17:00_monday,tuesday`.

use crate::js_number::js_number;
use crate::local_time::LocalTime;

/// A span, both minutes included. It does not go over midnight.
#[derive(Debug, Clone)]
pub(crate) struct TimeSpan {
    from: f64,
    to: f64,
    days: Vec<String>,
}

impl TimeSpan {
    /// What is no time is within nothing.
    pub(crate) fn new(value: &str) -> Self {
        let mut parts = value.split('_');
        let mut minute = || parts.next().map_or(f64::NAN, minute_of);
        let (from, to) = (minute(), minute());
        let days = parts.next().unwrap_or_default().split(',').map(str::to_owned).collect();
        Self { from, to, days }
    }

    pub(crate) fn contains(&self, time: LocalTime) -> bool {
        let minute = f64::from(time.minute());
        let is_day = self.days.iter().any(|day| day == time.weekday());
        self.from <= minute && minute <= self.to && is_day
    }
}

fn minute_of(time: &str) -> f64 {
    let mut parts = time.split(':');
    let hour = parts.next().map_or(f64::NAN, js_number);
    hour * 60.0 + parts.next().map_or(f64::NAN, js_number)
}
