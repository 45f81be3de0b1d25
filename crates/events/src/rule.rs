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
        let cap = self.cap.map_or(MOST, i128::from);
        within(value, cap.min(MOST))
    }

    /// The second value of a visitor, to whom no cap applies.
    pub(crate) fn second_value(total: i128) -> i128 {
        within(total, MOST)
    }
}

/// What a visitor's value can be at most, either way, with any cap: a stranger who sends absurd values makes the sums of a metric absurd, but
/// cannot make them too large, so that there would be no results at all. In millionths, this is ten billion.
const MOST: i128 = 10_000_000_000_000_000;

fn within(value: i128, most: i128) -> i128 {
    value.clamp(-most, most)
}
