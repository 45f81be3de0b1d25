//! Parts of Stirling's formula, which keep binomial and Poisson terms exact for large counts.
//!
//! Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000.

use std::f64::consts::TAU;

/// From here on, five terms of Stirling's series are exact to the last digit.
const SERIES_FROM: f64 = 16.0;

/// What Stirling's formula lacks: `ln Γ(z) − (z − ½) ln z + z − ½ ln 2π`.
pub(super) fn stirling_error(z: f64) -> f64 {
    let mut shifted = z;
    let mut error = 0.0;
    while shifted < SERIES_FROM {
        error += (shifted + 0.5) * (1.0 / shifted).ln_1p() - 1.0;
        shifted += 1.0;
    }
    let s = 1.0 / (shifted * shifted);
    let series = 1.0 / 12.0
        - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s * (1.0 / 1188.0))));
    error + series / shifted
}

/// The deviance `x ln(x / mean) + mean − x`, exact also where `x` is close to `mean`.
pub(super) fn deviance(x: f64, mean: f64) -> f64 {
    let difference = x - mean;
    if difference.abs() >= 0.1 * (x + mean) {
        return x * (x / mean).ln() - difference;
    }
    let v = difference / (x + mean);
    let mut sum = difference * v;
    let mut term = 2.0 * x * v;
    for odd in (3..).step_by(2) {
        term *= v * v;
        let next = sum + term / f64::from(odd);
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    sum
}

/// `x^a y^b / B(a, b)` for `x + y = 1`.
pub(super) fn beta_power(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 || y <= 0.0 {
        return 0.0;
    }
    let whole = a + b;
    let exponent = stirling_error(whole)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, whole * x)
        - deviance(b, whole * y);
    (a / TAU * (b / whole)).sqrt() * exponent.exp()
}

/// `x^a e^−x / Γ(a)`.
pub(super) fn gamma_power(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    (a / TAU).sqrt() * (-stirling_error(a) - deviance(a, x)).exp()
}
