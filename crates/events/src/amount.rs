//! Values of events as whole numbers, so that sums do not depend on the order in which they are added.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A value in millionths: `19.99` is 19,990,000.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Amount(i64);

/// What is no amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum UnreadableAmount {
    /// No decimal number.
    #[error("this is not a decimal number, such as 19.99")]
    NoNumber,
    /// Further from zero than an amount may be.
    #[error("this is further from zero than {LARGEST}")]
    TooLarge,
}

/// More than an order costs in any currency. Its millionths are far below 2^53, so a JSON number has them all (RFC 8259, section 6).
const LARGEST: f64 = 1e9;

/// How many of them are one.
const PER_UNIT: f64 = 1e6;

impl Amount {
    /// The nearest amount, the one further from zero at a half: what `round(value * 1e6)` is in SQL.
    ///
    /// # Errors
    /// See [`UnreadableAmount`].
    pub fn from_number(value: f64) -> Result<Self, UnreadableAmount> {
        if !value.is_finite() {
            return Err(UnreadableAmount::NoNumber);
        }
        if value.abs() > LARGEST {
            return Err(UnreadableAmount::TooLarge);
        }
        #[expect(clippy::cast_possible_truncation, reason = "the amount is small and rounded")]
        Ok(Self((value * PER_UNIT).round() as i64))
    }

    /// The amount that a store has as so many millionths.
    #[must_use]
    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// So many millionths.
    #[must_use]
    pub const fn millionths(self) -> i64 {
        self.0
    }
}

/// Decimal numbers as spreadsheets have them: `19.99`, `-3`.
impl FromStr for Amount {
    type Err = UnreadableAmount;

    fn from_str(text: &str) -> Result<Self, UnreadableAmount> {
        Self::from_number(text.parse().map_err(|_| UnreadableAmount::NoNumber)?)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, sign) = (self.0.unsigned_abs(), if self.0 < 0 { "-" } else { "" });
        let text = format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000);
        formatter.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Amount, UnreadableAmount};

    proptest! {
        #[test]
        fn every_price_is_what_it_says(cents in -100_000_000_000_i64..100_000_000_000) {
            let (size, sign) = (cents.abs(), if cents < 0 { "-" } else { "" });
            let written = format!("{sign}{}.{:02}", size / 100, size % 100);

            let amount: Amount = written.parse().unwrap();

            prop_assert_eq!(amount.millionths(), cents * 10_000);
            prop_assert_eq!(amount.to_string().parse(), Ok(amount));
        }
    }

    #[test]
    fn a_text_that_is_no_amount_is_refused() {
        for (text, expected) in [
            ("", UnreadableAmount::NoNumber),
            ("12,50", UnreadableAmount::NoNumber),
            ("NaN", UnreadableAmount::NoNumber),
            ("inf", UnreadableAmount::NoNumber),
            ("1e400", UnreadableAmount::NoNumber),
            ("1000000000.01", UnreadableAmount::TooLarge),
            ("-1e10", UnreadableAmount::TooLarge),
        ] {
            assert_eq!(text.parse::<Amount>(), Err(expected), "{text}");
        }
    }
}
