//! The variations against the control, day by day.

use events::Day;
use stats::{
    Alpha, Candidate, Comparison, Decision, Direction, Figures, Lift, Look, Method, NoFigure,
    PValue, Stage, decide, discovery_share,
};

use crate::results::day_sums::{DaySums, date};
use crate::results::guardrail::judged;
use crate::results::metrics::Measure;
use crate::results::report::{ComparisonResult, ComparisonVerdict, DayComparison, MetricRole};
use crate::results::samples::looks;

/// The level of intervals and verdicts without a plan.
pub(super) const ALPHA: Alpha = Alpha::FIVE_PERCENT;

/// How variations are compared by rules that hold an error rate.
#[derive(Clone, Copy)]
pub(super) struct Tests {
    pub(super) method: Method,
    pub(super) alpha: Alpha,
    /// The day on which the plan ended: nothing is looked at later.
    pub(super) ended: Option<Day>,
}

impl Tests {
    /// Without a plan.
    pub(super) const ALWAYS_VALID: Self = Self {
        method: Method::AlwaysValid(stats::TunedFor::WITHOUT_PLAN),
        alpha: ALPHA,
        ended: None,
    };

    fn comparison(self) -> Comparison {
        Comparison::new(self.method, self.alpha)
    }

    /// How sure an interval at this share of the level is.
    pub(super) fn confidence(self, share: f64) -> f64 {
        1.0 - self.alpha.get() * share
    }

    /// Where each look lies in the plan; the last one is at its end, if it ended.
    fn stages(self, looks: usize) -> impl Iterator<Item = Stage> {
        (1..=looks).map(move |look| {
            if look == looks && self.ended.is_some() { Stage::End } else { Stage::Before }
        })
    }

    /// The looks that may be taken: with a fixed horizon, the one at the planned end.
    pub(super) fn allowed(self, looks: Vec<Result<Look, NoFigure>>) -> Vec<Result<Look, NoFigure>> {
        match self.method {
            Method::AlwaysValid(_) | Method::Hybrid(_) => looks,
            Method::FixedHorizon(_) => {
                let stages = self.stages(looks.len());
                let each = looks.into_iter().zip(stages);
                each.map(|(look, stage)| match stage {
                    Stage::End => look,
                    Stage::Before | Stage::After => Err(NoFigure::BeforePlannedEnd),
                })
                .collect()
            }
        }
    }

    pub(super) fn series(self, looks: &[Result<Look, NoFigure>]) -> Vec<Result<Figures, NoFigure>> {
        let staged = looks.iter().zip(self.stages(looks.len()));
        staged.map(|(look, stage)| self.comparison().figures_at(stage, &(*look)?)).collect()
    }
}

/// A metric with its sums, and with what was known of each variation but the control on each day.
struct Course<'m> {
    measure: &'m Measure,
    sums: &'m DaySums,
    looks: Vec<Vec<Result<Look, NoFigure>>>,
}

/// What each metric says of each variation but the control.
pub(super) fn comparisons(
    measured: &[(Measure, DaySums)],
    tests: Tests,
) -> Vec<Vec<ComparisonResult>> {
    let courses = measured.iter().map(|(measure, sums)| {
        let variations = 1..sums.last().len();
        let looks =
            variations.map(|variation| tests.allowed(looks(measure, sums, variation))).collect();
        Course { measure, sums, looks }
    });
    let courses: Vec<_> = courses.collect();
    let mut decided = Decided::of(&courses, tests);
    courses.iter().map(|course| course.results(tests, &mut decided)).collect()
}

/// What is decided of all primary metrics together.
struct Decided {
    decisions: std::vec::IntoIter<Decision>,
    /// For each day, the share of the level at which intervals agree with the verdicts, by what was known on it.
    shares: Vec<f64>,
}

