//! Quantiles, such as the 95th percentile of a loading time. For one look at a fixed end only.
//!
//! The variance comes from an interval of order statistics of the whole sample or of a part of it,
//! as in gbstats 0.8.0; order statistics do not add up, so the store has to find them.

use crate::moments::number;
use crate::special::normal;
use crate::{NoFigure, Sample};

/// A quantile of the values of a variation, with the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileEstimate {
    /// How many values there are.
    pub values: u64,
    /// From how many of them the ends were found.
    pub values_for_ends: u64,
    /// Which quantile: `0.5` is the median.
    pub level: f64,
    /// The quantile of the values.
    pub estimate: f64,
    /// The lower end of its 95 % interval.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl QuantileEstimate {
    /// The sample whose mean is the quantile.
    ///
    /// # Errors
    /// There are too few values for order statistics on both sides, or the ends are the same.
    pub fn sample(&self) -> Result<Sample, NoFigure> {
        if self.values == 0 {
            return Err(NoFigure::NoVisitors);
        }
        let z = normal::upper_quantile(0.025);
        let values = number(self.values);
        let odds = self.level / (1.0 - self.level);
        if self.values < 2 || values <= z * z * odds.max(1.0 / odds) {
            return Err(NoFigure::TooFewVisitors);
        }
        let deviation = (self.upper - self.lower) / (2.0 * z);
        let variance = number(self.values_for_ends) / values * (values - 1.0) * deviation.powi(2);
        Sample::new(self.values, self.estimate, variance)
    }
}
