//! Finds among very many events those that may have been told twice. It needs eight bytes for each, where the events themselves need many times that.

use std::collections::HashSet;

use crate::{EventId, Visitor};

/// A mark for each event that was seen. Those of different events are different, but for one pair among billions.
#[derive(Debug, Default)]
pub struct Seen(Vec<u64>);

/// Events that may have been told twice: all that were, and hardly any other. Whoever needs to be sure compares these few.
#[derive(Debug, Default)]
pub struct Doubtful {
    marks: HashSet<u64>,
    tellings: usize,
}

impl Seen {
    /// Notes an event of a visitor.
    pub fn note(&mut self, visitor: Visitor, id: EventId) {
        self.0.push(mark(visitor, id));
    }

    /// The same in order: who sees a part of the events does this before the parts are put together, and by then it is little work.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.0.sort_unstable();
        self
    }
}

impl Doubtful {
    /// Those that were seen more than once, in one part or in several.
    #[must_use]
    #[expect(clippy::stable_sort_primitive, reason = "it merges what is in order already")]
    pub fn among(parts: impl IntoIterator<Item = Seen>) -> Self {
        let mut all = Vec::new();
        for Seen(mut part) in parts {
            if all.is_empty() {
                all = part;
            } else {
                all.append(&mut part);
            }
        }
        all.sort();
        let (mut marks, mut again) = (HashSet::new(), 0);
        for pair in all.windows(2).filter(|pair| pair[0] == pair[1]) {
            marks.insert(pair[0]);
            again += 1;
        }
        let tellings = again + marks.len();
        Self { marks, tellings }
    }

    /// How many of what was seen are doubtful.
    #[must_use]
    pub fn tellings(&self) -> usize {
        self.tellings
    }

    /// Whether this event may have been told twice.
    #[must_use]
    pub fn has(&self, visitor: Visitor, id: EventId) -> bool {
        !self.marks.is_empty() && self.marks.contains(&mark(visitor, id))
    }
}

/// Senders choose ids, and each step here is one that can be undone: two ids of a visitor with one half in common have different marks.
fn mark(visitor: Visitor, id: EventId) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let [mut high, mut low] = [[0; 8]; 2];
    high.copy_from_slice(&id.bytes()[..8]);
    low.copy_from_slice(&id.bytes()[8..]);
    let visitor = visitor.number().cast_unsigned().wrapping_mul(ODD);
    let mixed = (u64::from_be_bytes(high) ^ visitor).wrapping_mul(ODD).rotate_left(32);
    (mixed ^ u64::from_be_bytes(low)).wrapping_mul(ODD)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::{Doubtful, Seen};
    use crate::{EventId, Visitor};

    /// Ids that differ in few places, too.
    fn events() -> impl Strategy<Value = Vec<(Visitor, EventId)>> {
        let id = prop_oneof![
            any::<[u8; 16]>(),
            (0..3_u8, 0..16_usize).prop_map(|(byte, place)| {
                let mut id = [0; 16];
                id[place] = byte;
                id
            })
        ];
        let visitor = prop_oneof![0..4_i64, 0..=i64::MAX].prop_map(Visitor::from_number);
        prop::collection::vec((visitor, id.prop_map(EventId::from_bytes)), 0..60)
    }

    proptest! {
        #[test]
        fn what_was_told_twice_is_doubtful_in_whichever_part_it_is(
            events in events(), parts in prop::collection::vec(0..3_usize, 60),
        ) {
            let mut seen = [Seen::default(), Seen::default(), Seen::default()];
            for ((visitor, id), part) in events.iter().zip(parts) {
                seen[part].note(*visitor, *id);
            }

            let doubtful = Doubtful::among(seen.map(Seen::sorted));

            let (mut once, mut twice) = (HashSet::new(), HashSet::<(Visitor, EventId)>::new());
            twice.extend(events.iter().filter(|event| !once.insert(**event)));
            prop_assert_eq!(
                doubtful.tellings(),
                events.iter().filter(|event| twice.contains(event)).count()
            );
            for (visitor, id) in &events {
                prop_assert_eq!(doubtful.has(*visitor, *id), twice.contains(&(*visitor, *id)));
            }
        }
    }
}
