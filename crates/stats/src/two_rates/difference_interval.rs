//! Intervals of the difference of two rates.

use super::score::{Counts, Cubic};
use super::wilson_interval;
use crate::moments::number;
use crate::special::{bisect, normal};
use crate::{Alpha, Conversions, Interval, NoFigure};

/// How the interval is made (compared by Fagerland, Lydersen and Laake, Statistical Methods in
/// Medical Research 24, 2015).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceInterval {
    /// Symmetric around the difference of the rates.
    Wald,
    /// The same after one more conversion and one more other visitor on both sides (Agresti, Caffo,
    /// The American Statistician 54, 2000).
    AgrestiCaffo,
    /// From the Wilson intervals of both rates (Newcombe, Statistics in Medicine 17, 1998).
    Newcombe,
    /// All differences that the score test does not reject (Miettinen, Nurminen 1985).
    Score,
    /// The same as statsmodels 0.15 computes it, which has a slip in a cubic equation: an end is off by
    /// 1 % of itself for 40 visitors and by 1e-4 for 10,000. For comparing with that tool only.
    StatsmodelsScore,
}

impl DifferenceInterval {
    /// The interval of variation minus control.
    ///
    /// # Errors
    /// There is no rate.
    pub fn of(
        self,
        control: Conversions,
        variation: Conversions,
        alpha: Alpha,
    ) -> Result<Interval, NoFigure> {
        match self {
            Self::Wald => wald(control, variation, alpha),
            Self::AgrestiCaffo => wald(with_two_more(control), with_two_more(variation), alpha),
            Self::Newcombe => newcombe(control, variation, alpha),
            Self::Score => score(control, variation, Cubic::Published, alpha),
            Self::StatsmodelsScore => score(control, variation, Cubic::Statsmodels, alpha),
        }
    }
}

fn wald(control: Conversions, variation: Conversions, alpha: Alpha) -> Result<Interval, NoFigure> {
    let scatter = |rate: Conversions| -> Result<f64, NoFigure> {
        Ok(rate.rate()? * (1.0 - rate.rate()?) / number(rate.visitors))
    };
    let variance = scatter(control)? + scatter(variation)?;
    let z = normal::upper_quantile(0.5 * alpha.get());
    Ok(Interval::around(variation.rate()? - control.rate()?, z * variance.sqrt()))
}

fn with_two_more(rate: Conversions) -> Conversions {
    rate.merge(Conversions { visitors: 2, converted: 1 })
}

fn newcombe(
    control: Conversions,
    variation: Conversions,
    alpha: Alpha,
) -> Result<Interval, NoFigure> {
    let (c, v) = (control.rate()?, variation.rate()?);
    let c_interval = wilson_interval(control, alpha)?;
    let v_interval = wilson_interval(variation, alpha)?;
    let down = (v - v_interval.lower).hypot(c_interval.upper - c);
    let up = (c - c_interval.lower).hypot(v_interval.upper - v);
    Ok(Interval { lower: v - c - down, upper: v - c + up })
}

fn score(
    control: Conversions,
    variation: Conversions,
    cubic: Cubic,
    alpha: Alpha,
) -> Result<Interval, NoFigure> {
    let counts = Counts::new(control, variation)?;
    let z = normal::upper_quantile(0.5 * alpha.get());
    let estimate = variation.rate()? - control.rate()?;
    let z_of = |difference| counts.z_of_difference(difference, cubic);
    Ok(Interval {
        lower: bisect(-1.0, estimate, |difference| z - z_of(difference)),
        upper: bisect(estimate, 1.0, |difference| -z - z_of(difference)),
    })
}
