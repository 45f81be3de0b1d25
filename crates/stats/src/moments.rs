//! What is kept of a variation's visitors: sums that can be added up in any order.
//!
//! The unit is the visitor: a visitor has one value per metric, and the sums are over visitors.
//! Every kind of metric turns its sums into a [`Sample`](crate::Sample).

use crate::{NoFigure, Sample};

/// The sums of a metric with one value per visitor, such as revenue or a number of events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// How many visitors.
    pub visitors: u64,
    /// The sum of their values.
    pub sum: f64,
    /// The sum of the squares of their values.
    pub sum_squares: f64,
}

impl Moments {
    /// The sums over the visitors of both.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            visitors: self.visitors + other.visitors,
            sum: self.sum + other.sum,
            sum_squares: self.sum_squares + other.sum_squares,
        }
    }

    /// The mean per visitor.
    ///
    /// # Errors
    /// There are no visitors.
    pub fn mean(&self) -> Result<f64, NoFigure> {
        if self.visitors == 0 { Err(NoFigure::NoVisitors) } else { Ok(self.sum / count(self)) }
    }

    /// The variance between visitors, with `n − 1`.
    ///
    /// # Errors
    /// There are fewer than two visitors, or no values can have these sums.
    pub fn variance(&self) -> Result<f64, NoFigure> {
        self.mean()?;
        if self.visitors < 2 {
            return Err(NoFigure::TooFewVisitors);
        }
        let scatter = self.sum_squares - self.sum * self.sum / count(self);
        let rounding = ROUNDING * self.sum_squares.abs();
        if !scatter.is_finite() || scatter < -1000.0 * rounding {
            return Err(NoFigure::ImpossibleSums);
        }
        Ok(if scatter <= rounding { 0.0 } else { scatter / (count(self) - 1.0) })
    }

    /// The sample of a metric that is the mean of these values.
    ///
    /// # Errors
    /// There is no mean or no variance.
    pub fn sample(&self) -> Result<Sample, NoFigure> {
        Sample::new(self.visitors, self.mean()?, self.variance()?)
    }
}

/// What the rounding of exact sums may leave of a scatter of zero.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

fn count(moments: &Moments) -> f64 {
    number(moments.visitors)
}

/// A count as a number; exact up to 2^53 visitors.
#[expect(clippy::cast_precision_loss, reason = "no store holds 2^53 visitors")]
pub(crate) fn number(visitors: u64) -> f64 {
    visitors as f64
}

/// The sums of a metric that a visitor has or has not reached, such as a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversions {
    /// How many visitors.
    pub visitors: u64,
    /// How many of them converted.
    pub converted: u64,
}

impl Conversions {
    /// The sums over the visitors of both.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            visitors: self.visitors + other.visitors,
            converted: self.converted + other.converted,
        }
    }

    /// The share that converted.
    ///
    /// # Errors
    /// There are no visitors, or fewer visitors than conversions.
    pub fn rate(&self) -> Result<f64, NoFigure> {
        if self.visitors == 0 {
            return Err(NoFigure::NoVisitors);
        }
        if self.converted > self.visitors {
            return Err(NoFigure::ImpossibleSums);
        }
        Ok(number(self.converted) / number(self.visitors))
    }

    /// The sample of the rate: its variance per visitor is `p (1 − p)`.
    ///
    /// # Errors
    /// There is no rate.
    pub fn sample(&self) -> Result<Sample, NoFigure> {
        let rate = self.rate()?;
        Sample::new(self.visitors, rate, rate * (1.0 - rate))
    }

    /// The same as sums of a value that is one or zero.
    #[must_use]
    pub fn moments(&self) -> Moments {
        let sum = number(self.converted);
        Moments { visitors: self.visitors, sum, sum_squares: sum }
    }
}

/// The sums of two values per visitor: of a ratio, or of a metric and its covariate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairMoments {
    /// The sums of the first value: a ratio's numerator, or the metric.
    pub first: Moments,
    /// The sums of the second value: a ratio's denominator, or the covariate.
    pub second: Moments,
    /// The sum of the products of the two.
    pub sum_products: f64,
}

impl PairMoments {
    /// The sums over the visitors of both.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            first: self.first.merge(other.first),
            second: self.second.merge(other.second),
            sum_products: self.sum_products + other.sum_products,
        }
    }

    /// The covariance between visitors, with `n − 1`.
    ///
    /// # Errors
    /// There are fewer than two visitors, or the two values are of different visitors.
    pub fn covariance(&self) -> Result<f64, NoFigure> {
        if self.first.visitors != self.second.visitors {
            return Err(NoFigure::ImpossibleSums);
        }
        if self.first.visitors < 2 {
            return Err(NoFigure::TooFewVisitors);
        }
        let visitors = count(&self.first);
        Ok((self.sum_products - self.first.sum * self.second.sum / visitors) / (visitors - 1.0))
    }

    /// The variance of the first value minus so many times the second, with `n − 1`. Zero where no more
    /// is left of it than the rounding of the sums may leave: evidence would be without bounds.
    ///
    /// # Errors
    /// There are fewer than two visitors, or no values can have these sums.
    pub(crate) fn variance_without(&self, slope: f64) -> Result<f64, NoFigure> {
        let Self { first, second, sum_products } = self;
        let variance = first.variance()? - 2.0 * slope * self.covariance()?
            + slope * slope * second.variance()?;
        let squares = first.sum_squares
            + 2.0 * (slope * sum_products).abs()
            + slope * slope * second.sum_squares;
        let rounding = 2.0 * ROUNDING * squares.abs() / (count(first) - 1.0);
        Ok(if variance <= rounding { 0.0 } else { variance })
    }
}
