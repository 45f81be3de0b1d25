//! Finds among very many events those that may have been told twice. It needs eight bytes for each, where the events themselves need many times that.

use std::collections::HashSet;

use crate::{EventId, Visitor};

/// A mark for each event that was seen. Those of different events are different, but for one pair among billions.
#[derive(Debug, Default)]
pub struct SeenIds(Vec<u64>);

/// All that was seen, to ask what else may be the same.
#[derive(Debug, Default)]
pub struct Known {
    /// In order.
    marks: Vec<u64>,
    /// Where those of each part begin, of equal parts of all marks there could be, and the end: marks are spread evenly.
    starts: Vec<usize>,
}

/// An event that was seen elsewhere, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedId(u64);

/// Events that may have been told twice: all that were, and hardly any other. A caller that needs to be sure compares these few.
#[derive(Debug, Default)]
pub struct Doubtful {
    marks: HashSet<u64>,
    tellings: usize,
}

impl SeenIds {
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

/// How many marks share a start: few enough to lie together in memory.
const MARKS_OF_A_START: usize = 16;

impl Known {
    /// What was seen in one part or in several.
    #[must_use]
    #[expect(clippy::stable_sort_primitive, reason = "it merges what is in order already")]
    pub fn of(parts: impl IntoIterator<Item = SeenIds>) -> Self {
        let mut all = Vec::new();
        for SeenIds(mut part) in parts {
            if all.is_empty() {
                all = part;
            } else {
                all.append(&mut part);
            }
        }
        all.sort();
        Self { marks: all, starts: Vec::new() }
    }

    /// The same, ready to be searched often.
    #[must_use]
    pub fn searchable(mut self) -> Self {
        let parts = (self.marks.len() / MARKS_OF_A_START).next_power_of_two();
        self.starts = vec![0; parts + 1];
        for mark in &self.marks {
            self.starts[part(*mark, parts) + 1] += 1;
        }
        for place in 0..parts {
            self.starts[place + 1] += self.starts[place];
        }
        self
    }

    /// Whether nothing was seen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The event, if it may be one that was seen. Nothing is found before it is [`searchable`](Self::searchable).
    #[must_use]
    pub fn find(&self, visitor: Visitor, id: EventId) -> Option<RepeatedId> {
        let mark = mark(visitor, id);
        let place = part(mark, self.starts.len().checked_sub(1)?);
        let near = &self.marks[self.starts[place]..self.starts[place + 1]];
        near.binary_search(&mark).is_ok().then_some(RepeatedId(mark))
    }
}

/// The part of a mark, of a power of two of equal parts.
fn part(mark: u64, parts: usize) -> usize {
    let part = (u128::from(mark) * parts as u128) >> u64::BITS;
    usize::try_from(part).unwrap_or_default()
}

impl Doubtful {
    /// Those that were seen more than once, in one part or in several.
    #[must_use]
    pub fn among(parts: impl IntoIterator<Item = SeenIds>) -> Self {
        Self::of(&Known::of(parts), [])
    }

    /// Those that were seen more than once, and those that were seen elsewhere, too.
    #[must_use]
    pub fn of(known: &Known, elsewhere: impl IntoIterator<Item = RepeatedId>) -> Self {
        let (mut marks, mut again) = (HashSet::new(), 0);
        for pair in known.marks.windows(2).filter(|pair| pair[0] == pair[1]) {
            marks.insert(pair[0]);
            again += 1;
        }
        let tellings = again + marks.len();
        marks.extend(elsewhere.into_iter().map(|RepeatedId(mark)| mark));
        Self { marks, tellings }
    }

    /// How many of what was seen were seen more than once.
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

/// Each step here is one that can be undone: two ids of a visitor have different marks.
fn mark(visitor: Visitor, id: EventId) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let visitor = visitor.number().cast_unsigned().wrapping_mul(ODD);
    (id.number() ^ visitor).wrapping_mul(ODD).rotate_left(32).wrapping_mul(ODD)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::{Doubtful, Known, SeenIds};
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
        fn an_event_sent_twice_is_doubtful_in_any_part(
            events in events(), parts in prop::collection::vec(0..3_usize, 60),
        ) {
            let mut seen = [SeenIds::default(), SeenIds::default(), SeenIds::default()];
            for ((visitor, id), part) in events.iter().zip(parts) {
                seen[part].note(*visitor, *id);
            }

            let doubtful = Doubtful::among(seen.map(SeenIds::sorted));

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

        #[test]
        fn an_event_seen_in_another_part_is_found_and_doubtful(seen in events(), elsewhere in events()) {
            let mut parts = [SeenIds::default(), SeenIds::default()];
            for (place, (visitor, id)) in seen.iter().enumerate() {
                parts[place % 2].note(*visitor, *id);
            }
            let known = Known::of(parts.map(SeenIds::sorted)).searchable();

            let again = elsewhere.iter().filter_map(|(visitor, id)| known.find(*visitor, *id));
            let doubtful = Doubtful::of(&known, again);

            prop_assert_eq!(known.is_empty(), seen.is_empty());
            for (visitor, id) in &elsewhere {
                let was_seen = seen.contains(&(*visitor, *id));
                prop_assert_eq!(known.find(*visitor, *id).is_some(), was_seen);
                prop_assert_eq!(doubtful.has(*visitor, *id), was_seen);
            }
        }
    }
}
