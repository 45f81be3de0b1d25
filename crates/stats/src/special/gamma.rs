//! The gamma function's logarithm and the regularised incomplete gamma function.

use super::continued_fraction::{ContinuedFraction, MOST_STEPS};
use super::stirling::gamma_power;

/// `ln Γ(x)`.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// `Q(a, x)`, the upper regularised incomplete gamma function (NIST DLMF 8.2.4).
pub(super) fn upper_regularized_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else if x < a + 1.0 {
        1.0 - gamma_power(a, x) * lower_series(a, x)
    } else {
        gamma_power(a, x) * upper_fraction(a, x)
    }
}

/// NIST DLMF 8.11.4.
fn lower_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for index in 1..MOST_STEPS {
        term *= x / (a + f64::from(index));
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// NIST DLMF 8.9.2.
fn upper_fraction(a: f64, x: f64) -> f64 {
    let mut denominator = x + 1.0 - a;
    let mut fraction = ContinuedFraction::new(denominator, f64::MAX);
    for index in 1..MOST_STEPS {
        let m = f64::from(index);
        denominator += 2.0;
        if fraction.step(m * (a - m), denominator) {
            break;
        }
    }
    fraction.value()
}
