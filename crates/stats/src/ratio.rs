//! Metrics that are a ratio of two sums, such as revenue per order.
//!
//! The visitor stays the unit: orders of one visitor are alike, and to count them as independent
//! would promise too narrow intervals. The delta method gives the variance per visitor (Deng,
//! Knoblich, Lu, "Applying the Delta Method in Metric Analytics", KDD 2018).

use crate::{NoFigure, PairMoments, Sample};

/// The sample of the ratio of first to second value:
/// `s² = (s_M² − 2 R s_MD + R² s_D²) / m_D²`.
///
/// # Errors
/// There are fewer than two visitors, or the denominator's mean is zero.
pub fn ratio_sample(moments: &PairMoments) -> Result<Sample, NoFigure> {
    let denominator = moments.second.mean()?;
    if denominator == 0.0 {
        return Err(NoFigure::ZeroDenominator);
    }
    let ratio = moments.first.mean()? / denominator;
    let variance = moments.variance_without(ratio)? / (denominator * denominator);
    Sample::new(moments.first.visitors, ratio, variance)
}
