//! Which visitor was given which variation of a comparison, and when they first saw it.

use crate::search::Search;
use crate::{Millis, UserAgent, Visitor};

/// What is compared, by its place: a variation of an experiment, or for a holdback, those who are held back and those who are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariationIndex(pub u16);

/// A time in which the weights stayed the same, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub u16);

/// A visitor was given a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// Who.
    pub visitor: Visitor,
    /// What they were given.
    pub assignment: Assignment,
}

/// A variation, and when it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variation.
    pub variation: VariationIndex,
    /// The epoch at that time.
    pub epoch: Epoch,
    /// With what the visitor came.
    pub agent: UserAgent,
    /// On which page it was given.
    pub page: PageNumber,
    /// Whether the visitor may have seen the page change.
    pub may_flicker: bool,
    /// The moment.
    pub at: Millis,
}

/// A page among those of a comparison, by a number from 1; 0 is a page that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageNumber(pub u8);

impl Assignment {
    /// A variation that was given at a moment to a visitor of whom nothing else is known.
    #[must_use]
    pub fn new(variation: VariationIndex, epoch: Epoch, at: Millis) -> Self {
        let (agent, page) = (UserAgent::default(), PageNumber::default());
        Self { variation, epoch, agent, page, may_flicker: false, at }
    }

    /// What is known of a visitor who was given this one as well: the first of one variation, and nothing of two.
    fn with(self, other: Self) -> Option<Self> {
        (self.variation == other.variation).then(|| self.or_earlier(other))
    }

    fn or_earlier(self, other: Self) -> Self {
        if other.place() < self.place() { other } else { self }
    }

    /// By which the first of several is found, whatever their order.
    fn place(&self) -> (Millis, Epoch, UserAgent, PageNumber, bool, VariationIndex) {
        (self.at, self.epoch, self.agent, self.page, self.may_flicker, self.variation)
    }
}

/// The first assignment of every visitor, in the order of visitors. A visitor of two variations is in none: what they did would be counted for one and
/// caused by the other.
#[derive(Clone, Debug, Default)]
pub struct Assignments {
    /// `None` for a visitor of two variations.
    first: Vec<Known>,
    mixed: u64,
}

type Known = (Visitor, Option<Assignment>);

/// What two assignments of a visitor come to.
type Merge = fn(Assignment, Assignment) -> Option<Assignment>;

/// Asks for one visitor after the other, soonest in their order.
#[derive(Debug)]
pub struct AssignmentSearch<'a>(Search<'a, Known>);

impl Assignments {
    /// Of exposures in any order, each as often as it was told. Those that are in the order of visitors take the least time.
    pub fn of(exposures: impl IntoIterator<Item = Exposure>) -> Self {
        Self::merged(exposures, Assignment::with)
    }

    /// The same where a visitor may change from one variation to another, and is of the first: none is left out.
    pub fn by_the_first_of(exposures: impl IntoIterator<Item = Exposure>) -> Self {
        Self::merged(exposures, |one, other| Some(one.or_earlier(other)))
    }

    fn merged(exposures: impl IntoIterator<Item = Exposure>, with: Merge) -> Self {
        let merge = |(_, other): Known, (_, known): &mut Known| {
            *known = known.zip(other).and_then(|(one, other)| with(one, other));
        };
        let mut first: Vec<Known> = Vec::new();
        for Exposure { visitor, assignment } in exposures {
            let given = (visitor, Some(assignment));
            match first.last_mut().filter(|(last, _)| *last == visitor) {
                // One who comes again and again takes no more memory.
                Some(known) => merge(given, known),
                None => first.push(given),
            }
        }
        first.sort_by_key(|(visitor, _)| *visitor);
        first.dedup_by(|later, known| {
            let is_same = later.0 == known.0;
            if is_same {
                merge(*later, known);
            }
            is_same
        });
        first.shrink_to_fit();
        let mixed = first.iter().filter(|(_, known)| known.is_none()).map(|_| 1).sum();
        Self { first, mixed }
    }

