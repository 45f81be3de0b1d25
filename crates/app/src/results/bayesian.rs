//! The variations by what is believed of them after the data, day by day: for campaigns whose plan is Bayesian.

use events::Day;
use stats::{
    Alpha, BayesianRule, Direction, Effect, Judgement, LIFT_DEVIATION, Look, NoFigure, Outlook,
    Posterior, Sample, Verdict, credible_multiplier, samples_of_looks,
};

use crate::results::comparisons::{day_comparison, direction, lift_beside};
use crate::results::day_sums::{DaySums, date};
use crate::results::guardrail::judged_today;
use crate::results::metrics::Measure;
use crate::results::report::{
    ComparisonResult, ComparisonVerdict, DayComparison, MetricRole, PosteriorReport,
};
use crate::results::samples::looks;

/// How a Bayesian campaign is decided.
#[derive(Clone, Copy)]
pub(super) struct BayesianSetting {
    pub(super) alpha: Alpha,
    /// The expected loss that a verdict may take, as a share of the control's mean.
    pub(super) tolerated_loss: f64,
    /// The first day that is judged: none if the visitors that the plan asks for have not come.
    pub(super) judged_from: Option<Day>,
    /// The day on which the plan ended: nothing is looked at later.
    pub(super) ended: Option<Day>,
}

/// What is told of a variation.
#[derive(Default)]
pub(super) struct VariationFigures {
    /// Against the control; none of the control.
    pub(super) comparison: Option<ComparisonResult>,
    /// None without figures.
    pub(super) posterior: Option<PosteriorReport>,
}

/// What each metric says of each variation, the control first.
pub(super) fn bayesian_figures(
    measured: &[(Measure, DaySums)],
    beliefs: BayesianSetting,
) -> Vec<Vec<VariationFigures>> {
    let course = |(measure, sums): &(Measure, DaySums)| {
        Course { measure, sums, beliefs, days: days(measure, sums) }.figures()
    };
    measured.iter().map(course).collect()
}

/// What is believed of each variation against the control, at the end of the last day.
pub(super) fn effects(
    measure: &Measure,
    sums: &DaySums,
    alpha: Alpha,
) -> Vec<Result<Effect, NoFigure>> {
    let today = days(measure, sums).pop();
    let effect = |variation: usize| {
        let today = today.as_ref().ok_or(NoFigure::NoVisitors)?;
        today.effect(variation, (direction(measure), alpha))
    };
    (1..sums.last().len()).map(effect).collect()
}

/// What is known of all variations at the end of a day.
struct DayBelief {
    /// The sample of each, or why there is none.
    variations: Vec<Result<Sample, NoFigure>>,
    /// Of those that have one.
    posterior: Result<Posterior, NoFigure>,
}

fn days(measure: &Measure, sums: &DaySums) -> Vec<DayBelief> {
    let by_variation: Vec<_> =
        (1..sums.last().len()).map(|variation| looks(measure, sums, variation)).collect();
    let on_day = |day: usize| {
        let looks: Vec<_> = by_variation.iter().map(|looks| looks[day]).collect();
        DayBelief::of(&looks)
    };
    (0..sums.days.len()).map(on_day).collect()
}

impl DayBelief {
    fn of(looks: &[Result<Look, NoFigure>]) -> Self {
        let variations = samples_of_looks(looks);
        let none = |reason| looks.iter().map(move |look| Err(look.err().unwrap_or(reason)));
        let variations = variations
            .unwrap_or_else(|reason| std::iter::once(Err(reason)).chain(none(reason)).collect());
        let samples: Vec<Sample> = variations.iter().flatten().copied().collect();
        Self { posterior: Posterior::new(&samples, LIFT_DEVIATION), variations }
    }

    /// The place of a variation among those that have a sample.
    fn place(&self, variation: usize) -> Result<usize, NoFigure> {
        self.variations[variation]?;
        Ok(self.variations[..variation].iter().flatten().count())
    }

    fn effect(
        &self,
        variation: usize,
        (good, alpha): (Direction, Alpha),
    ) -> Result<Effect, NoFigure> {
        let place = self.place(variation)?;
        self.posterior.as_ref().map_err(|reason| *reason)?.effect(place, good, alpha)
    }

    fn look(&self, variation: usize) -> Result<Look, NoFigure> {
        let place = self.place(variation)?;
        self.posterior.as_ref().map_err(|reason| *reason)?.look(place)
    }

    /// The outlook of each variation that has one, with the unit of its loss.
    fn outlooks(&self, good: Direction) -> Vec<Option<(Outlook, f64)>> {
        let Ok(posterior) = &self.posterior else { return vec![None; self.variations.len()] };
        let unit = posterior.variations()[0].mean().abs();
        let mut outlooks = posterior.outlooks(good).into_iter();
        let each =
            self.variations.iter().map(|variation| variation.ok().and_then(|_| outlooks.next()));
        each.map(|outlook| Some((outlook?, unit))).collect()
    }
}

/// A metric over the days.
struct Course<'m> {
    measure: &'m Measure,
    sums: &'m DaySums,
    beliefs: BayesianSetting,
    days: Vec<DayBelief>,
}

