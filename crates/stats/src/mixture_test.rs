//! The mixture sequential probability ratio test, for effects around a size that is known.
//!
//! Johari, Koomen, Pekelis and Walsh, Operations Research 2022 (arXiv 1512.04922). It is the
//! mixture of [`ConfidenceSequence`](crate::ConfidenceSequence), tuned by the variance of effects
//! instead of the number of visitors; a badly chosen variance costs half of the power.

use crate::{Alpha, Difference, Interval, PValue};

/// The variance of the effects that are expected, in squared units of the metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixtureTest {
    alpha: Alpha,
    effect_variance: f64,
}

impl MixtureTest {
    /// None unless the variance is a positive number.
    #[must_use]
    pub fn new(alpha: Alpha, effect_variance: f64) -> Option<Self> {
        let is_possible = effect_variance > 0.0 && effect_variance.is_finite();
        is_possible.then_some(Self { alpha, effect_variance })
    }

    /// `½ ln(V / (V + τ²)) + τ² d² / (2 V (V + τ²))`.
    #[must_use]
    pub fn log_likelihood_ratio(&self, difference: &Difference) -> f64 {
        let ratio = self.effect_variance / difference.standard_error.powi(2);
        0.5 * ratio / (1.0 + ratio) * difference.z().powi(2) - 0.5 * ratio.ln_1p()
    }

    /// The always-valid p-value.
    #[must_use]
    pub fn p_value(&self, difference: &Difference) -> PValue {
        PValue::new((-self.log_likelihood_ratio(difference)).exp())
    }

    /// The interval at this look.
    #[must_use]
    pub fn interval(&self, difference: &Difference) -> Interval {
        let ratio = self.effect_variance / difference.standard_error.powi(2);
        let log_ratio = 0.5 * ratio.ln_1p() - self.alpha.get().ln();
        difference.interval((2.0 * (1.0 + ratio) / ratio * log_ratio).sqrt())
    }
}
