//! What a campaign is measured by, and its plan: which effect is to be found, how surely, and until when.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use serde::{Serialize, Serializer};

use crate::words::words;
use crate::{BasisPoints, MetricId};

/// The metrics of a campaign; each has one role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CampaignMetrics {
    /// What the verdict is by.
    pub primary: Vec<MetricId>,
    /// What is shown beside it, without a verdict.
    pub secondary: Vec<MetricId>,
    /// What must not become worse.
    pub guardrails: Vec<Guardrail>,
}

impl CampaignMetrics {
    /// All of them: primary, secondary, guardrails.
    pub fn all(&self) -> impl Iterator<Item = MetricId> {
        let guardrails = self.guardrails.iter().map(|guardrail| guardrail.metric);
        self.primary.iter().chain(&self.secondary).copied().chain(guardrails)
    }
}

/// A metric that must not become worse by more than a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guardrail {
    /// The metric.
    pub metric: MetricId,
    /// The tolerated harm, as a share of the control's mean: above none.
    pub margin: BasisPoints,
}

words! {
    /// How a plan looks at what comes.
    pub enum PlanMethod {
        /// At every look, and sharper at the end.
        Hybrid = "hybrid",
        /// At the end alone: nothing is told before it.
        FixedHorizon = "fixed_horizon",
        /// At every look, by what is believed after it: no error rate is held.
        Bayesian = "bayesian",
    }
}

/// What a campaign is to find out: it has an effect, an end, or both; a Bayesian one needs neither.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The smallest relative effect worth finding, in either direction: above none.
    pub effect: Option<BasisPoints>,
    /// The probability of finding it, if it is there.
    pub power: BasisPoints,
    /// How sure intervals and verdicts are.
    pub confidence: BasisPoints,
    /// The last day whose visitors count, in UTC.
    pub until: Option<CalendarDay>,
    /// How it looks at what comes.
    pub method: PlanMethod,
    /// The expected loss that a Bayesian verdict may take, as a share of the control's mean: above none. Other methods have none.
    pub max_loss: Option<BasisPoints>,
}

impl Plan {
    /// The power of a plan that says nothing of it: 80%.
    pub const DEFAULT_POWER: BasisPoints = BasisPoints::of(8_000);
    /// The confidence of a plan that says nothing of it: 95%.
    pub const DEFAULT_CONFIDENCE: BasisPoints = BasisPoints::of(9_500);
    /// The tolerated loss of a Bayesian plan that says nothing of it: 0.25%.
    pub const DEFAULT_MAX_LOSS: BasisPoints = BasisPoints::of(25);
}

/// A day of the calendar: `2026-12-24`, from the year 2000 to 2999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarDay(Date);

/// A text that is not a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a day is written as `2026-12-24`")]
pub struct UnreadableDay;

impl CalendarDay {
    /// The day as the calendar has it.
    #[must_use]
    pub fn date(self) -> Date {
        self.0
    }
}

/// The form of a day, with `0` for any digit.
const FORM: &str = "0000-00-00";

impl FromStr for CalendarDay {
    type Err = UnreadableDay;

    fn from_str(text: &str) -> Result<Self, UnreadableDay> {
        let has_form = text.len() == FORM.len()
            && text.bytes().zip(FORM.bytes()).all(|(given, form)| match form {
                b'0' => given.is_ascii_digit(),
                _ => given == form,
            });
        let date: Option<Date> = text.parse().ok().filter(|_| has_form);
        date.filter(|date| (2000..3000).contains(&date.year())).map(Self).ok_or(UnreadableDay)
    }
}

impl fmt::Display for CalendarDay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for CalendarDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_spelling() {
        for text in ["2026-12-24", "2000-02-29", "2999-12-31"] {
            assert_eq!(text.parse::<CalendarDay>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "2026-12-1",
            "24.12.2026",
            "2026-12-24T09:00",
            "20261224",
            "2025-02-29",
            "1999-12-31",
            "3000-01-01",
            "2026-1２-0",
        ] {
            assert_eq!(text.parse::<CalendarDay>(), Err(UnreadableDay), "{text}");
        }
    }
}
