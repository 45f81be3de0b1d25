//! A variation against the control over the days of an experiment: what a results page shows.

use crate::special::{normal, student};
use crate::{
    Alpha, ConfidenceSequence, Difference, Hybrid, Interval, Lift, NoFigure, PValue,
    PlannedVisitors, Sample, Stage, Test, TunedFor,
};

/// How intervals and evidence are made. It is chosen before the first look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Valid at every look, without a plan. The default.
    AlwaysValid(TunedFor),
    /// Valid at every look, and sharper at the planned end.
    Hybrid(PlannedVisitors),
    /// Valid at the planned end alone: there is no p-value at other looks.
    FixedHorizon(PlannedVisitors),
}

impl Default for Method {
    fn default() -> Self {
        Self::AlwaysValid(TunedFor::WITHOUT_PLAN)
    }
}

/// One look: all visitors so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The control so far.
    pub control: Sample,
    /// The variation so far.
    pub variation: Sample,
}

/// The figures of one look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The difference of the means.
    pub difference: Difference,
    /// Its interval.
    pub interval: Interval,
    /// The relative effect with its interval, or why there is none.
    pub lift: Result<Lift, NoFigure>,
    /// The evidence against no effect, or why there is none at this look.
    pub p_value: Result<PValue, NoFigure>,
}

/// A method at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    method: Method,
    alpha: Alpha,
    share: f64,
}

impl Comparison {
    /// Compares by `method` at the level `alpha`.
    #[must_use]
    pub fn new(method: Method, alpha: Alpha) -> Self {
        Self { method, alpha, share: 1.0 }
    }

    /// The same rule with wider intervals, at the level `share × α`, for a share of at most one. P-values
    /// stay as they are. See [`discovery_share`](crate::discovery_share).
    #[must_use]
    pub fn at_share(self, share: f64) -> Self {
        Self { share: share.clamp(f64::MIN_POSITIVE, 1.0), ..self }
    }

    /// The figures of all looks, earliest first; a look without them says why.
    #[must_use]
    pub fn series(&self, looks: &[Result<Look, NoFigure>]) -> Vec<Result<Figures, NoFigure>> {
        let mut visitors_before = 0.0;
        let figures = |look: &Result<Look, NoFigure>| {
            let look = (*look)?;
            let figures = self.figures(&look, visitors_before)?;
            visitors_before = figures.difference.visitors;
            Ok(figures)
        };
        looks.iter().map(figures).collect()
    }

    /// The figures of one look; `visitors_before` is the number at the look before, zero at the first.
    ///
    /// # Errors
    /// All visitors of a variation have the same value.
    pub fn figures(&self, look: &Look, visitors_before: f64) -> Result<Figures, NoFigure> {
        let visitors = Difference::absolute(&look.control, &look.variation)?.visitors;
        self.figures_at(self.stage(visitors_before, visitors), look)
    }

    /// The figures of one look at a stage that is told: the plan may end on a day, however many visitors came by then.
    ///
    /// # Errors
    /// All visitors of a variation have the same value.
    pub fn figures_at(&self, stage: Stage, look: &Look) -> Result<Figures, NoFigure> {
        let difference = Difference::absolute(&look.control, &look.variation)?;
        let multiplier = self.multiplier(&difference, stage);
        Ok(Figures {
            difference,
            interval: difference.interval(multiplier),
            lift: Lift::new(&look.control, &look.variation, multiplier),
            p_value: self.p_value(&difference, stage),
        })
    }

    /// Where a look lies in the plan; a method without one has no end.
    fn stage(&self, visitors_before: f64, visitors: f64) -> Stage {
        match self.method {
            Method::AlwaysValid(_) => Stage::Before,
            Method::Hybrid(planned) | Method::FixedHorizon(planned) => {
                planned.stage(visitors_before, visitors)
            }
        }
    }

    /// How many standard errors the interval reaches to both sides.
    #[must_use]
    pub fn multiplier(&self, difference: &Difference, stage: Stage) -> f64 {
        let visitors = difference.visitors;
        match self.method {
            Method::AlwaysValid(tuned_for) => {
                let sequence = ConfidenceSequence::new(self.alpha, tuned_for);
                sequence.at_share(self.share).multiplier(visitors)
            }
            Method::Hybrid(planned) => {
                let hybrid = Hybrid::new(self.alpha, planned).at_share(self.share);
                hybrid.multiplier(stage, visitors)
            }
            Method::FixedHorizon(_) => {
                let tail = 0.5 * self.alpha.part(self.share).get();
                let freedom = difference.degrees_of_freedom;
                if freedom.is_finite() {
                    student::upper_quantile(tail, freedom)
                } else {
                    normal::upper_quantile(tail)
                }
            }
        }
    }

    fn p_value(&self, difference: &Difference, stage: Stage) -> Result<PValue, NoFigure> {
        match self.method {
            Method::AlwaysValid(tuned_for) => {
                Ok(ConfidenceSequence::new(self.alpha, tuned_for).p_value(difference))
            }
            Method::Hybrid(planned) => {
                Ok(Hybrid::new(self.alpha, planned).p_value(stage, difference))
            }
            Method::FixedHorizon(_) => match stage {
                Stage::Before => Err(NoFigure::BeforePlannedEnd),
                Stage::End => Ok(Test::welch(difference, self.alpha).p_value),
                Stage::After => Err(NoFigure::AfterPlannedEnd),
            },
        }
    }
}
