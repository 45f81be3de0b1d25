//! What of a visitor's events a metric counts.

/// How the events of a visitor become their value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// One, if there is any.
    Once,
    /// The sum of what each counts.
    All,
}

/// The rule of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// How events add up.
    pub counting: Counting,
    /// For how many hours after the first exposure; for ever, if nothing is said.
    pub window_hours: Option<u32>,
    /// The most that a visitor's value can be, either way: one reseller is no result.
    pub cap: Option<u64>,
    /// How many days before the first exposure are the second value, to be compared with (CUPED). For ratios, the second value is the
    /// denominator, so they have no such days.
    pub covariate_days: Option<u32>,
}

impl Rule {
    /// Each visitor once, whenever it is.
    pub const CONVERSION: Self =
        Self { counting: Counting::Once, window_hours: None, cap: None, covariate_days: None };

    /// All that a visitor does, whenever it is.
    pub const SUM: Self = Self { counting: Counting::All, ..Self::CONVERSION };

    /// The value of a visitor whose events add up to this.
    pub(crate) fn value(self, total: i128) -> i128 {
        let value = match self.counting {
            Counting::Once => i128::from(total != 0),
            Counting::All => total,
        };
        match self.cap {
            Some(cap) => value.clamp(-i128::from(cap), i128::from(cap)),
            None => value,
        }
    }
}
