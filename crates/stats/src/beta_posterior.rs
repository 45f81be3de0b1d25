//! A Bayesian view of two rates: an option, never safe to peek.
//!
//! Each rate has a beta posterior after a flat prior. What compares two of them has no closed form
//! and is integrated over the logit of the rate, where densities fall off smoothly on both sides, so
//! that the trapezoidal rule is exact to ten digits (Trefethen, Weideman, SIAM Review 56, 2014).

use crate::moments::number;
use crate::special::beta::Beta;
use crate::{Alpha, Conversions, Interval, NoFigure};

/// The posteriors of control and variation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetaPosteriors {
    control: Beta,
    variation: Beta,
}

/// What the posteriors of two rates say of the difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetaComparison {
    /// The probability that the variation's rate is the higher one.
    pub chance_of_variation: f64,
    /// How much rate is lost on average by taking the variation.
    pub loss_of_variation: f64,
    /// How much rate is lost on average by keeping the control.
    pub loss_of_control: f64,
}

impl BetaPosteriors {
    /// After a flat prior: `Beta(1 + converted, 1 + not converted)`.
    ///
    /// # Errors
    /// A variation has more conversions than visitors.
    pub fn new(control: Conversions, variation: Conversions) -> Result<Self, NoFigure> {
        Ok(Self { control: posterior(control)?, variation: posterior(variation)? })
    }

    /// The interval that holds the control's rate with the probability `1 − α`.
    #[must_use]
    pub fn control_interval(&self, alpha: Alpha) -> Interval {
        credible_interval(self.control, alpha)
    }

    /// The interval that holds the variation's rate with the probability `1 − α`.
    #[must_use]
    pub fn variation_interval(&self, alpha: Alpha) -> Interval {
        credible_interval(self.variation, alpha)
    }

    /// Integrates over both posteriors.
    #[must_use]
    pub fn compare(&self) -> BetaComparison {
        let (control, variation) = (self.control, self.variation);
        let step = STEP.min(0.25 * logit_deviation(control).min(logit_deviation(variation)));
        let (low, high) = logit_range(variation);
        let chance = integrate(low, high, step, |x| variation.logit_density(x) * control.cdf(x));
        BetaComparison {
            chance_of_variation: chance,
            loss_of_variation: expected_excess(control, variation, step),
            loss_of_control: expected_excess(variation, control, step),
        }
    }
}

fn posterior(rate: Conversions) -> Result<Beta, NoFigure> {
    if rate.converted > rate.visitors {
        return Err(NoFigure::ImpossibleSums);
    }
    let others = rate.visitors - rate.converted;
    Ok(Beta { a: 1.0 + number(rate.converted), b: 1.0 + number(others) })
}

fn credible_interval(posterior: Beta, alpha: Alpha) -> Interval {
    let tail = 0.5 * alpha.get();
    Interval { lower: posterior.quantile(tail), upper: posterior.quantile(1.0 - tail) }
}

/// The mean of `max(high − low, 0)`: the integral of the probability that `low < x < high`.
fn expected_excess(high: Beta, low: Beta, step: f64) -> f64 {
    let (start, end) = (logit_range(low).0, logit_range(high).1);
    integrate(start, end, step, |x| low.cdf(x) * high.survival(x) * x * (1.0 - x))
}

/// The widest step of the integration: the logistic function has poles at `± iπ`.
const STEP: f64 = 0.25;
/// The step grows rather than that one comparison takes more points.
const MOST_POINTS: f64 = 20_000.0;
/// A normal density is below 1e-18 so many deviations from its center.
const DEVIATIONS: f64 = 9.0;
/// `e^−40` is below 1e-17.
const EXPONENTS: f64 = 40.0;

/// The variance of the logit of a beta variable is `ψ′(a) + ψ′(b)`, close to this.
fn logit_deviation(beta: Beta) -> f64 {
    (1.0 / beta.a + 1.0 / beta.b).sqrt()
}

/// Where the density of the logit is not negligible: it falls off like `e^(a u)` and `e^(−b u)`.
fn logit_range(beta: Beta) -> (f64, f64) {
    let center = (beta.a / beta.b).ln();
    let reach = DEVIATIONS * logit_deviation(beta);
    (center - reach - EXPONENTS / beta.a, center + reach + EXPONENTS / beta.b)
}

fn integrate(start: f64, end: f64, step: f64, function: impl Fn(f64) -> f64) -> f64 {
    let points = ((end - start) / step).ceil().min(MOST_POINTS);
    let mut sum = 0.0;
    let mut index = 0.0;
    while index <= points {
        let u = start + (end - start) * index / points;
        sum += function(1.0 / (1.0 + (-u).exp()));
        index += 1.0;
    }
    sum * (end - start).max(0.0) / points.max(1.0)
}
