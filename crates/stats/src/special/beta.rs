//! The beta distribution: the regularised incomplete beta function and its quantiles.

use super::bisect;
use super::continued_fraction::{ContinuedFraction, MOST_STEPS};
use super::stirling::beta_power;

/// A beta distribution with the shapes `a` and `b`, both above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    /// The shape that grows with successes.
    pub a: f64,
    /// The shape that grows with failures.
    pub b: f64,
}

impl Beta {
    /// The probability of a value of at most `x`: the regularised incomplete beta function.
    #[must_use]
    pub fn cdf(self, x: f64) -> f64 {
        regularized_incomplete_beta(self.a, self.b, x, 1.0 - x)
    }

    /// The probability of a value above `x`, exact in the tail.
    #[must_use]
    pub fn survival(self, x: f64) -> f64 {
        regularized_incomplete_beta(self.b, self.a, 1.0 - x, x)
    }

    /// The density at `x`, times `x (1 − x)`: the density of the logit of the value.
    pub(crate) fn logit_density(self, x: f64) -> f64 {
        beta_power(self.a, self.b, x, 1.0 - x)
    }

    /// The value below which the share `q` of the distribution lies.
    #[must_use]
    pub fn quantile(self, q: f64) -> f64 {
        if q <= 0.5 {
            bisect(0.0, 1.0, |x| self.cdf(x) - q)
        } else {
            bisect(0.0, 1.0, |x| (1.0 - q) - self.survival(x))
        }
    }
}

/// `I_x(a, b)`, where `y` is `1 − x` as exactly as the caller knows it.
pub(super) fn regularized_incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if y <= 0.0 {
        1.0
    } else if x < (a + 1.0) / (a + b + 2.0) {
        beta_power(a, b, x, y) * fraction(a, b, x, y) / a
    } else {
        1.0 - beta_power(b, a, y, x) * fraction(b, a, y, x) / b
    }
}

/// `I_x(a, b)` as a sum of positive terms (NIST DLMF 8.17.8): exact, and quick where `(a + b) x` is small.
pub(super) fn series(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for index in 0..MOST_STEPS {
        let index = f64::from(index);
        term *= (a + b + index) / (a + 1.0 + index) * x;
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    beta_power(a, b, x, y) * sum / a
}

/// The continued fraction of the incomplete beta function (NIST DLMF 8.17.22).
///
/// The first denominator is `1 − (a + b) x / (a + 1)`, written so that nothing cancels near `x = 1`.
fn fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let first_denominator = (1.0 - b + (a + b) * y) / (a + 1.0);
    let mut fraction = ContinuedFraction::new(first_denominator, 1.0);
    for index in 1..MOST_STEPS {
        let term = f64::from(index);
        let even = term * (b - term) * x / ((a + 2.0 * term - 1.0) * (a + 2.0 * term));
        let odd = -(a + term) * (a + b + term) * x / ((a + 2.0 * term) * (a + 2.0 * term + 1.0));
        fraction.step(even, 1.0);
        if fraction.step(odd, 1.0) {
            break;
        }
    }
    fraction.value()
}
