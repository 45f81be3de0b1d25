//! Tests with one look, at an end that was fixed in advance.
//!
//! They are wrong when an experimenter looks often and stops at will: measured, a t-test that is looked at
//! 500 times finds a winner in nearly half of all tests without an effect.

use crate::special::{normal, student};
use crate::{Alpha, Difference, Interval, PValue};

/// What a test says: an interval, and the evidence against no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// The interval of plausible effects.
    pub interval: Interval,
    /// The evidence against an effect of zero.
    pub p_value: PValue,
}

impl Test {
    /// Welch's t-test for two sides (Welch, Biometrika 34, 1947).
    #[must_use]
    pub fn welch(difference: &Difference, alpha: Alpha) -> Self {
        let freedom = difference.degrees_of_freedom;
        let multiplier = student::upper_quantile(0.5 * alpha.get(), freedom);
        Self {
            interval: difference.interval(multiplier),
            p_value: PValue::new(2.0 * student::survival(difference.z().abs(), freedom)),
        }
    }

    /// Welch's t-test against no effect or one below zero: the interval has no upper end.
    #[must_use]
    pub fn welch_greater(difference: &Difference, alpha: Alpha) -> Self {
        let freedom = difference.degrees_of_freedom;
        let multiplier = student::upper_quantile(alpha.get(), freedom);
        let lower = difference.interval(multiplier).lower;
        Self {
            interval: Interval { lower, upper: f64::INFINITY },
            p_value: PValue::new(student::survival(difference.z(), freedom)),
        }
    }

    /// The z-test for two sides, for large samples.
    #[must_use]
    pub fn normal(difference: &Difference, alpha: Alpha) -> Self {
        Self {
            interval: difference.interval(normal::upper_quantile(0.5 * alpha.get())),
            p_value: PValue::new(2.0 * normal::survival(difference.z().abs())),
        }
    }
}
