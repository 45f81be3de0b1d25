//! A visitor as results know them: a number that cannot be turned back into the id without the project's key.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::search::Search;

/// A visitor of a project: the first 63 bits of a SHA-256 of the project's key for events and the visitor's id, so that it fits into the
/// signed integers of every store. Of a hundred million visitors, one in some two thousand projects mixes up two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Visitor(i64);

/// Some visitors, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visitors(Vec<Visitor>);

/// Asks for one visitor after the other, soonest in their order.
#[derive(Debug)]
pub struct VisitorSearch<'v>(Search<'v, Visitor>);

impl Visitors {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Begins to ask who is among them.
    #[must_use]
    pub fn search(&self) -> VisitorSearch<'_> {
        VisitorSearch(Search::new(&self.0, |visitor| *visitor))
    }
}

impl FromIterator<Visitor> for Visitors {
    fn from_iter<I: IntoIterator<Item = Visitor>>(visitors: I) -> Self {
        let mut all: Vec<Visitor> = Vec::new();
        // One who comes again and again takes no more memory.
        for visitor in visitors {
            if all.last() != Some(&visitor) {
                all.push(visitor);
            }
        }
        // Stable, since that only merges what is in order already, as in files.
        all.sort();
        all.dedup();
        all.shrink_to_fit();
        Self(all)
    }
}

impl VisitorSearch<'_> {
    /// Whether this one is among them.
    pub fn has(&mut self, visitor: Visitor) -> bool {
        self.0.find(visitor).is_some()
    }
}

impl Visitor {
    /// The visitor with this id in the project with this key.
    #[must_use]
    pub fn of(key: &[u8; 32], id: &str) -> Self {
        let digest = Sha256::new().chain_update(key).chain_update(id).finalize();
        let mut start = [0; 8];
        start.copy_from_slice(&digest[..8]);
        Self((u64::from_be_bytes(start) >> 1).cast_signed())
    }

    /// The visitor that a store knows by this number.
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// The number, for a store: never negative.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Visitor;

    #[test]
    fn a_visitor_is_the_same_in_a_project_and_another_one_elsewhere() {
        let (shop, blog) = ([1; 32], [2; 32]);

        assert_eq!(Visitor::of(&shop, "oeu1"), Visitor::of(&shop, "oeu1"));
        assert_ne!(Visitor::of(&shop, "oeu1"), Visitor::of(&shop, "oeu2"));
        assert_ne!(Visitor::of(&shop, "oeu1"), Visitor::of(&blog, "oeu1"));
        assert!(
            (0..1_000).all(|number: u32| Visitor::of(&shop, &number.to_string()).number() >= 0)
        );
    }
}
