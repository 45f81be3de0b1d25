//! Whether what metrics count comes in, and from enough visitors.

use serde::Serialize;

use crate::numerals::quantity;

/// A metric whose event no visitor sent, although some visitors should have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SilentMetric {
    /// The metric's name; the key of its event if the project has no metric of it.
    pub metric: String,
    /// The key of its event.
    pub event: String,
    /// The name of the variation from whose visitors nothing came; `None` if nothing came from any visitor.
    pub variation: Option<String>,
    /// How many visitors these are.
    pub visitors: u64,
}

/// Whether the figures are of enough visitors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampleSize {
    /// The visitors of the variation that has the fewest.
    pub visitors: u64,
    /// The visitors who convert by a primary metric, of the variation and metric with the fewest; `None` if no primary metric is a conversion.
    pub conversions: Option<f64>,
    /// The name of that metric.
    pub metric: Option<String>,
    /// Whether these are too few for more than rough figures: fewer than 100 visitors, or than 10 who convert.
    pub is_rough: bool,
}

impl SilentMetric {
    /// What is odd, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let metric = &self.metric;
        let visitors = quantity(self.visitors, "visitor", "visitors");
        match &self.variation {
            None => format!("Nothing came for `{metric}` from all {visitors}."),
            Some(name) => format!(
                "Nothing came for `{metric}` from the {visitors} of `{name}`, and from others it did."
            ),
        }
    }
}

impl SampleSize {
    /// Of so many visitors, at least one should have done what a metric counts; figures of fewer are rough.
    pub(in crate::results) const VISITORS: u64 = 100;

    /// Figures of fewer who convert are rough: docs/statistics.md has the limits.
    pub(in crate::results) const CONVERSIONS: f64 = 10.0;

    /// Why figures are rough, in a sentence; `None` if they are not.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let Self { visitors, conversions, metric, is_rough } = self;
        match (conversions, metric) {
            _ if !is_rough => None,
            (Some(count), Some(metric)) if *visitors >= Self::VISITORS => Some(format!(
                "A variation has {count:.0} visitors who count for `{metric}`: figures of fewer than ten are rough."
            )),
            _ => Some(format!(
                "A variation has {}: figures of fewer than a hundred are rough.",
                quantity(*visitors, "visitor", "visitors")
            )),
        }
    }
}
