//! What speaks for and against the figures, as results tell it.

use serde::{Serialize, Serializer};
use stats::NoFigure;
use storage::LostEventDay;

use super::words::code;
use super::{SampleSize, SilentMetric, Suspect};
use crate::events::{days_in_words, events_of, lost_days_json};
use crate::numerals::quantity;

/// Whether the figures can be trusted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HealthReport {
    /// Whether visitors came in the shares of the weights.
    pub sample_ratio: SampleRatio,
    /// Visitors who were given two variations: they are left out.
    pub mixed_visitors: u64,
    /// Exposures to what is not a variation of the experiment: they are left out.
    pub unknown_variations: u64,
    /// One of these.
    pub unknown_variation: Option<String>,
    /// Metrics for which nothing came.
    pub silent_metrics: Vec<SilentMetric>,
    /// Whether the figures are of enough visitors.
    pub sample: SampleSize,
    /// The day since which events are kept, in UTC, if visitors took part before: those are missing.
    pub deleted_before: Option<String>,
    /// The days of which events were lost with their files, and how many.
    #[serde(serialize_with = "by_day")]
    pub lost_days: Vec<LostEventDay>,
    /// Rows of files with an id that came before: they do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_events: Option<u64>,
    /// Events of visitors without an exposure: they do not count. Only files are about one experiment, so only there is it told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events_without_exposure: Option<u64>,
    /// Events of programs that came to this server: they do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot_events: Option<u64>,
    /// Exposures that a page or a preview forced: they do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced_exposures: Option<u64>,
    /// Events that came to this server with a time that cannot be: they count as of when they came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_events: Option<u64>,
    /// Visitors who may have seen the page change, since it could be seen before the snippet ran. They count like all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flicker_visitors: Option<u64>,
}

impl HealthReport {
    /// What is missing, for people.
    #[must_use]
    pub fn lost_sentence(&self) -> Option<String> {
        let days = self.lost_days.as_slice();
        let (events, words) = (events_of(days), days_in_words(days));
        (!days.is_empty()).then(|| {
            format!(
                "{} of {words} {} lost, so these figures are not of all that visitors did.",
                quantity(events, "event", "events"),
                if events == 1 { "is" } else { "are" }
            )
        })
    }
}

fn by_day<S: Serializer>(days: &[LostEventDay], serializer: S) -> Result<S::Ok, S::Error> {
    lost_days_json(days).serialize(serializer)
}

/// Whether visitors came in the shares of the weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampleRatio {
    /// The evidence against it, of all days together.
    pub p_value: Option<f64>,
    /// Whether something takes visitors from a variation: then no figure can be trusted.
    pub is_alarmed: bool,
    /// The day by whose end the evidence sufficed for that.
    pub alarmed_on: Option<String>,
    /// Where the mismatch may come from; nothing without an alarm.
    pub suspects: Vec<Suspect>,
    /// Visitors of variations that had no weight when they came. They count, but no share of theirs can be checked.
    pub without_weight: u64,
    /// Why it cannot be told.
    #[serde(serialize_with = "code")]
    pub reason: Option<NoFigure>,
}
