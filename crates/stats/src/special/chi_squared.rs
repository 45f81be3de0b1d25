//! The chi-squared distribution.

use super::gamma::upper_regularized_gamma;

/// The probability of a value above `x` with `degrees_of_freedom`.
#[must_use]
pub fn survival(x: f64, degrees_of_freedom: f64) -> f64 {
    upper_regularized_gamma(0.5 * degrees_of_freedom, 0.5 * x)
}
