//! Probabilities with a meaning: the significance level, the power, and a p-value.

/// The share of errors that is accepted: `0.05` for an interval of 95 %. Between zero and one.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Alpha(f64);

impl Alpha {
    /// The level of a 95 % interval.
    pub const FIVE_PERCENT: Self = Self(0.05);

    /// None unless `value` is strictly between zero and one.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (value > 0.0 && value < 1.0).then_some(Self(value))
    }

    /// The share.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// A fixed part of this level, for a rule that spends it at several places.
    pub(crate) fn part(self, share: f64) -> Self {
        Self(self.0 * share)
    }
}

/// The probability that a test finds an effect of the planned size. Between zero and one.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Power(f64);

impl Power {
    /// The usual power of a plan.
    pub const EIGHTY_PERCENT: Self = Self(0.8);

    /// None unless `value` is strictly between zero and one.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (value > 0.0 && value < 1.0).then_some(Self(value))
    }

    /// The probability.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

/// The probability of evidence at least this strong if there is no effect.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct PValue(f64);

impl PValue {
    /// No evidence at all.
    pub const ONE: Self = Self(1.0);

    /// Cuts `value` to the range from zero to one; what is no number is no evidence.
    #[must_use]
    pub fn new(value: f64) -> Self {
        if value.is_nan() { Self::ONE } else { Self(value.clamp(0.0, 1.0)) }
    }

    /// The probability.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// The smaller of the two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }
}
