//! A Bayesian view of an effect: an option, never safe to peek.
//!
//! Measured, one who looks 500 times and stops when the chance to win or to lose passes 95 % finds a
//! winner in most tests without an effect. As the Gaussian effect model of gbstats 0.8.0.

use crate::special::normal;
use crate::{Alpha, Difference, Interval};

/// What is believed of the effect before the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prior {
    /// Nothing.
    Flat,
    /// A normal distribution of effects, in the unit of the effect.
    Normal {
        /// The mean of the effects.
        mean: f64,
        /// Their standard deviation, above zero.
        deviation: f64,
    },
}

/// What is believed of the effect after the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianPosterior {
    mean: f64,
    deviation: f64,
}

impl GaussianPosterior {
    /// Weighs the data against the prior by their precisions.
    #[must_use]
    pub fn new(prior: Prior, difference: &Difference) -> Self {
        Self::of(prior, difference.estimate, difference.standard_error)
    }

    /// The same of any estimate with a normal error.
    pub(crate) fn of(prior: Prior, estimate: f64, standard_error: f64) -> Self {
        let data_precision = standard_error.powi(-2);
        match prior {
            Prior::Flat => Self { mean: estimate, deviation: standard_error },
            Prior::Normal { mean, deviation } => {
                let prior_precision = deviation.powi(-2);
                let precision = data_precision + prior_precision;
                let weighted = estimate * data_precision + mean * prior_precision;
                Self { mean: weighted / precision, deviation: precision.sqrt().recip() }
            }
        }
    }

    /// The expected effect.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard deviation of the effect.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.deviation
    }

    /// The interval that holds the effect with the probability `1 − α`.
    #[must_use]
    pub fn credible_interval(&self, alpha: Alpha) -> Interval {
        let half_width = normal::upper_quantile(0.5 * alpha.get()) * self.deviation;
        Interval::around(self.mean, half_width)
    }

    /// The probability that the effect is above zero.
    #[must_use]
    pub fn chance_above_zero(&self) -> f64 {
        normal::cdf(self.mean / self.deviation)
    }

    /// How much is lost on average by keeping the control: the mean of the positive effects.
    #[must_use]
    pub fn loss_of_control(&self) -> f64 {
        expected_positive_part(self.mean, self.deviation)
    }

    /// How much is lost on average by taking the variation: the mean of the negative effects.
    #[must_use]
    pub fn loss_of_variation(&self) -> f64 {
        expected_positive_part(-self.mean, self.deviation)
    }
}

/// The mean of `max(X, 0)` for a normal `X`.
fn expected_positive_part(mean: f64, deviation: f64) -> f64 {
    let z = mean / deviation;
    mean * normal::cdf(z) + deviation * normal::density(z)
}
