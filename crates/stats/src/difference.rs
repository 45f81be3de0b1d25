//! The difference between a variation and the control, with its standard error.

use crate::{Interval, NoFigure, Sample};

/// An estimate of an effect. Every method makes an interval and evidence of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The effect: variation minus control, or that as a share of the control's mean.
    pub estimate: f64,
    /// The standard error of the estimate.
    pub standard_error: f64,
    /// The visitors of both.
    pub visitors: f64,
    /// The degrees of freedom of Welch and Satterthwaite (Welch, Biometrika 34, 1947).
    pub degrees_of_freedom: f64,
}

impl Difference {
    /// The difference of the means.
    ///
    /// # Errors
    /// All visitors of a variation have the same value, or there is only one.
    pub fn absolute(control: &Sample, variation: &Sample) -> Result<Self, NoFigure> {
        refuse_unknown_variance(control, variation)?;
        let variance = control.variance_of_mean() + variation.variance_of_mean();
        Ok(Self {
            estimate: variation.mean() - control.mean(),
            standard_error: variance.sqrt(),
            visitors: control.visitors_as_number() + variation.visitors_as_number(),
            degrees_of_freedom: degrees_of_freedom(control, variation),
        })
    }

    /// The difference of the means as a share of the control's mean, with the variance of the delta
    /// method (Deng, Knoblich, Lu, KDD 2018). Intervals of relative effects are better by
    /// [`Lift`](crate::Lift): this one is symmetric, which few conversions are not.
    ///
    /// # Errors
    /// The control's mean is zero, or all visitors of a variation have the same value.
    pub fn relative(control: &Sample, variation: &Sample) -> Result<Self, NoFigure> {
        let baseline = control.unadjusted_mean();
        if baseline == 0.0 {
            return Err(NoFigure::ZeroBaseline);
        }
        let absolute = Self::absolute(control, variation)?;
        let ratio = variation.unadjusted_mean() / baseline;
        let scaled_variance =
            variation.variance_of_mean() + control.variance_of_mean() * ratio * ratio;
        Ok(Self {
            estimate: absolute.estimate / baseline,
            standard_error: scaled_variance.sqrt() / baseline.abs(),
            ..absolute
        })
    }

    /// How many standard errors the estimate is from zero.
    #[must_use]
    pub fn z(&self) -> f64 {
        self.estimate / self.standard_error
    }

    /// The interval that reaches `multiplier` standard errors to both sides.
    #[must_use]
    pub fn interval(&self, multiplier: f64) -> Interval {
        Interval::around(self.estimate, multiplier * self.standard_error)
    }
}

fn refuse_unknown_variance(control: &Sample, variation: &Sample) -> Result<(), NoFigure> {
    if control.variance() <= 0.0 || variation.variance() <= 0.0 {
        Err(NoFigure::ZeroVariance)
    } else if control.visitors() < 2 || variation.visitors() < 2 {
        Err(NoFigure::TooFewVisitors)
    } else {
        Ok(())
    }
}

fn degrees_of_freedom(control: &Sample, variation: &Sample) -> f64 {
    let share =
        |sample: &Sample| sample.variance_of_mean().powi(2) / (sample.visitors_as_number() - 1.0);
    let whole = control.variance_of_mean() + variation.variance_of_mean();
    whole * whole / (share(control) + share(variation))
}