impl Decided {
    fn of(courses: &[Course<'_>], tests: Tests) -> Self {
        let primary = courses.iter().filter(|course| course.is_primary());
        let series: Vec<_> = primary
            .flat_map(|course| {
                let good = direction(course.measure);
                course.looks.iter().map(move |looks| (tests.series(looks), good))
            })
            .collect();
        let candidates: Vec<_> =
            series.iter().map(|(series, good)| Candidate { series, good: *good }).collect();
        let days = series.iter().map(|(series, _)| series.len()).max().unwrap_or(0);
        let known = |day: usize| -> Vec<PValue> {
            series.iter().map(|(series, _)| p_value(series.get(day))).collect()
        };
        Self {
            decisions: decide(&candidates, tests.alpha).into_iter(),
            shares: (0..days).map(|day| discovery_share(&known(day), tests.alpha)).collect(),
        }
    }
}

impl Course<'_> {
    fn is_primary(&self) -> bool {
        self.measure.about.role == MetricRole::Primary
    }

    fn results(&self, tests: Tests, decided: &mut Decided) -> Vec<ComparisonResult> {
        let shares = if self.is_primary() { decided.shares.as_slice() } else { &[] };
        let each = self.looks.iter().enumerate().map(|(place, looks)| {
            let shown = shown(tests, looks, shares);
            let today = shown.last().copied().unwrap_or(Err(NoFigure::NoVisitors));
            let decision = if self.is_primary() { decided.decisions.next() } else { None };
            let confidence = |day: usize| tests.confidence(share_on(shares, day));
            let series = day_comparisons(&shown, (self.sums, place + 1), confidence);
            let told = result(today, decision.as_ref(), self.sums);
            let interval_confidence =
                told.difference.map(|_| confidence(shown.len().saturating_sub(1)));
            let told = ComparisonResult { interval_confidence, series, ..told };
            if self.measure.about.role == MetricRole::Secondary {
                return told.not_judged();
            }
            let Some(margin) = self.measure.about.margin else { return told };
            let stages = looks.iter().zip(tests.stages(looks.len()));
            let looks = stages.map(|(look, stage)| {
                let look = (*look)?;
                Ok((look, multiplier(tests, &look, stage)?))
            });
            let judged = judged(looks, margin, direction(self.measure));
            let decided_on =
                judged.at.and_then(|day| self.sums.days.get(day)).map(|day| date(*day));
            ComparisonResult { decided: judged.verdict, decided_on, ..told }
        });
        each.collect()
    }
}

fn multiplier(tests: Tests, look: &Look, stage: Stage) -> Result<f64, NoFigure> {
    let difference = stats::Difference::absolute(&look.control, &look.variation)?;
    Ok(tests.comparison().multiplier(&difference, stage))
}

/// Which way the metric should go.
pub(super) fn direction(measure: &Measure) -> Direction {
    match measure.about.good {
        domain::GoodDirection::Up => Direction::Up,
        domain::GoodDirection::Down => Direction::Down,
    }
}

/// The figures of each day as they were shown on it: later evidence makes no interval of an earlier day narrower.
pub(super) fn shown(
    tests: Tests,
    looks: &[Result<Look, NoFigure>],
    shares: &[f64],
) -> Vec<Result<Figures, NoFigure>> {
    let staged = looks.iter().zip(tests.stages(looks.len())).enumerate();
    let figures = staged.map(|(day, (look, stage))| {
        let share = share_on(shares, day);
        tests.comparison().at_share(share).figures_at(stage, &(*look)?)
    });
    figures.collect()
}

/// The share of the level at which the intervals of a day are: the whole level, where no other comparison is judged beside it.
fn share_on(shares: &[f64], day: usize) -> f64 {
    shares.get(day).copied().unwrap_or(1.0)
}

fn day_comparisons(
    shown: &[Result<Figures, NoFigure>],
    (sums, variation): (&DaySums, usize),
    confidence: impl Fn(usize) -> f64,
) -> Vec<DayComparison> {
    let each = shown.iter().enumerate().map(|(day, figures)| {
        let lift = figures.and_then(|figures| lift(&figures));
        day_comparison(sums, (day, variation), (lift, confidence(day)))
    });
    each.collect()
}

