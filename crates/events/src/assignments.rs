//! Which visitor was given which arm of a comparison, and when they first saw it.

use std::collections::hash_map::Entry;

use crate::visitor::ByVisitor;
use crate::{Millis, UserAgent, Visitor};

/// An arm of a comparison: a variation, or for a holdback, those who are shown something and those who are not. Its number is its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arm(pub u16);

/// A time in which the weights stayed the same, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub u16);

/// A visitor was given an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// Who.
    pub visitor: Visitor,
    /// What they were given.
    pub assignment: Assignment,
}

/// An arm, and when it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The arm.
    pub arm: Arm,
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
    /// An arm that was given at a moment to a visitor of whom nothing else is known.
    #[must_use]
    pub fn new(arm: Arm, epoch: Epoch, at: Millis) -> Self {
        let (agent, page) = (UserAgent::default(), PageNumber::default());
        Self { arm, epoch, agent, page, may_flicker: false, at }
    }

    /// By which the first of several is found, whatever their order.
    fn place(&self) -> (Millis, Epoch, UserAgent, PageNumber, bool) {
        (self.at, self.epoch, self.agent, self.page, self.may_flicker)
    }
}

/// The first assignment of every visitor. A visitor of two arms is in none: what they did would be counted for one and caused by the
/// other.
#[derive(Clone, Debug, Default)]
pub struct Assignments {
    /// `None` for a visitor of two arms.
    first: ByVisitor<Option<Assignment>>,
    mixed: u64,
}

impl Assignments {
    /// Of exposures in any order, each as often as it was told.
    pub fn of(exposures: impl IntoIterator<Item = Exposure>) -> Self {
        let mut assignments = Self::default();
        for exposure in exposures {
            assignments.add(exposure);
        }
        assignments
    }

    fn add(&mut self, Exposure { visitor, assignment }: Exposure) {
        match self.first.entry(visitor) {
            Entry::Vacant(place) => {
                place.insert(Some(assignment));
            }
            Entry::Occupied(mut place) => {
                let Some(known) = place.get_mut() else { return };
                if known.arm != assignment.arm {
                    self.mixed += 1;
                    place.insert(None);
                } else if assignment.place() < known.place() {
                    *known = assignment;
                }
            }
        }
    }

    /// The assignment of a visitor who has one.
    #[must_use]
    pub fn of_visitor(&self, visitor: Visitor) -> Option<Assignment> {
        self.first.get(&visitor).copied().flatten()
    }

    /// Whether a visitor was given anything, even two arms.
    #[must_use]
    pub fn knows(&self, visitor: Visitor) -> bool {
        self.first.contains_key(&visitor)
    }

    /// All visitors with an assignment, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Visitor, Assignment)> {
        self.first.iter().filter_map(|(visitor, assignment)| Some((*visitor, (*assignment)?)))
    }

    /// The same visitors in other arms, such as one for each browser and variation. That takes no more memory.
    #[must_use]
    pub fn regrouped(mut self, arm: impl Fn(Assignment) -> Arm) -> Self {
        for assignment in self.first.values_mut().flatten() {
            assignment.arm = arm(*assignment);
        }
        self
    }

    /// How many visitors are left out because they were given two arms.
    #[must_use]
    pub fn mixed(&self) -> u64 {
        self.mixed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Arm, Assignment, Assignments, Epoch, Exposure, PageNumber};
    use crate::{Browser, Millis, UserAgent, Visitor};

    /// Even moments are of Safari, odd ones of Firefox.
    fn exposure((visitor, arm, at): (i64, u16, i64)) -> Exposure {
        let browser = if at % 2 == 0 { Browser::Safari } else { Browser::Firefox };
        let agent = UserAgent { browser: Some(browser), device: None };
        let assignment = Assignment {
            arm: Arm(arm),
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

        let of = |visitor| assignments.of_visitor(Visitor::from_number(visitor));
        assert_eq!(of(1).map(|one| (one.arm, one.at)), Some((Arm(0), Millis(20))));
        assert_eq!((of(2), of(4)), (None, None));
        assert_eq!((assignments.iter().count(), assignments.mixed()), (2, 1));
    }

    #[test]
    fn a_visitor_with_two_browsers_is_of_the_one_of_the_first_exposure() {
        let told = [(1, 0, 51), (1, 0, 20), (1, 0, 33), (2, 1, 7), (2, 1, 8)];

        let assignments = Assignments::of(told.map(exposure));

        let of = |visitor| assignments.of_visitor(Visitor::from_number(visitor)).unwrap();
        assert_eq!(of(1).agent.browser, Some(Browser::Safari));
        assert_eq!(of(2).agent.browser, Some(Browser::Firefox));
        assert_eq!(assignments.mixed(), 0);
    }

    #[test]
    fn what_is_known_of_a_visitor_takes_sixteen_bytes() {
        assert_eq!(size_of::<Option<Assignment>>(), 16);
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
            for visitor in (0..6).map(Visitor::from_number) {
                prop_assert_eq!(first.of_visitor(visitor), second.of_visitor(visitor));
            }
        }
    }
}
