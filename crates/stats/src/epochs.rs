//! Epochs: the weights of the variations changed during the experiment.
//!
//! A day's visitors differ from another day's. If the shares change between them, plain sums compare
//! the control's days with the variation's days (Simpson's paradox). So each epoch is compared within
//! itself, and the epochs are pooled by the inverse of their variances.

use crate::moments::number;
use crate::{NoFigure, Sample};

/// The visitors who arrived while the same weights held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// The control's visitors, or why there is no sample of them.
    pub control: Result<Sample, NoFigure>,
    /// The variation's visitors, or why there is no sample of them.
    pub variation: Result<Sample, NoFigure>,
}

/// The samples of all epochs together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PooledSamples {
    /// The control's.
    pub control: Sample,
    /// The variation's.
    pub variation: Sample,
}

/// The samples of the whole experiment: their difference is the mean of the epochs' differences,
/// weighted by `1 / (s_v² / n_v + s_c² / n_c)`, where `s²` is a variation's variance within epochs, so
/// that a young epoch without a conversion does not weigh infinitely. An epoch in which one of the two
/// has no sample compares nothing and is left out.
///
/// # Errors
/// No epoch has samples of both, for the reason that the last one gives; or the variance is zero in all.
pub fn pool_epochs(epochs: &[Epoch]) -> Result<PooledSamples, NoFigure> {
    let mut reason = NoFigure::NoVisitors;
    let mut pairs = Vec::with_capacity(epochs.len());
    for epoch in epochs {
        match (epoch.control, epoch.variation) {
            (Ok(control), Ok(variation)) => pairs.push(PooledSamples { control, variation }),
            (Err(why), _) | (_, Err(why)) => reason = why,
        }
    }
    match pairs.as_slice() {
        [] => Err(reason),
        [pair] => Ok(*pair),
        _ => pool(&pairs),
    }
}

fn pool(pairs: &[PooledSamples]) -> Result<PooledSamples, NoFigure> {
    let controls = pairs.iter().map(|pair| pair.control).collect::<Vec<_>>();
    let variations = pairs.iter().map(|pair| pair.variation).collect::<Vec<_>>();
    let (control_variance, variation_variance) =
        (variance_within(&controls), variance_within(&variations));
    if control_variance + variation_variance <= 0.0 {
        return Err(NoFigure::ZeroVariance);
    }
    let precision = |PooledSamples { control, variation }: &PooledSamples| {
        let variance = control_variance / control.visitors_as_number()
            + variation_variance / variation.visitors_as_number();
        1.0 / variance
    };
    let precisions = pairs.iter().map(precision).collect::<Vec<_>>();
    let total = precisions.iter().sum::<f64>();
    let weights = precisions.iter().map(|precision| precision / total).collect::<Vec<_>>();
    Ok(PooledSamples {
        control: weighted(&controls, &weights)?,
        variation: weighted(&variations, &weights)?,
    })
}

/// The variance between visitors of the same epoch.
fn variance_within(samples: &[Sample]) -> f64 {
    let freedom = |sample: &Sample| sample.visitors_as_number() - 1.0;
    let scatter = samples.iter().map(|sample| freedom(sample) * sample.variance()).sum::<f64>();
    let total = samples.iter().map(freedom).sum::<f64>();
    if total > 0.0 { scatter / total } else { 0.0 }
}

fn weighted(samples: &[Sample], weights: &[f64]) -> Result<Sample, NoFigure> {
    let sum = |term: fn(&Sample, f64) -> f64| {
        samples.iter().zip(weights).map(|(sample, weight)| term(sample, *weight)).sum::<f64>()
    };
    let visitors = samples.iter().map(Sample::visitors).sum::<u64>();
    let variance_of_mean = sum(|sample, weight| weight * weight * sample.variance_of_mean());
    Sample::adjusted(
        visitors,
        sum(|sample, weight| weight * sample.mean()),
        variance_of_mean * number(visitors),
        sum(|sample, weight| weight * sample.unadjusted_mean()),
    )
}
