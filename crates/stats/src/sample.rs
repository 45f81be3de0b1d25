//! A variation in three figures: how many visitors, their mean, and the variance between them.

use crate::NoFigure;
use crate::moments::number;

/// What all methods need of a variation, whatever the kind of its metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    visitors: u64,
    mean: f64,
    variance: f64,
    unadjusted_mean: f64,
}

impl Sample {
    /// A sample of `visitors` with this mean and this variance between visitors.
    ///
    /// # Errors
    /// There are no visitors, or a figure is not finite, or the variance is negative.
    pub fn new(visitors: u64, mean: f64, variance: f64) -> Result<Self, NoFigure> {
        Self::adjusted(visitors, mean, variance, mean)
    }

    /// A sample whose mean was adjusted, for example by CUPED, from `unadjusted_mean`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn adjusted(
        visitors: u64,
        mean: f64,
        variance: f64,
        unadjusted_mean: f64,
    ) -> Result<Self, NoFigure> {
        if visitors == 0 {
            return Err(NoFigure::NoVisitors);
        }
        let is_possible = mean.is_finite() && unadjusted_mean.is_finite() && variance.is_finite();
        if !is_possible || variance < 0.0 {
            return Err(NoFigure::ImpossibleSums);
        }
        Ok(Self { visitors, mean, variance, unadjusted_mean })
    }

    /// How many visitors.
    #[must_use]
    pub fn visitors(&self) -> u64 {
        self.visitors
    }

    /// The mean per visitor.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The variance between visitors.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The mean before any adjustment.
    #[must_use]
    pub fn unadjusted_mean(&self) -> f64 {
        self.unadjusted_mean
    }

    /// The same with a variance, if all its visitors have one value: that of the visitors of both together, as if nothing differed.
    /// That none of ten thousand does something is evidence, which a variance of zero would make infinite, and none at all refuses.
    #[must_use]
    pub fn or_spread_of_both(self, other: &Self) -> Self {
        if self.variance > 0.0 {
            return self;
        }
        Self { variance: self.variance_of_both(other), ..self }
    }

    /// The same with the variance of the visitors of both together at least, if it has a quarter as many as the other or fewer; from there to
    /// half as many, with less and less of what is missing to that. Where most have nothing and few have much, a small sample without any of
    /// these has a low mean and a low variance at once, and seems sure of a loss. In samples of a like size, both do, and the errors cancel.
    #[must_use]
    pub fn with_spread_of_larger(self, other: &Self) -> Self {
        let size = self.visitors_as_number() / other.visitors_as_number();
        let weight = (2.0 - 4.0 * size).clamp(0.0, 1.0);
        if weight <= 0.0 || self.variance <= 0.0 {
            return self;
        }
        let missing = (self.variance_of_both(other) - self.variance).max(0.0);
        Self { variance: self.variance + weight * missing, ..self }
    }

    /// The variance of the visitors of both together, as if nothing differed.
    fn variance_of_both(&self, other: &Self) -> f64 {
        let share =
            self.visitors_as_number() / (self.visitors_as_number() + other.visitors_as_number());
        let distance = self.mean - other.mean;
        let others = other.variance + share * distance * distance;
        share * self.variance + (1.0 - share) * others
    }

    /// The variance of the mean: the variance between visitors by their number.
    #[must_use]
    pub fn variance_of_mean(&self) -> f64 {
        self.variance / self.visitors_as_number()
    }

    pub(crate) fn visitors_as_number(&self) -> f64 {
        number(self.visitors)
    }
}
