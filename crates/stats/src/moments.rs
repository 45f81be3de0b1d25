//! What is kept of a variation's visitors: sums that can be added up in any order.
//!
//! The unit is the visitor: a visitor has one value per metric, and the sums are over visitors.
//! Every kind of metric turns its sums into a [`Sample`](crate::Sample).

use crate::scatter::{number_of_whole, scatter};
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
    /// The sum of the squares of their distances from the mean. Where values are large and alike, the two sums have too few digits for it.
    scatter: f64,
}

/// The exact sums of whole values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WholeSums {
    /// The sum of the values.
    pub sum: i128,
    /// The sum of the squares of the values.
    pub sum_squares: i128,
}

impl Moments {
    /// Of sums as other tools have them. Where they have too few digits for a spread, there is none.
    #[must_use]
    pub fn of_sums(visitors: u64, sum: f64, sum_squares: f64) -> Self {
        let distance = if visitors == 0 { 0.0 } else { sum * sum / number(visitors) };
        let (scatter, rounding) = (sum_squares - distance, ROUNDING * sum_squares.abs());
        let is_rounding = (-1000.0 * rounding..=rounding).contains(&scatter);
        let scatter = if is_rounding { 0.0 } else { scatter };
        Self { visitors, sum, sum_squares, scatter }
    }

    /// Of the sums of whole values, with all digits that the variance has.
    #[must_use]
    pub fn of_whole(visitors: u64, whole: WholeSums) -> Self {
        let WholeSums { sum, sum_squares } = whole;
        Self {
            visitors,
            sum: number_of_whole(sum),
            sum_squares: number_of_whole(sum_squares),
            scatter: scatter(visitors, [sum, sum], sum_squares),
        }
    }

    /// The same in units of which one is so many.
    #[must_use]
    pub fn in_units(self, per_unit: f64) -> Self {
        Self {
            visitors: self.visitors,
            sum: self.sum / per_unit,
            sum_squares: self.sum_squares / per_unit / per_unit,
            scatter: self.scatter / per_unit / per_unit,
        }
    }

    /// The sums over the visitors of both.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        let between = between([&self, &other], [&self, &other]);
        Self {
            visitors: self.visitors + other.visitors,
            sum: self.sum + other.sum,
            sum_squares: self.sum_squares + other.sum_squares,
            scatter: self.scatter + other.scatter + between,
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
        if !self.scatter.is_finite() || self.scatter < 0.0 {
            return Err(NoFigure::ImpossibleSums);
        }
        Ok(self.scatter / (count(self) - 1.0))
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

/// What the distance between the means of two groups adds to the scatter of both together, or to what two values have in common (Chan, Golub and others,
/// "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances", 1979).
fn between(first: [&Moments; 2], second: [&Moments; 2]) -> f64 {
    let [one, other] = first.map(count);
    if one == 0.0 || other == 0.0 {
        return 0.0;
    }
    let distance = |groups: [&Moments; 2]| {
        let [one, other] = groups.map(|group| group.sum / count(group));
        let distance = one - other;
        // The same mean, twice rounded.
        if distance.abs() <= ROUNDING * one.abs() { 0.0 } else { distance }
    };
    distance(first) * distance(second) * one * (other / (one + other))
}

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
        let sum = i128::from(self.converted);
        Moments::of_whole(self.visitors, WholeSums { sum, sum_squares: sum })
    }
}

/// The sums of two values per visitor: of a ratio, or of a metric and its covariate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairMoments {
    /// The sums of the first value: a ratio's numerator, or the metric.
    pub first: Moments,
    /// The sums of the second value: a ratio's denominator, or the covariate.
    pub second: Moments,
    /// The sum of the products of the distances of the two from their means.
    common: f64,
}

impl PairMoments {
    /// Of sums as other tools have them.
    #[must_use]
    pub fn of_sums(first: Moments, second: Moments, sum_products: f64) -> Self {
        let visitors = count(&first).max(1.0);
        Self { first, second, common: sum_products - first.sum * second.sum / visitors }
    }

    /// Of the sums of whole values and of their products.
    #[must_use]
    pub fn of_whole(visitors: u64, [first, second]: [WholeSums; 2], sum_products: i128) -> Self {
        Self {
            first: Moments::of_whole(visitors, first),
            second: Moments::of_whole(visitors, second),
            common: scatter(visitors, [first.sum, second.sum], sum_products),
        }
    }

    /// The same in units of which one is so many.
    #[must_use]
    pub fn in_units(self, (per_first, per_second): (f64, f64)) -> Self {
        Self {
            first: self.first.in_units(per_first),
            second: self.second.in_units(per_second),
            common: self.common / per_first / per_second,
        }
    }

    /// The sums over the visitors of both.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        let between = between([&self.first, &other.first], [&self.second, &other.second]);
        Self {
            first: self.first.merge(other.first),
            second: self.second.merge(other.second),
            common: self.common + other.common + between,
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
        Ok(self.common / (count(&self.first) - 1.0))
    }

    /// The variance of the first value minus so many times the second, with `n − 1`. Zero where no more
    /// is left of it than the rounding of the sums may leave: evidence would be without bounds.
    ///
    /// # Errors
    /// There are fewer than two visitors, or no values can have these sums.
    pub(crate) fn variance_without(&self, slope: f64) -> Result<f64, NoFigure> {
        let variances = self.first.variance()? + slope * slope * self.second.variance()?;
        let common = 2.0 * slope * self.covariance()?;
        let (variance, rounding) =
            (variances - common, 2.0 * ROUNDING * (variances + common.abs()));
        Ok(if variance <= rounding { 0.0 } else { variance })
    }
}
