//! The sample size of two rates by the arcsine effect size.

use crate::special::{bisect, normal};
use crate::{Alpha, NoFigure, Power};

/// No experiment has as many visitors.
const MOST_VISITORS: f64 = 1e15;

/// The visitors of each of two variations of equal size: the smallest number whose z-test for two sides
/// has the power, by the effect size `2 asin √p₂ − 2 asin √p₁` (Cohen, "Statistical Power Analysis for
/// the Behavioral Sciences", 1988, chapter 6).
///
/// # Errors
/// The rates are equal or no rates, or no number of visitors has the power.
pub fn arcsine_visitors(
    control_rate: f64,
    variation_rate: f64,
    power: Power,
    alpha: Alpha,
) -> Result<f64, NoFigure> {
    let angle = |rate: f64| 2.0 * rate.sqrt().asin();
    let effect = (angle(variation_rate) - angle(control_rate)).abs();
    let z = normal::upper_quantile(0.5 * alpha.get());
    let lack = |visitors: f64| {
        let shift = effect * (0.5 * visitors).sqrt();
        normal::survival(z - shift) + normal::cdf(-z - shift) - power.get()
    };
    if effect.is_nan() || lack(MOST_VISITORS) < 0.0 || lack(0.0) > 0.0 {
        return Err(NoFigure::ImpossiblePlan);
    }
    Ok(bisect(0.0, MOST_VISITORS, lack))
}
