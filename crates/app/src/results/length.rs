//! How long an experiment has to run, before it starts.

use serde::Serialize;
use stats::{Alpha, NoFigure, Plan, Power, Split, Target, TunedFor};

/// A number has no more digits that mean something.
const DECIMALS_AT_MOST: usize = 15;

/// Weights of variations: fewer compare nothing, more are no experiment.
const VARIATIONS: std::ops::RangeInclusive<usize> = 2..=100;

/// What an experiment is to find.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LengthQuestion {
    /// The primary metric as it is today.
    pub today: Today,
    /// The smallest relative effect worth finding: `0.05` is 5 % more.
    pub minimum_effect: f64,
    /// The visitors of the campaign on a day, if they are known.
    pub visitors_per_day: Option<f64>,
    /// How visitors are split.
    pub variations: PlannedVariations,
    /// The probability to find the effect, if it is there.
    pub power: f64,
    /// How sure intervals are: `0.95`.
    pub confidence: f64,
}

/// A metric without any change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Today {
    /// The share of visitors who convert.
    Share(f64),
    /// What visitors have on average, such as revenue.
    Mean {
        /// The mean of all visitors, also of those who have nothing.
        mean: f64,
        /// The standard deviation between visitors.
        deviation: f64,
    },
}

/// How visitors are split among variations. The comparison of the control with the variation that has the smallest weight takes the longest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedVariations {
    count: usize,
    control: f64,
    smallest: f64,
    all: f64,
}

impl PlannedVariations {
    /// So many, with the control; each gets the same share.
    #[must_use]
    pub fn even(count: u16) -> Self {
        Self { count: count.into(), control: 1.0, smallest: 1.0, all: f64::from(count) }
    }

    /// By their weights, the control's first, as people write them: `80/10/10`. In a text without strokes, commas and spaces separate weights.
    #[must_use]
    pub fn of_weights(text: &str) -> Option<Self> {
        let has_strokes = text.contains('/');
        let parts =
            text.split(
                |sign: char| {
                    if has_strokes { sign == '/' } else { sign == ',' || sign.is_whitespace() }
                },
            );
        let parts = parts.map(str::trim).filter(|part| has_strokes || !part.is_empty());
        let weight = |part: &str| {
            let number = part.trim_end_matches('%').trim_end().replace(',', ".");
            number.parse().ok().filter(|weight: &f64| *weight > 0.0 && weight.is_finite())
        };
        let weights: Vec<f64> = parts.map(weight).collect::<Option<_>>()?;
        let (control, others) = weights.split_first()?;
        let smallest = others.iter().copied().min_by(f64::total_cmp)?;
        let all: f64 = weights.iter().sum();
        (VARIATIONS.contains(&weights.len()) && all.is_finite()).then_some(Self {
            count: weights.len(),
            control: *control,
            smallest,
            all,
        })
    }

    /// How many, with the control.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    fn split(&self) -> Option<Split> {
        Split::new(self.control / self.all, self.smallest / self.all)
    }

    /// The visitors of all, when the control and the smallest have so many together.
    fn visitors_of_all(&self, visitors_of_two: u64) -> Option<u64> {
        #[expect(clippy::cast_precision_loss, reason = "plans have 1e15 visitors at most")]
        let all = (visitors_of_two as f64 * self.all / (self.control + self.smallest)).ceil();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the number is checked to be one that a number of visitors can have"
        )]
        (0.0..=1e18).contains(&all).then_some(all as u64)
    }
}

impl Default for LengthQuestion {
    /// What most people ask.
    fn default() -> Self {
        Self {
            today: Today::Share(0.05),
            minimum_effect: 0.1,
            visitors_per_day: None,
            variations: PlannedVariations::even(2),
            power: 0.8,
            confidence: 0.95,
        }
    }
}

