//! The plan of a campaign: how surely its effect is to be found, when it ends, and how long that takes at today's traffic.

use domain::{BasisPoints, Campaign, GoodDirection, Plan, PlanMethod};
use events::{Day, Sums};
use jiff::civil::Date;
use stats::{Alpha, LIFT_DEVIATION, Method, NoFigure, PlannedVisitors, Power, Split, Target};

use crate::results::bayesian::BayesianSetting;
use crate::results::comparisons::Tests;
use crate::results::dataset::Dataset;
use crate::results::day_sums::{DaySums, date, number};
use crate::results::figures::Summed;
use crate::results::metrics::Measure;
use crate::results::packed_exposures::Exposures;
use crate::results::report::{IntervalMethod, MetricKind, MetricRole, PlanReport};
use crate::results::samples::control;
use crate::results::setting::Setting;
use crate::results::weights::Epochs;

/// Visitors of so many days are today's traffic: a week has its quiet days.
const DAYS_OF_TRAFFIC: u16 = 7;

/// The always-valid part of the method is made for so many visitors, as it is without a plan: what the plan needs is estimated on the way,
/// and must not bend the rule by which it is looked at.
const TUNED_FOR: PlannedVisitors = PlannedVisitors(10_000);

/// The control's spread, by which a plan ends, is not to be read off fewer visitors: two of them may be alike by chance.
const CONTROL_AT_LEAST: u64 = 100;

/// When a plan ends.
#[derive(Clone, Copy)]
pub(super) struct PlannedEnd {
    /// The last day whose visitors count.
    pub(super) last_day: Option<Day>,
    /// Whether it is over.
    pub(super) is_over: bool,
}

impl PlannedEnd {
    /// The end that the plan names. What is measured elsewhere is over if anything happened on the last day, or if that is past when it is read.
    pub(super) fn of(campaign: &Campaign, newest: Option<Day>, measured: &Dataset) -> Self {
        let until = campaign.plan.as_ref().and_then(|plan| plan.until);
        let last_day = until.map(|until| Day::from(until.date()));
        let is_past = |day: Option<Day>, last: Day| day.is_some_and(|day| day > last);
        let is_over = last_day.is_some_and(|last| match measured.today {
            Some(today) => today > last,
            None => newest.is_some_and(|it| it >= last) || is_past(measured.read_on, last),
        });
        Self { last_day, is_over }
    }

    /// The last day, if some of these came later.
    pub(super) fn leaving_out(self, exposures: &Exposures) -> Option<Day> {
        self.last_day.filter(|_| exposures.iter().any(|shown| !self.counts(shown.at.day())))
    }

    /// Whether what happened on a day counts.
    pub(super) fn counts(self, day: Day) -> bool {
        self.last_day.is_none_or(|last| day <= last)
    }
}

/// The plan with what is known of the experiment.
pub(super) struct Course<'p> {
    plan: &'p Plan,
    end: PlannedEnd,
    alpha: Alpha,
    /// The variation that gets the fewest visitors, and its share and the control's of all.
    slowest: usize,
    split: Split,
    /// How many comparisons share the level.
    comparisons: f64,
}

impl<'p> Course<'p> {
    /// Of a comparison with these metrics; none without a plan.
    pub(super) fn of(
        campaign: &'p Campaign,
        epochs: &Epochs,
        end: PlannedEnd,
        all: &[Summed],
    ) -> Option<Self> {
        let plan = campaign.plan.as_ref()?;
        let weights = epochs.newest().iter().copied();
        let total: f64 = weights.clone().sum();
        let others = weights.clone().enumerate().skip(1).filter(|(_, weight)| *weight > 0.0);
        let (slowest, weight) =
            others.clone().min_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or((1, 0.0));
        let primary = all.iter().filter(|one| one.role() == MetricRole::Primary).map(|_| 1.0);
        let comparisons = others.map(|_| 1.0).sum::<f64>() * primary.sum::<f64>();
        let control = weights.clone().next().unwrap_or_default();
        Some(Self {
            plan,
            end,
            alpha: Alpha::new(1.0 - share(plan.confidence)).unwrap_or(Alpha::FIVE_PERCENT),
            slowest,
            split: Split::new(control / total, weight / total).unwrap_or(Split::EVEN),
            comparisons: comparisons.max(1.0),
        })
    }

