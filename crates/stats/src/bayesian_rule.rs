//! When a Bayesian result is decided: a rule on beliefs, which does not hold an error rate over many looks.
//!
//! Both parts are needed. The chance alone says nothing of what is at stake; the expected loss alone is
//! low, sooner or later, for each of two variations that are alike (Stucchio, "Bayesian A/B Testing at
//! VWO", 2015). What a daily look does to the rule is measured in `tests/it/bayesian.rs`.

use crate::posterior::common_mean;
use crate::{Alpha, Direction, LIFT_DEVIATION, NoFigure, Posterior, Sample, Verdict};

/// The rule of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesianRule {
    /// Verdicts need a chance of at least `1 − α / 2`: then the credible interval of `1 − α` excludes zero.
    pub alpha: Alpha,
    /// The expected loss that may be taken, as a share of the control's mean: `0.0025`.
    pub tolerated_loss: f64,
}

/// What the rule says of a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Against the control; always inconclusive for the control itself.
    pub verdict: Verdict,
    /// Whether all variations are known well enough, and no more than the tolerated loss is expected of taking this
    /// one: then the experiment can stop with it, also where it is not known to be better.
    pub is_tolerable: bool,
}

impl Judgement {
    /// Nothing is said of it.
    pub const NONE: Self = Self { verdict: Verdict::Inconclusive, is_tolerable: false };
}

/// The largest standard error of a mean that is known well enough, as a share of the mean of all visitors: a rate is
/// known so well from some hundred conversions on. A variation that loses nearly all of them is found early all the same.
const LARGEST_ERROR: f64 = 0.1;

impl BayesianRule {
    /// Judges all variations, the control first, by one look. Those that are not known well enough are not judged,
    /// and no other is compared with them.
    #[must_use]
    pub fn judge(
        &self,
        variations: &[Result<Sample, NoFigure>],
        good: Direction,
    ) -> Vec<Judgement> {
        let mut all = vec![Judgement::NONE; variations.len()];
        let known = known(variations);
        let has_control = known.first().is_some_and(|(place, _)| *place == 0);
        let samples: Vec<Sample> = known.iter().map(|(_, sample)| *sample).collect();
        let posterior = Posterior::new(&samples, LIFT_DEVIATION).ok();
        let Some(posterior) = posterior.filter(|_| has_control && known.len() > 1) else {
            return all;
        };
        let are_all_known =
            variations.iter().filter(|variation| variation.is_ok()).count() == known.len();
        let most = self.tolerated_loss * posterior.variations()[0].mean().abs();
        for (among, outlook) in posterior.outlooks(good).into_iter().enumerate() {
            let is_cheap = outlook.loss <= most;
            let verdict = self.verdict(&posterior, among, (good, is_cheap));
            all[known[among].0] = Judgement { verdict, is_tolerable: are_all_known && is_cheap };
        }
        all
    }

    fn verdict(
        &self,
        posterior: &Posterior,
        place: usize,
        (good, is_cheap): (Direction, bool),
    ) -> Verdict {
        let effect = posterior.effect(place, good, self.alpha).ok().filter(|_| place > 0);
        let chance = effect.map_or(0.5, |effect| effect.chance);
        let tail = 0.5 * self.alpha.get();
        if chance >= 1.0 - tail && is_cheap {
            Verdict::Better
        } else if chance <= tail {
            Verdict::Worse
        } else {
            Verdict::Inconclusive
        }
    }
}

/// The variations that are known well enough for a verdict, with their places.
fn known(variations: &[Result<Sample, NoFigure>]) -> Vec<(usize, Sample)> {
    let samples: Vec<_> = variations.iter().flatten().copied().collect();
    let Ok(common) = common_mean(&samples) else { return Vec::new() };
    let largest = LARGEST_ERROR * common.abs();
    let places = variations.iter().enumerate();
    let samples = places.filter_map(|(place, variation)| Some((place, variation.ok()?)));
    samples.filter(|(_, variation)| variation.variance_of_mean().sqrt() <= largest).collect()
}
