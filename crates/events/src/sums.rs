//! Sums over visitors, exact.

use stats::{Conversions, Moments, PairMoments, WholeSums};
use thiserror::Error;

/// What is known of a group of visitors: how many, and sums over their values. Sums of groups add up to those of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many visitors.
    pub visitors: u64,
    /// The sum of their values.
    pub first: i128,
    /// The sum of the squares of these.
    pub first_squares: i128,
    /// The sum of their second values: of a ratio's denominators, or of what was before.
    pub second: i128,
    /// The sum of the squares of these.
    pub second_squares: i128,
    /// The sum of the products of both values.
    pub products: i128,
}

/// Values whose sums cannot be told exactly: squares of such values are beyond 2^127.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the values are too large to be added up exactly")]
pub struct TooLarge;

/// The values of one visitor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) first: i128,
    pub(crate) second: i128,
}

impl Sums {
    /// The sums over the visitors of both groups.
    ///
    /// # Errors
    /// [`TooLarge`]
    pub fn merge(self, other: Self) -> Result<Self, TooLarge> {
        Ok(Self {
            visitors: self.visitors.checked_add(other.visitors).ok_or(TooLarge)?,
            first: added(self.first, other.first)?,
            first_squares: added(self.first_squares, other.first_squares)?,
            second: added(self.second, other.second)?,
            second_squares: added(self.second_squares, other.second_squares)?,
            products: added(self.products, other.products)?,
        })
    }

    /// Adds what the sums grow by when the values of a visitor who is counted already change.
    pub(crate) fn change(&mut self, from: Values, to: Values) -> Result<(), TooLarge> {
        let grown = |to: Result<i128, TooLarge>, from: Result<i128, TooLarge>| {
            to?.checked_sub(from?).ok_or(TooLarge)
        };
        let square = |value| product(value, value);
        *self = self.merge(Self {
            visitors: 0,
            first: grown(Ok(to.first), Ok(from.first))?,
            first_squares: grown(square(to.first), square(from.first))?,
            second: grown(Ok(to.second), Ok(from.second))?,
            second_squares: grown(square(to.second), square(from.second))?,
            products: grown(product(to.first, to.second), product(from.first, from.second))?,
        })?;
        Ok(())
    }

    /// The sums of a metric that a visitor has or has not reached.
    #[must_use]
    pub fn conversions(&self) -> Conversions {
        Conversions { visitors: self.visitors, converted: u64::try_from(self.first).unwrap_or(0) }
    }

    /// The sums of the first value, in units of which one is so many.
    #[must_use]
    pub fn moments(&self, per_unit: f64) -> Moments {
        let [first, _] = self.whole();
        Moments::of_whole(self.visitors, first).in_units(per_unit)
    }

    /// The sums of both values, in their units.
    #[must_use]
    pub fn pair(&self, units: (f64, f64)) -> PairMoments {
        PairMoments::of_whole(self.visitors, self.whole(), self.products).in_units(units)
    }

    fn whole(&self) -> [WholeSums; 2] {
        [(self.first, self.first_squares), (self.second, self.second_squares)]
            .map(|(sum, sum_squares)| WholeSums { sum, sum_squares })
    }
}

fn added(one: i128, other: i128) -> Result<i128, TooLarge> {
    one.checked_add(other).ok_or(TooLarge)
}

fn product(one: i128, other: i128) -> Result<i128, TooLarge> {
    one.checked_mul(other).ok_or(TooLarge)
}
