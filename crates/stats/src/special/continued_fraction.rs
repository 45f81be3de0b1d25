//! Continued fractions by Lentz's method (Applied Optics 15, 1976).

/// A denominator of zero is replaced by this.
const TINY: f64 = 1e-300;
/// More steps than any fraction needs for a billion visitors; all end far earlier.
pub(super) const MOST_STEPS: u32 = 200_000;

pub(super) struct ContinuedFraction {
    value: f64,
    numerators: f64,
    denominators: f64,
}

impl ContinuedFraction {
    /// One by `first_denominator`, to which further terms are added.
    pub(super) fn new(first_denominator: f64, numerators: f64) -> Self {
        let value = 1.0 / away_from_zero(first_denominator);
        Self { value, numerators, denominators: value }
    }

    /// Adds `numerator / (denominator + …)`; true if the value did not change any more.
    pub(super) fn step(&mut self, numerator: f64, denominator: f64) -> bool {
        self.denominators = 1.0 / away_from_zero(denominator + numerator * self.denominators);
        self.numerators = away_from_zero(denominator + numerator / self.numerators);
        let factor = self.denominators * self.numerators;
        self.value *= factor;
        (factor - 1.0).abs() < f64::EPSILON
    }

    pub(super) fn value(&self) -> f64 {
        self.value
    }
}

fn away_from_zero(value: f64) -> f64 {
    if value.abs() < TINY { TINY } else { value }
}
