//! Intervals of the ratio of two rates: minus one, they are intervals of the lift.

use super::score::Counts;
use crate::moments::number;
use crate::special::{bisect, normal};
use crate::{Alpha, Conversions, Interval, NoFigure};

/// How the interval is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatioInterval {
    /// Symmetric around the logarithm of the ratio (Katz and others, Biometrics 34, 1978).
    Log,
    /// The same after half a conversion more on both sides (Walter, Biometrics 31, 1975).
    LogAdjusted,
    /// All ratios that the score test does not reject (Koopman, Biometrics 40, 1984; with the
    /// correction of Miettinen and Nurminen 1985).
    Score,
}

impl RatioInterval {
    /// The interval of the variation's rate by the control's.
    ///
    /// # Errors
    /// There is no rate, or a rate of zero has no logarithm.
    pub fn of(
        self,
        control: Conversions,
        variation: Conversions,
        alpha: Alpha,
    ) -> Result<Interval, NoFigure> {
        match self {
            Self::Log => log(control, variation, 0.0, alpha),
            Self::LogAdjusted => log(control, variation, 0.5, alpha),
            Self::Score => score(control, variation, alpha),
        }
    }
}

fn log(
    control: Conversions,
    variation: Conversions,
    more: f64,
    alpha: Alpha,
) -> Result<Interval, NoFigure> {
    let part = |rate: Conversions| -> Result<(f64, f64), NoFigure> {
        rate.rate()?;
        let (converted, visitors) = (number(rate.converted) + more, number(rate.visitors) + more);
        Ok(((converted / visitors).ln(), 1.0 / converted - 1.0 / visitors))
    };
    let (control, variation) = (part(control)?, part(variation)?);
    let center = variation.0 - control.0;
    if !center.is_finite() {
        return Err(NoFigure::ZeroBaseline);
    }
    let z = normal::upper_quantile(0.5 * alpha.get());
    let logarithms = Interval::around(center, z * (variation.1 + control.1).sqrt());
    Ok(Interval { lower: logarithms.lower.exp(), upper: logarithms.upper.exp() })
}

fn score(control: Conversions, variation: Conversions, alpha: Alpha) -> Result<Interval, NoFigure> {
    let counts = Counts::new(control, variation)?;
    if control.converted == 0 {
        return Err(NoFigure::ZeroBaseline);
    }
    let z = normal::upper_quantile(0.5 * alpha.get());
    let estimate = variation.rate()? / control.rate()?;
    let mut highest = 2.0 * estimate.max(1.0);
    while counts.z_of_ratio(highest) > -z && highest < MOST {
        highest *= 2.0;
    }
    Ok(Interval {
        lower: bisect(0.0, estimate, |ratio| z - counts.z_of_ratio(ratio)),
        upper: bisect(estimate, highest, |ratio| -z - counts.z_of_ratio(ratio)),
    })
}

/// No rate is so many times another one.
const MOST: f64 = 1e12;
