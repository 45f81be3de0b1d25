//! What visitors were given, in 24 bytes an exposure.

use std::sync::Arc;

use events::{Millis, UserAgent, Visitor};

use crate::results::interner::Interner;

/// A visitor was given a variation.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedExposure {
    pub(super) visitor: Visitor,
    pub(super) at: Millis,
    /// The number of how the variation is named, and of the page.
    pub(super) what: u32,
    /// Whether the visitor is held back from the campaign, and saw nothing of it.
    pub(super) is_held_back: bool,
    /// With what the visitor came.
    pub(super) agent: UserAgent,
    /// Whether the visitor may have seen the page change.
    pub(super) may_flicker: bool,
}

/// How the variation is named, and the page, where it is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ShownName {
    Ids { experiment: u64, variation: u64, page: Option<u64> },
    Names { experiment: Option<String>, variation: String, page: Option<String> },
}

/// What visitors were given.
#[derive(Debug, Clone, Default)]
pub(super) struct Exposures {
    shown: Vec<PackedExposure>,
    names: Interner<Arc<ShownName>>,
}

impl ShownName {
    /// What the variation is called.
    pub(super) fn variation(&self) -> String {
        match self {
            Self::Ids { variation, .. } => variation.to_string(),
            Self::Names { variation, .. } => variation.clone(),
        }
    }

    /// What the page is called.
    pub(super) fn page(&self) -> Option<String> {
        match self {
            Self::Ids { page, .. } => page.map(|id| id.to_string()),
            Self::Names { page, .. } => page.clone(),
        }
    }
}

impl Exposures {
    /// The number of how a variation is named.
    pub(super) fn number(&mut self, what: &ShownName) -> u32 {
        self.names.number(what, || Arc::new(what.clone()))
    }

    /// Adds an exposure with a number that was told here.
    pub(super) fn push(&mut self, shown: PackedExposure) {
        self.shown.push(shown);
    }

    /// Takes over all of others.
    pub(super) fn append(&mut self, other: Self) {
        let numbers = self.names.take_over(other.names);
        let mut shown = other.shown;
        for one in &mut shown {
            one.what = numbers[one.what as usize];
        }
        if self.shown.is_empty() {
            self.shown = shown;
        } else {
            self.shown.append(&mut shown);
        }
    }

    /// Puts them in the order of visitors, in which those of one experiment are in each file: who looks things up by visitor then reads memory from front to back.
    pub(super) fn sort(&mut self) {
        self.shown.sort_by_key(|shown| shown.visitor);
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &PackedExposure> {
        self.shown.iter()
    }

    /// Those of each visitor, once they are in order.
    pub(super) fn by_visitor(&self) -> impl Iterator<Item = &[PackedExposure]> {
        self.shown.chunk_by(|one, next| one.visitor == next.visitor)
    }

    /// How variations are named, by number.
    pub(super) fn names(&self) -> &[Arc<ShownName>] {
        self.names.all()
    }
}

#[cfg(test)]
mod tests {
    use super::PackedExposure;

    #[test]
    fn an_exposure_takes_twenty_four_bytes() {
        assert_eq!(size_of::<PackedExposure>(), 24);
    }
}
