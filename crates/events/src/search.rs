//! Looks visitors up in a list that is in their order. In files, rows of one experiment or one name come in that order, too: who asks in it reads the list from front to back, where a
//! hash table of millions would be read all over memory, which took most of the time.

use crate::Visitor;

/// A search that remembers where it was.
#[derive(Debug)]
pub(crate) struct Search<'l, T> {
    list: &'l [T],
    visitor: fn(&T) -> Visitor,
    /// Where the last one was, or would have been.
    place: usize,
}

impl<'l, T> Search<'l, T> {
    /// In a list that has each visitor once, in their order.
    pub(crate) fn new(list: &'l [T], visitor: fn(&T) -> Visitor) -> Self {
        Self { list, visitor, place: 0 }
    }

    /// What the list has of a visitor, who may come in any order: one after the last one is found soonest.
    pub(crate) fn find(&mut self, visitor: Visitor) -> Option<&'l T> {
        let is_before = |one: &T| (self.visitor)(one) < visitor;
        let (mut start, mut end) = (0, self.place);
        if self.list[..self.place].last().is_none_or(is_before) {
            let mut step = 1;
            (start, end) = (self.place, self.place);
            while self.list.get(end).is_some_and(is_before) {
                start = end + 1;
                end += step;
                step *= 2;
            }
            end = end.min(self.list.len());
        }
        self.place = start + self.list[start..end].partition_point(is_before);
        self.list.get(self.place).filter(|one| (self.visitor)(one) == visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Search;
    use crate::Visitor;

    proptest! {
        #[test]
        fn whatever_the_order_who_is_in_the_list_is_found(
            list in prop::collection::btree_set(0..60_i64, 0..40), asked in prop::collection::vec(-2..62_i64, 0..80), are_in_order: bool,
        ) {
            let known: Vec<_> = list.iter().copied().map(Visitor::from_number).collect();
            let asked = if are_in_order { BTreeSet::from_iter(asked).into_iter().collect() } else { asked };
            let mut search = Search::new(&known, |visitor| *visitor);

            let found: Vec<_> = asked.iter().map(|number| search.find(Visitor::from_number(*number)).is_some()).collect();

            let expected: Vec<_> = asked.iter().map(|number| list.contains(number)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
