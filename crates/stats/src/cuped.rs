//! CUPED: what visitors did before the experiment explains a part of what they do in it.
//!
//! Deng, Xu, Kohavi and Walker, WSDM 2013. The variance shrinks by the factor `1 − ρ²`, for the
//! correlation `ρ` between the metric and the covariate; the effect stays the same.

use crate::{NoFigure, PairMoments, Sample};

/// The adjusted samples of all variations.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuped {
    /// How much of the covariate is subtracted from the metric.
    pub theta: f64,
    /// One sample per variation, in the order of the moments.
    pub samples: Vec<Sample>,
}

impl Cuped {
    /// Adjusts `y − θ (x − x̄)`, where `θ` is the slope and `x̄` the mean over all visitors of all
    /// variations. The slope is zero if the covariate or the metric is the same for all.
    ///
    /// # Errors
    /// A variation has fewer than two visitors, or no values can have its sums.
    pub fn adjust(variations: &[PairMoments]) -> Result<Self, NoFigure> {
        let all = variations.iter().copied().fold(PairMoments::default(), PairMoments::merge);
        let theta = slope(&all)?;
        let covariate_mean = all.second.mean()?;
        let adjusted = |moments| adjusted_sample(moments, theta, covariate_mean);
        let samples = variations.iter().map(adjusted).collect::<Result<_, _>>()?;
        Ok(Self { theta, samples })
    }
}

fn slope(all: &PairMoments) -> Result<f64, NoFigure> {
    let covariate_variance = all.second.variance()?;
    if covariate_variance == 0.0 || all.first.variance()? == 0.0 {
        return Ok(0.0);
    }
    Ok(all.covariance()? / covariate_variance)
}

fn adjusted_sample(
    moments: &PairMoments,
    theta: f64,
    covariate_mean: f64,
) -> Result<Sample, NoFigure> {
    let mean = moments.first.mean()?;
    let adjusted_mean = mean - theta * (moments.second.mean()? - covariate_mean);
    let variance = moments.variance_without(theta)?;
    Sample::adjusted(moments.first.visitors, adjusted_mean, variance, mean)
}
