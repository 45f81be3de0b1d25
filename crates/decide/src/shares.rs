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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Shares, WHOLE};
    use crate::bucketing::Bucket;

    /// How many points each share has, and how many belong to no share.
    fn points(shares: &Shares) -> (Vec<u32>, u32) {
        let mut points = vec![0; shares.ends().len()];
        let mut unshared = 0;
        for bucket in Bucket::all() {
            match shares.place_of(bucket) {
                Some(place) => points[place] += 1,
                None => unshared += 1,
            }
        }
        (points, unshared)
    }

    proptest! {
        #[test]
        fn each_share_has_the_points_of_its_weight(weights in prop::collection::vec(0..4_000_u16, 0..8)) {
            let (points, unshared) = points(&Shares::weighted(weights.iter().copied()));

            let mut left = WHOLE;
            for (points, weight) in points.iter().zip(&weights) {
                prop_assert_eq!(*points, u32::from(*weight).min(left), "of {:?}", weights);
                left -= points;
            }
            prop_assert_eq!(unshared, left);
        }

        #[test]
        fn equal_shares_are_equal_but_for_the_last_which_has_the_rest(count in 1..200_usize) {
            let (points, unshared) = points(&Shares::equal(count));

            prop_assert_eq!((points.len(), unshared), (count, 0));
            let (last, others) = points.split_last().unwrap();
            prop_assert!(others.iter().all(|one| *one == others[0]));
            prop_assert!(*last >= others.first().copied().unwrap_or_default());
            prop_assert!((*last as usize) < WHOLE as usize / count + count);
        }
    }

    #[test]
    fn no_shares_leave_all_points_free() {
        assert_eq!(points(&Shares::equal(0)), (vec![], WHOLE));
        assert_eq!(points(&Shares::weighted([])), (vec![], WHOLE));
    }
}
