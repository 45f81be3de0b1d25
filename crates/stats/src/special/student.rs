//! Student's t distribution.

use super::beta::{regularized_incomplete_beta, series};
use super::{bisect, normal};

/// The probability of a value above `t`, exact in the tail.
#[must_use]
pub fn survival(t: f64, degrees_of_freedom: f64) -> f64 {
    let square = t * t;
    let (half, whole) = (0.5 * degrees_of_freedom, degrees_of_freedom + square);
    let (x, y) = (degrees_of_freedom / whole, square / whole);
    let two_sided = if square < TAIL_FROM {
        1.0 - series(0.5, half, y, x)
    } else {
        regularized_incomplete_beta(half, 0.5, x, y)
    };
    if t >= 0.0 { 0.5 * two_sided } else { 1.0 - 0.5 * two_sided }
}

/// The probability of a value of at most `t`.
#[must_use]
pub fn cdf(t: f64, degrees_of_freedom: f64) -> f64 {
    survival(-t, degrees_of_freedom)
}

/// The value above which the share `q` of the distribution lies, for `q` between zero and one.
#[must_use]
pub fn upper_quantile(q: f64, degrees_of_freedom: f64) -> f64 {
    if q > 0.5 {
        return -upper_quantile(1.0 - q, degrees_of_freedom);
    }
    let z = normal::upper_quantile(q);
    if degrees_of_freedom >= EXPANSION_FROM && z <= EXPANSION_TO {
        return cornish_fisher(z, degrees_of_freedom);
    }
    let mut upper = 1.0;
    while survival(upper, degrees_of_freedom) > q && upper < f64::MAX / 2.0 {
        upper *= 2.0;
    }
    bisect(0.0, upper, |t| q - survival(t, degrees_of_freedom))
}

/// Below this `t²` the series of the center is exact, while the fraction of the tail, for millions of
/// degrees of freedom, has lost six digits.
const TAIL_FROM: f64 = 9.0;

/// From these degrees of freedom and up to this normal quantile the expansion is exact to 1e-11.
const EXPANSION_FROM: f64 = 1000.0;
const EXPANSION_TO: f64 = 6.0;

/// The Cornish–Fisher expansion of the quantile around the normal one, to the fourth order
/// (Abramowitz and Stegun 26.7.5).
fn cornish_fisher(z: f64, degrees_of_freedom: f64) -> f64 {
    let s = z * z;
    let first = z * (s + 1.0) / 4.0;
    let second = z * ((5.0 * s + 16.0) * s + 3.0) / 96.0;
    let third = z * (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0;
    let fourth = z * ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92_160.0;
    let v = degrees_of_freedom;
    z + (first + (second + (third + fourth / v) / v) / v) / v
}
