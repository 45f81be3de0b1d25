//! Bucketing: a visitor falls on one of 10,000 points, always the same one for the same entity.
//! [`crate::Shares`] says whose point it is.

use crate::murmur3::murmur3_x86_32;

/// Points on the line that shares divide; one point is one basis point.
const POINTS: u64 = 10_000;

/// A visitor's point for one entity, 0..=9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bucket(u16);

impl Bucket {
    /// The point itself, 0..=9999.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }

    /// Whether the point is one of the first `share` basis points, as a holdback asks.
    #[must_use]
    pub fn is_within(self, share: u16) -> bool {
        self.0 < share
    }

    /// Every point there is.
    #[cfg(test)]
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..10_000).map(Self)
    }
}

/// The bucket of a visitor, by the id of its entity. Draws for different entities are
/// independent of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Draw<'a> {
    /// Which variation of this experiment.
    Variation(&'a str),
    /// Whether this campaign holds the visitor back.
    Holdback(&'a str),
    /// Whether the project holds the visitor back from all of its campaigns.
    ProjectHoldback,
    /// Which of the eligible experiments of this personalization campaign.
    Experiment(&'a str),
    /// Which campaign of this group of mutually exclusive ones.
    Group(&'a str),
}

impl<'a> Draw<'a> {
    fn entity_id(self) -> &'a str {
        match self {
            Self::Variation(id) | Self::Holdback(id) | Self::Experiment(id) | Self::Group(id) => id,
            // The text instead of a campaign's id: see docs/decisions/0004-buckets-are-compatible.md.
            Self::ProjectHoldback => "null",
        }
    }

    /// A seed of its own keeps the holdback independent of what else is drawn with the campaign's
    /// id.
    fn seed(self) -> u32 {
        match self {
            Self::Holdback(_) | Self::ProjectHoldback => 0,
            Self::Variation(_) | Self::Experiment(_) | Self::Group(_) => 1,
        }
    }
}

/// The visitor's point for this draw: the hash of visitor id and entity id in UTF-8, scaled down to
/// 10,000 points.
///
/// ```
/// use decide::{Draw, bucket};
///
/// assert_eq!(bucket("visitor-1", Draw::Variation("2001")).get(), 4858);
/// ```
#[must_use]
pub fn bucket(visitor_id: &str, draw: Draw<'_>) -> Bucket {
    let text = [visitor_id, draw.entity_id()].concat();
    Bucket(scale(murmur3_x86_32(text.as_bytes(), draw.seed())))
}

#[expect(clippy::cast_possible_truncation, reason = "a hash below 2^32 scales to below 10,000")]
fn scale(hash: u32) -> u16 {
    ((u64::from(hash) * POINTS) >> u32::BITS) as u16
}