    /// How variations are compared: the plan ends on its day, or on the first one that is over and by whose end it has its visitors.
    pub(super) fn setting(&self, all: &[Summed], today: Option<Day>) -> Setting {
        let method = match self.plan.method {
            PlanMethod::Hybrid => Method::Hybrid(TUNED_FOR),
            PlanMethod::FixedHorizon => Method::FixedHorizon(TUNED_FOR),
            PlanMethod::Bayesian => return Setting::Bayesian(self.beliefs(all)),
        };
        let ended = match self.end.last_day {
            Some(last) => self.end.is_over.then_some(last),
            None => self.reached(all).filter(|day| today.is_none_or(|today| *day < today)),
        };
        Setting::Tested(Tests { method, alpha: self.alpha, ended })
    }

    /// A Bayesian plan ends with its day alone. Before that, it is judged from the day on by whose end it has its visitors.
    fn beliefs(&self, all: &[Summed]) -> BayesianSetting {
        let ended = self.end.last_day.filter(|_| self.end.is_over);
        let judged_from = match self.plan.effect {
            Some(_) => self.reached(all).or(ended),
            None => Some(Day(i32::MIN)),
        };
        let tolerated_loss = share(self.plan.max_loss.unwrap_or(Plan::DEFAULT_MAX_LOSS));
        BayesianSetting { alpha: self.alpha, tolerated_loss, judged_from, ended }
    }

    fn reached(&self, all: &[Summed]) -> Option<Day> {
        let (measure, sums) = lead(all)?;
        (0..sums.days.len())
            .find(|place| {
                let needed = self.needed(measure, &sums.sums[*place]);
                needed.is_ok_and(|needed| self.have(&sums.sums[*place]) >= needed)
            })
            .map(|place| sums.days[place])
    }

    /// The visitors of the control and the slowest variation.
    fn have(&self, variations: &[Sums]) -> u64 {
        [0, self.slowest]
            .iter()
            .filter_map(|variation| variations.get(*variation))
            .map(|sums| sums.visitors)
            .sum()
    }

    /// How many of these the effect needs, if the control stays as it is.
    fn needed(&self, measure: &Measure, variations: &[Sums]) -> Result<u64, NoFigure> {
        self.visitors_for(&self.planned(measure, variations)?)
    }

    fn visitors_for(&self, plan: &stats::Plan) -> Result<u64, NoFigure> {
        match self.plan.method {
            PlanMethod::Hybrid => Ok(plan.visitors_for_hybrid()?.0),
            PlanMethod::FixedHorizon | PlanMethod::Bayesian => plan.visitors_for_fixed_horizon(),
        }
    }

    /// How the plan has intervals made.
    pub(super) fn method(&self) -> IntervalMethod {
        match self.plan.method {
            PlanMethod::Hybrid => IntervalMethod::Hybrid,
            PlanMethod::FixedHorizon => IntervalMethod::FixedHorizon,
            PlanMethod::Bayesian => IntervalMethod::Bayesian,
        }
    }

