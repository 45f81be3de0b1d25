//! How a metric is counted, in phrases that all who show results share, and whether its verdict still stands.

use domain::GoodDirection;

use crate::results::report::{ComparisonVerdict, MetricKind, MetricResult, VariationResult};

impl MetricResult {
    /// Whether today's interval is on the side of the verdict on a variation, which may be of an earlier day. A Bayesian one is today's.
    #[must_use]
    pub fn stands(&self, result: &VariationResult) -> bool {
        let Some(comparison) = &result.comparison else { return true };
        let Some([_, lower, upper]) = comparison.difference else { return true };
        let is_up =
            (comparison.decided == ComparisonVerdict::Better) == (self.good == GoodDirection::Up);
        result.posterior.is_some() || if is_up { lower > 0.0 } else { upper < 0.0 }
    }

    /// How it is counted, a phrase each, from what it measures to what the campaign asks of it. `percent` writes a share.
    #[must_use]
    pub fn description(&self, percent: fn(f64) -> String) -> Vec<String> {
        let measured = match self.kind {
            MetricKind::Conversion => "conversion rate".to_owned(),
            MetricKind::Count => "events per visitor".to_owned(),
            MetricKind::Sum => "value per visitor".to_owned(),
            MetricKind::Revenue => "revenue per visitor".to_owned(),
            MetricKind::Mean => "value per event".to_owned(),
            MetricKind::Ratio => "ratio of two sums".to_owned(),
            MetricKind::Quantile => {
                format!("{} quantile of visitors", percent(self.quantile.unwrap_or_default()))
            }
        };
        let good = match self.good {
            GoodDirection::Up => None,
            GoodDirection::Down => Some("lower is better".to_owned()),
        };
        let parts = [
            Some(measured),
            self.unit().map(str::to_owned),
            self.window.as_ref().map(|window| format!("within {window}")),
            self.cap.map(|cap| format!("capped at {cap} per visitor")),
            self.covariate.as_ref().map(|days| format!("adjusted by the {days} before (CUPED)")),
            good,
            self.margin.map(|margin| format!("at most {} worse", percent(margin))),
        ];
        parts.into_iter().flatten().collect()
    }

    /// In what its figures are, if that is no plain number or share.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        self.is_revenue.then_some("in the currency's smallest unit")
    }
}