impl LengthQuestion {
    /// What is to be found, in words. The two figures have as many digits as tell them apart, and two after the point at least.
    #[must_use]
    pub fn sought(&self) -> String {
        let (today, unit, of) = match self.today {
            Today::Share(share) => (share * 100.0, " %", ""),
            Today::Mean { mean, .. } => (mean, "", "a mean of "),
        };
        let found = today * (1.0 + self.minimum_effect);
        let (mut decimals, mut difference) = (2, (found - today).abs() * 100.0);
        while difference < 0.999 && decimals < DECIMALS_AT_MOST {
            (decimals, difference) = (decimals + 1, difference * 10.0);
        }
        format!("To find {of}{found:.decimals$}{unit} instead of {today:.decimals$}{unit}")
    }

    fn target(&self) -> Result<Target, NoFigure> {
        match self.today {
            Today::Share(share) => Target::rate(share, self.minimum_effect),
            Today::Mean { mean, deviation } if deviation > 0.0 => {
                Target::mean(mean, deviation * deviation, self.minimum_effect)
            }
            Today::Mean { .. } => Err(NoFigure::ImpossiblePlan),
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
/// No number of visitors answers the question: a share is not between zero and one, a mean or a deviation is zero, there is no effect, or
/// there are fewer than two variations.
pub fn experiment_length(question: &LengthQuestion) -> Result<ExperimentLength, NoFigure> {
    let LengthQuestion { variations, power, confidence, .. } = *question;
    let comparisons = u32::try_from(variations.count.saturating_sub(1)).unwrap_or(0);
    let level = (1.0 - confidence) / f64::from(comparisons);
    let plan = Plan {
        target: question.target()?,
        split: variations.split().ok_or(NoFigure::ImpossiblePlan)?,
        power: Power::new(power).ok_or(NoFigure::ImpossiblePlan)?,
        alpha: Alpha::new(level).ok_or(NoFigure::ImpossiblePlan)?,
    };
    let length = |visitors_of_two: u64| -> Result<MethodLength, NoFigure> {
        let days = question.visitors_per_day.map(|per_day| plan.days(visitors_of_two, per_day));
        let visitors = variations.visitors_of_all(visitors_of_two);
        let visitors = visitors.ok_or(NoFigure::ImpossiblePlan)?;
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
    use super::{LengthQuestion, PlannedVariations, Today};

    #[test]
    fn figures_have_the_digits_that_tell_them_apart() {
        let sought = |today, minimum_effect| {
            LengthQuestion { today, minimum_effect, ..LengthQuestion::default() }.sought()
        };
        let of_share = |share, effect| sought(Today::Share(share), effect);

        assert_eq!(of_share(0.05, 0.05), "To find 5.25 % instead of 5.00 %");
        assert_eq!(of_share(0.000_000_1, 0.05), "To find 0.0000105 % instead of 0.0000100 %");
        assert_eq!(of_share(0.5, -0.000_1), "To find 49.995 % instead of 50.000 %");
        assert_eq!(of_share(0.1, 1.0), "To find 20.00 % instead of 10.00 %");
        let order = Today::Mean { mean: 12.4, deviation: 31.0 };
        assert_eq!(sought(order, 0.05), "To find a mean of 13.02 instead of 12.40");
    }

    #[test]
    fn weights_are_read_as_people_write_them() {
        for text in ["80/10/10", "80, 10, 10", "8 1 1", "80% / 10% / 10%", "0.8,0.1,0.1"] {
            let variations = PlannedVariations::of_weights(text).unwrap();

            assert_eq!(variations.count(), 3, "{text}");
            assert_eq!(variations.visitors_of_all(900), Some(1_000), "{text}");
        }
        assert_eq!(PlannedVariations::of_weights("33,3/33,3/33,3").unwrap().count(), 3);
        for none in ["", "100", "50/0", "50/-50", "50//50", "a/b", "1e999/1", &"1/".repeat(101)] {
            assert_eq!(PlannedVariations::of_weights(none), None, "{none}");
        }
    }
}
