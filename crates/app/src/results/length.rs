//! How long an experiment has to run, before it starts.

use serde::Serialize;
use stats::{Alpha, NoFigure, Plan, Power, Split, Target, TunedFor};

/// What an experiment is to find.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LengthQuestion {
    /// The share of visitors who convert today.
    pub baseline: f64,
    /// The smallest relative effect worth finding: `0.05` is 5 % more.
    pub minimum_effect: f64,
    /// The visitors of the campaign on a day, if they are known.
    pub visitors_per_day: Option<f64>,
    /// All variations, with the control; each gets the same share.
    pub variations: u16,
    /// The probability to find the effect, if it is there.
    pub power: f64,
    /// How sure intervals are: `0.95`.
    pub confidence: f64,
}

impl Default for LengthQuestion {
    /// What most people ask.
    fn default() -> Self {
        Self {
            baseline: 0.05,
            minimum_effect: 0.1,
            visitors_per_day: None,
            variations: 2,
            power: 0.8,
            confidence: 0.95,
        }
    }
}

/// How long it has to run, by each method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ExperimentLength {
    /// With intervals that are valid at every look. Many experiments end before.
    pub always_valid: MethodLength,
    /// With looks at any time and a planned end, at which intervals are sharper.
    pub hybrid: MethodLength,
    /// With one look, at the planned end.
    pub fixed_horizon: MethodLength,
}

/// How long it has to run by a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MethodLength {
    /// The visitors of all variations together.
    pub visitors: u64,
    /// The days until they came, if it is known how many come on a day.
    pub days: Option<u64>,
}

/// How long an experiment has to run. With more than two variations, the level is divided among the comparisons: the verdict on the first
/// winner needs that much.
///
/// # Errors
/// No number of visitors answers the question: a share is not between zero and one, there is no effect, or there are fewer than two
/// variations.
pub fn experiment_length(question: &LengthQuestion) -> Result<ExperimentLength, NoFigure> {
    let LengthQuestion { baseline, minimum_effect, variations, power, confidence, .. } = *question;
    let comparisons = variations.checked_sub(1).filter(|others| *others > 0);
    let comparisons = f64::from(comparisons.ok_or(NoFigure::ImpossiblePlan)?);
    let share = 1.0 / f64::from(variations);
    let plan = Plan {
        target: Target::rate(baseline, minimum_effect)?,
        split: Split::new(share, share).ok_or(NoFigure::ImpossiblePlan)?,
        power: Power::new(power).ok_or(NoFigure::ImpossiblePlan)?,
        alpha: Alpha::new((1.0 - confidence) / comparisons).ok_or(NoFigure::ImpossiblePlan)?,
    };
    let length = |visitors_of_two: u64| -> Result<MethodLength, NoFigure> {
        let days = question.visitors_per_day.map(|per_day| plan.days(visitors_of_two, per_day));
        let visitors = u128::from(visitors_of_two) * u128::from(variations);
        let visitors = u64::try_from(visitors.div_ceil(2)).unwrap_or(u64::MAX);
        Ok(MethodLength { visitors, days: days.transpose()? })
    };
    Ok(ExperimentLength {
        always_valid: length(plan.visitors_for_always_valid(TunedFor::WITHOUT_PLAN)?)?,
        hybrid: length(plan.visitors_for_hybrid()?.0)?,
        fixed_horizon: length(plan.visitors_for_fixed_horizon()?)?,
    })
}
