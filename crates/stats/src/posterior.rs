//! A Bayesian view of all variations of an experiment together: an option, never safe to peek.
//!
//! Before the data, true means of variations are alike: normally distributed around a common mean, so
//! that most lifts lie within 30 %. The common mean is that of all visitors (empirical Bayes: Efron,
//! Morris, JASA 70, 1975). With two variations of the same precision, the difference of the means is
//! distributed exactly as by [`GaussianPosterior`] with a prior of lifts; no variation is special, so
//! that the probabilities do not depend on which one is the control.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::gaussian_posterior::{GaussianPosterior, Prior};
use crate::moments::number;
use crate::special::normal;
use crate::{Alpha, Difference, Direction, Interval, Lift, Look, NoFigure, Sample};

/// The standard deviation of the lifts before the data: two thirds of them are within 30 %. As the
/// proper prior that gbstats proposes.
pub const LIFT_DEVIATION: f64 = 0.3;

/// What is believed of the means of all variations after the data; the control is the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    variations: Vec<Sample>,
}

/// What is believed of a variation against the control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The expected difference of the means.
    pub difference: f64,
    /// The interval that holds the difference with the probability `1 − α`.
    pub interval: Interval,
    /// The relative effect, with the interval that holds it with the probability `1 − α`. It holds zero if
    /// and only if the interval of the difference does.
    pub lift: Result<Lift, NoFigure>,
    /// The probability that the variation is better than the control.
    pub chance: f64,
}

impl Posterior {
    /// Weighs the samples against the prior of lifts with the standard deviation `lift_deviation`, for
    /// example [`LIFT_DEVIATION`]. An infinite one believes nothing before the data.
    ///
    /// # Errors
    /// There is no sample; the mean of all visitors is zero, or not clearly apart from it; all visitors of a variation
    /// have the same value, or there is only one.
    pub fn new(variations: &[Sample], lift_deviation: f64) -> Result<Self, NoFigure> {
        let common = common_mean(variations)?;
        let deviation = FRAC_1_SQRT_2 * lift_deviation * common.abs();
        let prior = Prior::Normal { mean: common, deviation };
        let after =
            variations.iter().map(|variation| after(prior, variation)).collect::<Result<_, _>>()?;
        if common.abs() < CLEAR_OF_ZERO * deviation_of_common_mean(variations) {
            return Err(NoFigure::UnboundedLift);
        }
        Ok(Self { variations: after })
    }

    /// What is believed of the variation at this place against the control.
    ///
    /// # Errors
    /// There is no such variation.
    pub fn effect(&self, place: usize, good: Direction, alpha: Alpha) -> Result<Effect, NoFigure> {
        let Look { control, variation } = self.look(place)?;
        let multiplier = quantile(alpha);
        let difference = Difference::absolute(&control, &variation)?;
        Ok(Effect {
            difference: difference.estimate,
            interval: difference.interval(multiplier),
            lift: Lift::new(&control, &variation, multiplier),
            chance: normal::cdf(good.sign() * difference.z()),
        })
    }

    /// The control and the variation at this place, as they are believed to be: with
    /// [`credible_multiplier`], rules for samples become rules for beliefs.
    ///
    /// # Errors
    /// There is no such variation.
    pub fn look(&self, place: usize) -> Result<Look, NoFigure> {
        let variation =
            |place: usize| self.variations.get(place).copied().ok_or(NoFigure::NoVisitors);
        Ok(Look { control: variation(0)?, variation: variation(place)? })
    }

    /// The variations in order, the control first.
    #[must_use]
    pub fn variations(&self) -> &[Sample] {
        &self.variations
    }
}

/// How many standard deviations a credible interval of the probability `1 − α` reaches to both sides.
#[must_use]
pub fn credible_multiplier(alpha: Alpha) -> f64 {
    quantile(alpha)
}

fn quantile(alpha: Alpha) -> f64 {
    normal::upper_quantile(0.5 * alpha.get())
}

/// The mean of all visitors.
pub(crate) fn common_mean(variations: &[Sample]) -> Result<f64, NoFigure> {
    let visitors = variations.iter().map(Sample::visitors).sum::<u64>();
    if visitors == 0 {
        return Err(NoFigure::NoVisitors);
    }
    let sum = variations
        .iter()
        .map(|variation| variation.visitors_as_number() * variation.mean())
        .sum::<f64>();
    if sum == 0.0 { Err(NoFigure::ZeroBaseline) } else { Ok(sum / number(visitors)) }
}

/// So many standard errors the mean of all visitors is from zero at least. Nearer, 30 % of it cannot be known, and the less they were,
/// the surer one would seem to be.
const CLEAR_OF_ZERO: f64 = 2.0;

fn deviation_of_common_mean(variations: &[Sample]) -> f64 {
    let visitors = variations.iter().map(Sample::visitors_as_number).sum::<f64>();
    let parts =
        variations.iter().map(|variation| variation.visitors_as_number() * variation.variance());
    parts.sum::<f64>().sqrt() / visitors
}

/// The sample that has the mean and the variance of the mean that are believed after the data.
fn after(prior: Prior, variation: &Sample) -> Result<Sample, NoFigure> {
    if variation.visitors() < 2 {
        return Err(NoFigure::TooFewVisitors);
    }
    if variation.variance() <= 0.0 {
        return Err(NoFigure::ZeroVariance);
    }
    let posterior =
        GaussianPosterior::of(prior, variation.mean(), variation.variance_of_mean().sqrt());
    let variance = posterior.deviation().powi(2) * variation.visitors_as_number();
    Sample::new(variation.visitors(), posterior.mean(), variance)
}

/// The samples of all variations, of looks at each of them with the control. After weights changed, each look
/// has a control of its own (see [`pool_epochs`](crate::pool_epochs)): the most exact one becomes the control of
/// all, and each variation keeps its difference and the standard error of it.
///
/// # Errors
/// No look has figures, for the reason of the first.
pub fn samples_of_looks(
    looks: &[Result<Look, NoFigure>],
) -> Result<Vec<Result<Sample, NoFigure>>, NoFigure> {
    let looks: Vec<_> = looks.iter().map(|look| look.and_then(with_spread)).collect();
    let controls = looks.iter().flatten().map(|look| look.control);
    let exactest = controls
        .min_by(|one, other| one.variance_of_mean().total_cmp(&other.variance_of_mean()))
        .ok_or_else(|| looks.iter().find_map(|look| look.err()).unwrap_or(NoFigure::NoVisitors))?;
    let variations = looks.iter().map(|look| look.and_then(|look| against(exactest, &look)));
    Ok(std::iter::once(Ok(exactest)).chain(variations).collect())
}

fn with_spread(look: Look) -> Result<Look, NoFigure> {
    Difference::absolute(&look.control, &look.variation).map(|_| look)
}

/// A sample that differs from `control` as the variation differs from the look's own control.
fn against(control: Sample, look: &Look) -> Result<Sample, NoFigure> {
    let Look { control: own, variation } = look;
    if *own == control {
        return Ok(*variation);
    }
    let mean = control.mean() + variation.mean() - own.mean();
    let variance = variation.variance_of_mean() + own.variance_of_mean();
    let visitors = variation.visitors_as_number();
    Sample::new(variation.visitors(), mean, (variance - control.variance_of_mean()) * visitors)
}
