//! Which records of a file are wanted.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use events::{Occurrence, Record, Visitor};

/// Which records of a file are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The exposures of these experiments.
    pub exposures: Only<u64>,
    /// The events of these names.
    pub events: Only<String>,
    /// Of these visitors: those of a range can be read alone, so that memory is enough for any number of them.
    pub visitors: RangeInclusive<Visitor>,
}

/// Some, or all that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Only<T> {
    /// All.
    All,
    /// These; none, if there are none.
    These(BTreeSet<T>),
}

impl Wanted {
    /// Everything.
    #[must_use]
    pub fn all() -> Self {
        Self { exposures: Only::All, events: Only::All, visitors: Self::all_visitors() }
    }

    /// All visitors.
    #[must_use]
    pub fn all_visitors() -> RangeInclusive<Visitor> {
        Visitor::from_number(i64::MIN)..=Visitor::from_number(i64::MAX)
    }

    /// Whether this record is wanted.
    #[must_use]
    pub fn has(&self, record: &Record) -> bool {
        self.visitors.contains(&record.visitor)
            && match &record.what {
                Occurrence::Exposure { experiment, .. } => self.exposures.has(experiment),
                Occurrence::Event { name, .. } => self.events.has(name.as_str()),
            }
    }
}

impl<T: Ord> Only<T> {
    pub(crate) fn has<Q: Ord + ?Sized>(&self, one: &Q) -> bool
    where
        T: std::borrow::Borrow<Q>,
    {
        match self {
            Self::All => true,
            Self::These(these) => these.contains(one),
        }
    }

    /// Whether any is in a range of which an end may be unknown.
    pub(crate) fn any_between<Q: Ord + ?Sized>(&self, least: Option<&Q>, most: Option<&Q>) -> bool
    where
        T: std::borrow::Borrow<Q>,
    {
        match self {
            Self::All => true,
            Self::These(these) => these.iter().any(|one| {
                let one = one.borrow();
                least.is_none_or(|least| least <= one) && most.is_none_or(|most| one <= most)
            }),
        }
    }
}