    /// Begins to ask what visitors were given.
    #[must_use]
    pub fn search(&self) -> AssignmentSearch<'_> {
        AssignmentSearch(Search::new(&self.first, |(visitor, _)| *visitor))
    }

    /// All visitors with an assignment, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Visitor, Assignment)> {
        self.first.iter().filter_map(|(visitor, assignment)| Some((*visitor, (*assignment)?)))
    }

    /// The same visitors under other indexes, such as one for each browser and variation. That takes no more memory.
    #[must_use]
    pub fn regrouped(mut self, variation: impl Fn(Assignment) -> VariationIndex) -> Self {
        for assignment in self.first.iter_mut().filter_map(|(_, assignment)| assignment.as_mut()) {
            assignment.variation = variation(*assignment);
        }
        self
    }

    /// How many visitors are left out because they were given two variations.
    #[must_use]
    pub fn mixed(&self) -> u64 {
        self.mixed
    }
}

impl AssignmentSearch<'_> {
    /// The assignment of a visitor who has one.
    pub fn of_visitor(&mut self, visitor: Visitor) -> Option<Assignment> {
        self.0.find(visitor)?.1
    }

    /// Whether a visitor was given anything, even two variations.
    pub fn knows(&mut self, visitor: Visitor) -> bool {
        self.0.find(visitor).is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Assignment, Assignments, Epoch, Exposure, Known, PageNumber, VariationIndex};
    use crate::{Browser, Millis, UserAgent, Visitor};

    /// Even moments are of Safari, odd ones of Firefox.
    fn exposure((visitor, variation, at): (i64, u16, i64)) -> Exposure {
        let browser = if at % 2 == 0 { Browser::Safari } else { Browser::Firefox };
        let agent = UserAgent { browser: Some(browser), device: None };
        let assignment = Assignment {
            variation: VariationIndex(variation),
            epoch: Epoch(0),
            agent,
            page: PageNumber(u8::from(at % 3 == 0)),
            may_flicker: at % 5 == 0,
            at: Millis(at),
        };
        Exposure { visitor: Visitor::from_number(visitor), assignment }
    }

    #[test]
    fn the_first_exposure_counts_and_visitors_of_two_arms_do_not() {
        let told = [(1, 0, 50), (1, 0, 20), (2, 1, 10), (2, 0, 30), (2, 1, 40), (3, 1, 5)];

        let assignments = Assignments::of(told.map(exposure));

        let mut search = assignments.search();
        let mut of = |visitor| search.of_visitor(Visitor::from_number(visitor));
        assert_eq!(of(1).map(|one| (one.variation, one.at)), Some((VariationIndex(0), Millis(20))));
        assert_eq!((of(2), of(4)), (None, None));
        assert!(assignments.search().knows(Visitor::from_number(2)));
        assert!(!assignments.search().knows(Visitor::from_number(4)));
        assert_eq!((assignments.iter().count(), assignments.mixed()), (2, 1));
    }

    #[test]
    fn where_visitors_may_change_the_first_arm_counts() {
        let told = [(1, 1, 50), (1, 0, 20), (2, 1, 10), (2, 0, 30), (1, 1, 60)];

        let assignments = Assignments::by_the_first_of(told.map(exposure));

        let variations: Vec<_> =
            assignments.iter().map(|(_, one)| (one.variation, one.at)).collect();
        assert_eq!(variations, [(VariationIndex(0), Millis(20)), (VariationIndex(1), Millis(10))]);
        assert_eq!(assignments.mixed(), 0);
    }

    #[test]
    fn a_visitor_with_two_browsers_is_of_the_one_of_the_first_exposure() {
        let told = [(1, 0, 51), (1, 0, 20), (1, 0, 33), (2, 1, 7), (2, 1, 8)];

        let assignments = Assignments::of(told.map(exposure));

        let of = |visitor| assignments.search().of_visitor(Visitor::from_number(visitor)).unwrap();
        assert_eq!(of(1).agent.browser, Some(Browser::Safari));
        assert_eq!(of(2).agent.browser, Some(Browser::Firefox));
        assert_eq!(assignments.mixed(), 0);
    }

    #[test]
    fn what_is_known_of_a_visitor_takes_twenty_four_bytes() {
        assert_eq!(size_of::<Known>(), 24);
    }

    proptest! {
        #[test]
        fn neither_order_nor_repetition_matters(
            (told, other) in prop::collection::vec((0..6_i64, 0..3_u16, 0..9_i64), 0..30)
                .prop_flat_map(|told| (Just(told.clone()), Just([told.clone(), told].concat()).prop_shuffle())),
        ) {
            let first = Assignments::of(told.into_iter().map(exposure));
            let second = Assignments::of(other.into_iter().map(exposure));

            prop_assert_eq!(first.mixed(), second.mixed());
            prop_assert_eq!(first.iter().collect::<Vec<_>>(), second.iter().collect::<Vec<_>>());
        }
    }
}
