//! Shares: how the 10,000 points are divided among variations, experiments or campaigns.

use crate::bucketing::Bucket;

/// All points there are, in basis points.
const WHOLE: u32 = 10_000;

/// Shares side by side from point 0 on, each known by its end. Points beyond the last end
/// belong to no share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shares {
    ends: Vec<u32>,
}

impl Shares {
    /// Shares of these weights in basis points, in this order. Points beyond 10,000 are never
    /// drawn.
    pub fn weighted(weights: impl IntoIterator<Item = u16>) -> Self {
        let ends = weights.into_iter().scan(0, |end: &mut u32, weight| {
            *end = end.saturating_add(u32::from(weight));
            Some(*end)
        });
        Self { ends: ends.collect() }
    }

    /// `count` equal shares of everything; the last one also takes what rounding leaves.
    #[must_use]
    pub fn equal(count: usize) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let Some(each) = WHOLE.checked_div(count) else {
            return Self { ends: Vec::new() };
        };
        let inner_ends = (1..count).map(|place| place * each);
        Self { ends: inner_ends.chain([WHOLE]).collect() }
    }

    /// The place of the share that holds this point, or nothing if it is in none.
    #[must_use]
    pub fn place_of(&self, bucket: Bucket) -> Option<usize> {
        self.ends.iter().position(|end| u32::from(bucket.get()) < *end)
    }

    /// The cumulative ends of the shares in basis points.
    #[must_use]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }
}
