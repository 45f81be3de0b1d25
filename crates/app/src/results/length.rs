//! How long an experiment has to run, before it starts.

use serde::Serialize;
use stats::{Alpha, NoFigure, Plan, Power, Split, Target, TunedFor};

/// A number has no more digits that mean something.
const DECIMALS_AT_MOST: usize = 15;

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

impl LengthQuestion {
    /// What is to be found, in words. The two shares have as many digits as tell them apart, and two after the point at least.
    #[must_use]
    pub fn sought(&self) -> String {
        let today = self.baseline * 100.0;
        let found = self.baseline * (1.0 + self.minimum_effect) * 100.0;
        let (mut decimals, mut difference) = (2, (found - today).abs() * 100.0);
        while difference < 0.999 && decimals < DECIMALS_AT_MOST {
            (decimals, difference) = (decimals + 1, difference * 10.0);
        }
        format!("To find {found:.decimals$} % instead of {today:.decimals$} %")
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

#[cfg(test)]
mod tests {
    use super::LengthQuestion;

    #[test]
    fn shares_have_the_digits_that_tell_them_apart() {
        let sought = |baseline, minimum_effect| {
            LengthQuestion { baseline, minimum_effect, ..LengthQuestion::default() }.sought()
        };

        assert_eq!(sought(0.05, 0.05), "To find 5.25 % instead of 5.00 %");
        assert_eq!(sought(0.000_000_1, 0.05), "To find 0.0000105 % instead of 0.0000100 %");
        assert_eq!(sought(0.5, -0.000_1), "To find 49.995 % instead of 50.000 %");
        assert_eq!(sought(0.1, 1.0), "To find 20.00 % instead of 10.00 %");
    }
}