/// What was known of a variation at the end of a day.
pub(super) fn day_comparison(
    sums: &DaySums,
    (day, variation): (usize, usize),
    (lift, confidence): (Result<[f64; 3], NoFigure>, f64),
) -> DayComparison {
    let visitors = &sums.sums[day];
    DayComparison {
        day: date(sums.days[day]),
        visitors: [visitors[0].visitors, visitors[variation].visitors],
        lift: lift.ok(),
        interval_confidence: lift.ok().map(|_| confidence),
        reason: lift.err(),
    }
}

/// The lift with the ends of its interval.
pub(super) fn lift(figures: &Figures) -> Result<[f64; 3], NoFigure> {
    lift_beside(figures.lift, figures.difference.estimate)
}

/// The lift beside this difference. They have one sign, unless the control's mean is below zero.
pub(super) fn lift_beside(
    lift: Result<Lift, NoFigure>,
    difference: f64,
) -> Result<[f64; 3], NoFigure> {
    let lift = lift?;
    if lift.estimate * difference < 0.0 {
        return Err(NoFigure::NegativeBaseline);
    }
    let interval = lift.interval?;
    Ok([lift.estimate, interval.lower, interval.upper])
}

pub(super) fn p_value(look: Option<&Result<Figures, NoFigure>>) -> PValue {
    let figures = look.copied().and_then(Result::ok);
    figures.and_then(|figures| figures.p_value.ok()).unwrap_or(PValue::ONE)
}

fn result(
    figures: Result<Figures, NoFigure>,
    decision: Option<&Decision>,
    sums: &DaySums,
) -> ComparisonResult {
    let decided =
        decision.map_or(ComparisonVerdict::Inconclusive, |decision| decision.verdict.into());
    let decided_on = decision.and_then(|decision| sums.days.get(decision.decided_at?));
    let adjusted = decision.map(|decision| decision.adjusted_p_value.get());
    let own = figures.and_then(|figures| figures.p_value);
    let told = ComparisonResult {
        decided,
        decided_on: decided_on.map(|day| date(*day)),
        // Without evidence of today there is that of earlier days, if there is any.
        p_value: match own {
            Ok(own) => Some(adjusted.unwrap_or(own.get())),
            Err(_) => adjusted.filter(|adjusted| *adjusted < 1.0),
        },
        ..ComparisonResult::default()
    };
    let figures = match figures {
        Ok(figures) => figures,
        Err(reason) => return ComparisonResult { reason: Some(reason), ..told },
    };
    let difference = figures.difference.estimate;
    let lift = lift(&figures);
    ComparisonResult {
        difference: Some([difference, figures.interval.lower, figures.interval.upper]),
        lift: lift.ok(),
        reason: lift.err(),
        ..told
    }
}

#[cfg(test)]
mod tests {
    use stats::{Difference, Lift, NoFigure, Sample};

    use super::lift_beside;

    #[test]
    fn a_control_that_loses_has_no_lift() {
        let of = |control: f64, variation: f64| {
            let [control, variation] =
                [control, variation].map(|mean| Sample::new(2_000, mean, 1.0).unwrap());
            let difference = Difference::absolute(&control, &variation).unwrap();
            lift_beside(Lift::new(&control, &variation, 2.0), difference.estimate)
        };

        assert_eq!(of(-6.5, -7.5), Err(NoFigure::NegativeBaseline));
        assert_eq!(of(-6.5, 1.0), Err(NoFigure::NegativeBaseline));
        assert!(of(6.5, 7.5).is_ok_and(|[lift, ..]| lift > 0.0));
        assert!(of(6.5, -1.0).is_ok_and(|[lift, ..]| lift < -1.0));
    }
}