impl Course<'_> {
    fn figures(&self) -> Vec<VariationFigures> {
        let Some(today) = self.days.last() else {
            return self.sums.last().iter().map(|_| VariationFigures::default()).collect();
        };
        let decided = self.decided();
        let good = direction(self.measure);
        let outlooks = today.outlooks(good).into_iter().zip(&decided).enumerate();
        let each = outlooks.map(|(variation, (outlook, decided))| {
            let effect = today.effect(variation, (good, self.beliefs.alpha));
            let chance = effect.ok().filter(|_| variation > 0).map(|effect| effect.chance);
            let posterior = outlook.map(|(outlook, unit)| PosteriorReport {
                probability_best: outlook.best.min(1.0),
                chance_to_beat_control: chance,
                expected_loss: (unit > 0.0).then(|| outlook.loss / unit),
                is_low_risk: decided.today.is_tolerable,
            });
            let comparison = (variation > 0).then(|| self.comparison(variation, effect, decided));
            VariationFigures { comparison, posterior }
        });
        each.collect()
    }

    fn comparison(
        &self,
        variation: usize,
        effect: Result<Effect, NoFigure>,
        decided: &Decided,
    ) -> ComparisonResult {
        let (verdict, since) = match self.measure.about.margin {
            Some(margin) => self.guarded(variation, margin),
            None => (decided.today.verdict.into(), decided.since),
        };
        let lift = effect.and_then(|effect| lift(&effect));
        let told = ComparisonResult {
            difference: effect
                .ok()
                .map(|effect| [effect.difference, effect.interval.lower, effect.interval.upper]),
            lift: lift.ok(),
            interval_confidence: effect.ok().map(|_| self.confidence()),
            decided: verdict,
            decided_on: since.and_then(|day| self.sums.days.get(day)).map(|day| date(*day)),
            p_value: None,
            reason: lift.err(),
            series: self.series(variation),
        };
        let is_secondary = self.measure.about.role == MetricRole::Secondary;
        if is_secondary { told.not_judged() } else { told }
    }

    /// How sure credible intervals are: they are not corrected.
    fn confidence(&self) -> f64 {
        1.0 - self.beliefs.alpha.get()
    }

    fn series(&self, variation: usize) -> Vec<DayComparison> {
        let question = (direction(self.measure), self.beliefs.alpha);
        let days = self.days.iter().enumerate();
        let each = days.map(|(place, day)| {
            let lift = day.effect(variation, question).and_then(|effect| lift(&effect));
            day_comparison(self.sums, (place, variation), (lift, self.confidence()))
        });
        each.collect()
    }

    /// What is said of a guardrail today, and the day since when without a break.
    fn guarded(&self, variation: usize, margin: f64) -> (ComparisonVerdict, Option<usize>) {
        let multiplier = credible_multiplier(self.beliefs.alpha);
        let looks = self.days.iter().map(|day| Ok((day.look(variation)?, multiplier)));
        let judged = judged_today(looks, margin, direction(self.measure));
        (judged.verdict, judged.at)
    }

    /// What is decided of each variation today, and since when without a break.
    fn decided(&self) -> Vec<Decided> {
        let nothing = || vec![Decided::NOTHING; self.sums.last().len()];
        let mut days = self.days.iter().enumerate().rev();
        if self.measure.about.role != MetricRole::Primary {
            return nothing();
        }
        let Some((today, belief)) = days.next() else { return nothing() };
        let judged = self.judged(today, belief).into_iter();
        let mut all: Vec<_> = judged.map(|judgement| Decided::on(today, judgement)).collect();
        for (day, belief) in days {
            if all.iter().all(|decided| !decided.is_open) {
                break;
            }
            for (decided, judgement) in all.iter_mut().zip(self.judged(day, belief)) {
                decided.go_back_to(day, judgement);
            }
        }
        all
    }

    fn judged(&self, day: usize, belief: &DayBelief) -> Vec<Judgement> {
        let BayesianSetting { alpha, tolerated_loss, judged_from, .. } = self.beliefs;
        if judged_from.is_none_or(|from| self.sums.days[day] < from) {
            return vec![Judgement::NONE; belief.variations.len()];
        }
        BayesianRule { alpha, tolerated_loss }.judge(&belief.variations, direction(self.measure))
    }
}

/// What is decided of a variation.
#[derive(Clone, Copy)]
struct Decided {
    today: Judgement,
    /// The first day of those until today that said the same.
    since: Option<usize>,
    /// Whether an earlier day may have said the same.
    is_open: bool,
}

impl Decided {
    const NOTHING: Self = Self { today: Judgement::NONE, since: None, is_open: false };

    fn on(today: usize, judgement: Judgement) -> Self {
        let is_open = judgement.verdict != Verdict::Inconclusive;
        Self { today: judgement, since: is_open.then_some(today), is_open }
    }

    fn go_back_to(&mut self, day: usize, judgement: Judgement) {
        self.is_open &= judgement.verdict == self.today.verdict;
        if self.is_open {
            self.since = Some(day);
        }
    }
}

/// The lift with the ends of its interval.
pub(super) fn lift(effect: &Effect) -> Result<[f64; 3], NoFigure> {
    lift_beside(effect.lift, effect.difference)
}