    fn planned(&self, measure: &Measure, variations: &[Sums]) -> Result<stats::Plan, NoFigure> {
        let effect = self.plan.effect.map(share).ok_or(NoFigure::ImpossiblePlan)?;
        let effect = match measure.about.good {
            GoodDirection::Up => effect,
            GoodDirection::Down => -effect,
        };
        let control = control(measure, variations)?;
        if control.visitors() < CONTROL_AT_LEAST {
            return Err(NoFigure::TooFewVisitors);
        }
        let target = match measure.about.kind {
            MetricKind::Conversion => Target::rate(control.unadjusted_mean(), effect)?,
            MetricKind::Count
            | MetricKind::Sum
            | MetricKind::Revenue
            | MetricKind::Mean
            | MetricKind::Ratio
            | MetricKind::Quantile => Target::mean(control.mean(), control.variance(), effect)?,
        };
        Ok(stats::Plan {
            target,
            split: self.split,
            power: Power::new(share(self.plan.power)).unwrap_or(Power::EIGHTY_PERCENT),
            alpha: Alpha::new(self.alpha.get() / self.comparisons).unwrap_or(self.alpha),
        })
    }

    /// What is told of the plan: `today` is the day by which visitors came.
    pub(super) fn report(
        &self,
        all: &[Summed],
        visitors: &DaySums,
        (setting, today): (Setting, Day),
    ) -> PlanReport {
        let shows = lead(all).ok_or(NoFigure::ImpossiblePlan).and_then(|(measure, sums)| {
            let plan = self.planned(measure, sums.last())?;
            let needed = self.visitors_for(&plan)?;
            let missing = needed.saturating_sub(self.have(sums.last()));
            let days = match missing {
                0 => Ok(0),
                _ => plan.days(missing, per_day(visitors, today)),
            };
            Ok((needed, days))
        });
        let (needed, days) =
            shows.map_or_else(|reason| (None, Err(reason)), |(needed, days)| (Some(needed), days));
        let days = days.and_then(|days| i32::try_from(days).map_err(|_| NoFigure::ImpossiblePlan));
        let shows_by = days.map(|days| Day(today.0.saturating_add(days)));
        let is_awaited = self.plan.effect.is_some() && setting.ended().is_none();
        let is_judged = match setting {
            Setting::Bayesian(beliefs) => beliefs.judged_from.is_some(),
            Setting::Tested(_) => false,
        };
        PlanReport {
            effect: self.plan.effect.map(share),
            power: share(self.plan.power),
            until: self.plan.until.map(|until| until.to_string()),
            ended_on: setting.ended().map(date),
            needed_visitors: needed,
            shows_by: shows_by.ok().filter(|_| is_awaited && !is_judged).map(date),
            reason: shows_by.err().filter(|_| self.plan.effect.is_some()),
            tolerated_loss: self.plan.max_loss.map(share),
            prior_deviation: self.plan.max_loss.map(|_| LIFT_DEVIATION),
        }
    }
}

fn share(points: BasisPoints) -> f64 {
    f64::from(points.get()) / 10_000.0
}

/// The first primary metric, by which a plan is made.
fn lead(all: &[Summed]) -> Option<(&Measure, &DaySums)> {
    let lead = all.iter().find(|one| one.role() == MetricRole::Primary)?;
    Some((&lead.measured.0, &lead.measured.1))
}

/// The new visitors of a day, on average of the last ones that are over; of the first one, those who have come so far.
fn per_day(visitors: &DaySums, today: Day) -> f64 {
    let until = |last: i32| -> u64 {
        let place = visitors.days.iter().rposition(|day| day.0 <= last);
        let variations = place.map_or(&[][..], |place| &visitors.sums[place]);
        variations.iter().map(|sums| sums.visitors).sum()
    };
    let first = visitors.days.first().map_or(today.0, |day| day.0);
    let last = today.0.saturating_sub(1).max(first);
    let from = last.saturating_sub(i32::from(DAYS_OF_TRAFFIC) - 1).max(first);
    let came = until(last).saturating_sub(until(from.saturating_sub(1)));
    number(came) / f64::from(last - from + 1)
}

/// A day as a sentence has it: `3 December`, with its year if that is another one.
pub(super) fn day_in_words(day: &str, today: Day) -> String {
    let Ok(day) = day.parse::<Date>() else { return day.to_owned() };
    let form = if day.year() == today.date().year() { "%-d %B" } else { "%-d %B %Y" };
    day.strftime(form).to_string()
}
