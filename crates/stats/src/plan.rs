//! How many visitors an experiment needs, and how many days.

use crate::moments::number;
use crate::special::{bisect, normal};
use crate::{Alpha, ConfidenceSequence, NoFigure, PlannedVisitors, Power, TunedFor};

/// A metric as it is before the experiment, and the smallest effect worth finding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    difference: f64,
    control_variance: f64,
    variation_variance: f64,
}

impl Target {
    /// A rate of `baseline` that is to grow by the share `relative_effect`, or to fall if it is negative.
    ///
    /// # Errors
    /// A rate is not between zero and one, or there is no effect.
    pub fn rate(baseline: f64, relative_effect: f64) -> Result<Self, NoFigure> {
        let variation = baseline * (1.0 + relative_effect);
        let is_rate = |rate: f64| rate > 0.0 && rate < 1.0;
        if !is_rate(baseline) || !is_rate(variation) {
            return Err(NoFigure::ImpossiblePlan);
        }
        Self {
            difference: variation - baseline,
            control_variance: baseline * (1.0 - baseline),
            variation_variance: variation * (1.0 - variation),
        }
        .checked()
    }

    /// A mean of `baseline` with the `variance` between visitors.
    ///
    /// # Errors
    /// The mean or the effect is zero, or the variance is not a positive number.
    pub fn mean(baseline: f64, variance: f64, relative_effect: f64) -> Result<Self, NoFigure> {
        Self {
            difference: baseline * relative_effect,
            control_variance: variance,
            variation_variance: variance,
        }
        .checked()
    }

    fn checked(self) -> Result<Self, NoFigure> {
        let variance = self.control_variance + self.variation_variance;
        let is_possible = self.difference.is_finite()
            && self.difference != 0.0
            && variance.is_finite()
            && self.control_variance > 0.0;
        if is_possible { Ok(self) } else { Err(NoFigure::ImpossiblePlan) }
    }
}

/// The shares of all visitors of a campaign that reach the control and the variation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    control: f64,
    variation: f64,
}

impl Split {
    /// Half of the visitors each.
    pub const EVEN: Self = Self { control: 0.5, variation: 0.5 };

    /// None unless both shares are positive and not above one together.
    #[must_use]
    pub fn new(control: f64, variation: f64) -> Option<Self> {
        let is_possible = control > 0.0 && variation > 0.0 && control + variation <= 1.0;
        is_possible.then_some(Self { control, variation })
    }

    /// The share of both together.
    fn both(self) -> f64 {
        self.control + self.variation
    }
}

/// A plan: find the target with this power at this level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// What to find.
    pub target: Target,
    /// How visitors are split.
    pub split: Split,
    /// With which probability to find it.
    pub power: Power,
    /// At which level.
    pub alpha: Alpha,
}

/// No experiment has as many visitors.
const MOST_VISITORS: f64 = 1e15;

impl Plan {
    /// The visitors of control and variation together for one look at the end:
    /// `(z_{1 − α/2} + z_power)² V₁ / d²`, where `V₁ / N` is the variance of the difference.
    #[must_use]
    pub fn visitors_for_one_look(&self) -> f64 {
        let z = normal::upper_quantile(0.5 * self.alpha.get()) + self.power_quantile();
        z * z * self.variance_per_visitor() / (self.target.difference * self.target.difference)
    }

    /// The same, in whole visitors.
    ///
    /// # Errors
    /// No experiment has as many visitors.
    pub fn visitors_for_fixed_horizon(&self) -> Result<u64, NoFigure> {
        whole(self.visitors_for_one_look())
    }

    /// The visitors for the hybrid method: as for one look, at the level of the last look.
    ///
    /// # Errors
    /// No experiment has as many visitors.
    pub fn visitors_for_hybrid(&self) -> Result<PlannedVisitors, NoFigure> {
        let at_end = Self { alpha: self.alpha.part(0.9), ..*self };
        whole(at_end.visitors_for_one_look()).map(PlannedVisitors)
    }

    /// The visitors at which an always-valid interval excludes zero with the planned power: the
    /// smallest `N` with `(k(N) + z_power) √(V₁ / N) ≤ d`. Many experiments end before.
    ///
    /// # Errors
    /// No experiment has as many visitors.
    pub fn visitors_for_always_valid(&self, tuned_for: TunedFor) -> Result<u64, NoFigure> {
        let sequence = ConfidenceSequence::new(self.alpha, tuned_for);
        let deviation = self.variance_per_visitor().sqrt() / self.target.difference.abs();
        let excess = |visitors: f64| {
            visitors.sqrt() - (sequence.multiplier(visitors) + self.power_quantile()) * deviation
        };
        if excess(MOST_VISITORS) < 0.0 {
            return Err(NoFigure::ImpossiblePlan);
        }
        whole(bisect(1.0, MOST_VISITORS, excess))
    }

    /// The days until `visitors` of control and variation came, of all the campaign's visitors a day.
    ///
    /// # Errors
    /// No visitor comes.
    pub fn days(&self, visitors: u64, campaign_visitors_per_day: f64) -> Result<u64, NoFigure> {
        let per_day = campaign_visitors_per_day * self.split.both();
        if per_day > 0.0 {
            whole(number(visitors) / per_day)
        } else {
            Err(NoFigure::ImpossiblePlan)
        }
    }

    fn power_quantile(&self) -> f64 {
        normal::quantile(self.power.get())
    }

    /// `V₁`: the variance of the difference times the visitors of both.
    fn variance_per_visitor(&self) -> f64 {
        let parts = self.target.control_variance / self.split.control
            + self.target.variation_variance / self.split.variation;
        parts * self.split.both()
    }
}

/// Rounds up to whole visitors or days.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is checked to be between zero and 1e15"
)]
fn whole(value: f64) -> Result<u64, NoFigure> {
    let rounded = value.ceil();
    let is_possible = (0.0..=MOST_VISITORS).contains(&rounded);
    if is_possible { Ok(rounded as u64) } else { Err(NoFigure::ImpossiblePlan) }
}
