//! Shares of visitors in basis points: 10000 is every visitor.

use std::fmt;

use serde::Serialize;

/// A share of visitors, 0 to 10000 hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct BasisPoints(u16);

impl BasisPoints {
    /// No visitor.
    pub const ZERO: Self = Self(0);
    /// Every visitor.
    pub const ALL: Self = Self(10_000);

    /// A share that is known to be one: `basis_points` is 10000 at most.
    pub(crate) const fn of(basis_points: u16) -> Self {
        assert!(basis_points <= Self::ALL.0);
        Self(basis_points)
    }

    /// The share with this many basis points; `None` above 10000.
    #[must_use]
    pub fn new(basis_points: u16) -> Option<Self> {
        (basis_points <= Self::ALL.0).then_some(Self(basis_points))
    }

    /// The share as a number, 0 to 10000.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }

    /// Reads `12.5%`: up to 100 percent with up to two decimals. `None` for anything else.
    #[must_use]
    pub fn from_percent(text: &str) -> Option<Self> {
        let number = text.strip_suffix('%')?.trim_end();
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let is_number = |digits: &str, most: usize| {
            (1..=most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_number(whole, 3) || !is_number(decimals, 2) {
            return None;
        }
        let hundredths: u16 = format!("{decimals:0<2}").parse().ok()?;
        whole.parse::<u16>().ok()?.checked_mul(100)?.checked_add(hundredths).and_then(Self::new)
    }
}

impl fmt::Display for BasisPoints {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_has_at_most_two_decimals() {
        for (text, basis_points) in [
            ("0%", 0),
            ("12.5%", 1250),
            ("12.05%", 1205),
            ("100%", 10_000),
            ("100.00%", 10_000),
            ("7 %", 700),
        ] {
            assert_eq!(BasisPoints::from_percent(text), Some(BasisPoints(basis_points)), "{text}");
        }
        for text in ["", "%", "12", "12.345%", "100.01%", "-1%", ".5%", "5.%", "1e1%", "999%"] {
            assert_eq!(BasisPoints::from_percent(text), None, "{text}");
        }
    }
}
