//! Always-valid intervals: they hold the effect at all looks together, however often an experimenter looks.
//!
//! The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of
//! Statistics 2024, arXiv 2103.06476, equations 9, 155 and 161), a normal mixture after Robbins
//! (1970). The intervals are narrowest, relative to an ordinary interval, near the number of
//! visitors they are tuned for, and valid at all numbers.

use crate::{Alpha, Difference, Interval, PValue};

/// The number of visitors, of both variations together, at which intervals are to be narrowest. It
/// is fixed before the first look: a later change would choose the rule by the result.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct TunedFor(f64);

impl TunedFor {
    /// For experiments that planned no number of visitors.
    pub const WITHOUT_PLAN: Self = Self(10_000.0);

    /// The planned number of visitors; at least one.
    #[must_use]
    pub fn visitors(planned: u64) -> Self {
        Self(crate::moments::number(planned.max(1)))
    }
}

/// A confidence sequence of one level and one tuning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfidenceSequence {
    alpha: Alpha,
    rho_squared: f64,
}

impl ConfidenceSequence {
    /// Tunes the mixture: `ρ² = (−2 ln α + ln(1 − 2 ln α)) / N*` (equation 161).
    #[must_use]
    pub fn new(alpha: Alpha, tuned_for: TunedFor) -> Self {
        let double = -2.0 * alpha.get().ln();
        Self { alpha, rho_squared: (double + double.ln_1p()) / tuned_for.0 }
    }

    /// The same mixture for intervals of the level `share × α`.
    pub(crate) fn at_share(self, share: f64) -> Self {
        Self { alpha: self.alpha.part(share), ..self }
    }

    /// The variance of the mixture, `ρ²`, per visitor.
    #[must_use]
    pub fn rho_squared(&self) -> f64 {
        self.rho_squared
    }

    /// How many standard errors the interval reaches to both sides after `visitors`: with
    /// `X = N ρ² + 1`, `√(2 X / (X − 1) · ln(√X / α))` (equation 9).
    #[must_use]
    pub fn multiplier(&self, visitors: f64) -> f64 {
        let excess = visitors * self.rho_squared;
        let log_ratio = 0.5 * excess.ln_1p() - self.alpha.get().ln();
        (2.0 * (excess + 1.0) / excess * log_ratio).sqrt()
    }

    /// The interval at this look.
    #[must_use]
    pub fn interval(&self, difference: &Difference) -> Interval {
        difference.interval(self.multiplier(difference.visitors))
    }

    /// The logarithm of the evidence against an effect of zero: the mixture's likelihood ratio
    /// (equation 155).
    #[must_use]
    pub fn log_evidence(&self, difference: &Difference) -> f64 {
        let excess = difference.visitors * self.rho_squared;
        let z = difference.z();
        0.5 * excess / (excess + 1.0) * z * z - 0.5 * excess.ln_1p()
    }

    /// The always-valid p-value: one by the evidence. By Ville's inequality it falls below `α` at
    /// any look with a probability of at most `α`, so that the smallest of all looks holds too.
    #[must_use]
    pub fn p_value(&self, difference: &Difference) -> PValue {
        PValue::new((-self.log_evidence(difference)).exp())
    }
}
