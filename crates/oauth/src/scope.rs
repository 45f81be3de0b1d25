//! What an access token allows.

use std::fmt;

/// One thing that an access token can allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Read projects and everything in them.
    ConfigRead,
    /// Change projects.
    ConfigWrite,
    /// Make changes live.
    Publish,
    /// Read results.
    ResultsRead,
    /// Send events.
    EventsWrite,
    /// Decide about members, their roles, and applications.
    MembersWrite,
    /// Read the audit log.
    AuditRead,
}

/// A set of scopes. Written in the order of [`Scope::ALL`], separated by spaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScopeSet(u8);

/// A scope that we do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown scope")]
pub struct UnknownScope;

/// The name for all scopes.
const EVERYTHING: &str = "all";

impl Scope {
    /// Every scope there is.
    pub const ALL: [Self; 7] = [
        Self::ConfigRead,
        Self::ConfigWrite,
        Self::Publish,
        Self::ResultsRead,
        Self::EventsWrite,
        Self::MembersWrite,
        Self::AuditRead,
    ];

    /// The scope as programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConfigRead => "config:read",
            Self::ConfigWrite => "config:write",
            Self::Publish => "publish",
            Self::ResultsRead => "results:read",
            Self::EventsWrite => "events:write",
            Self::MembersWrite => "members:write",
            Self::AuditRead => "audit:read",
        }
    }

    /// What a member reads on the consent page, after "This application will be able to".
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::ConfigRead => "see your projects, campaigns and experiments",
            Self::ConfigWrite => "change your projects, campaigns and experiments",
            Self::Publish => "publish changes to your visitors",
            Self::ResultsRead => "see the results of your experiments",
            Self::EventsWrite => "tell what your visitors do, which results are made of",
            Self::MembersWrite => {
                "add and remove members and applications, and change what members may do"
            }
            Self::AuditRead => "see who did what in the audit log",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl ScopeSet {
    /// Every scope there is.
    pub const ALL: Self = Self((1 << Scope::ALL.len()) - 1);

    /// The least that is useful to an application.
    pub const LEAST: Self = Self(Scope::ConfigRead.bit());

    /// Reads a `scope` parameter (RFC 6749 section 3.3): names separated by spaces, in any order, `all` for everything.
    ///
    /// # Errors
    /// When a name is unknown, or there is none.
    pub fn parse(text: &str) -> Result<Self, UnknownScope> {
        let mut set = Self(0);
        for name in text.split(' ').filter(|name| !name.is_empty()) {
            set = set.union(Self::named(name).ok_or(UnknownScope)?);
        }
        if set == Self(0) { Err(UnknownScope) } else { Ok(set) }
    }

    fn named(name: &str) -> Option<Self> {
        if name == EVERYTHING {
            return Some(Self::ALL);
        }
        Scope::ALL.into_iter().find(|scope| scope.as_str() == name).map(Self::from)
    }

    /// Whether `scope` is in the set.
    #[must_use]
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether `other` allows everything that this set allows.
    #[must_use]
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// What either set allows.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What both sets allow; `None` if that is nothing.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        Some(Self(self.0 & other.0)).filter(|both| *both != Self(0))
    }

    /// The scopes of the set, in the order of [`Scope::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

impl From<Scope> for ScopeSet {
    fn from(scope: Scope) -> Self {
        Self(scope.bit())
    }
}

impl fmt::Display for ScopeSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, scope) in self.iter().enumerate() {
            let separator = if position == 0 { "" } else { " " };
            write!(formatter, "{separator}{scope}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ScopeSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ScopeSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Scope, ScopeSet, UnknownScope};

    #[test]
    fn all_stands_for_every_scope() {
        let all = ScopeSet::parse("all").unwrap();

        assert_eq!(
            all.to_string(),
            "config:read config:write publish results:read events:write members:write audit:read"
        );
        assert!(Scope::ALL.into_iter().all(|scope| all.contains(scope)));
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let expected = ScopeSet::from(Scope::Publish).union(ScopeSet::from(Scope::ConfigRead));

        assert_eq!(ScopeSet::parse("publish config:read  publish"), Ok(expected));
    }

    #[test]
    fn unknown_names_are_refused() {
        for text in [
            "",
            " ",
            "admin",
            "config:read admin",
            "Publish",
            "config:read\tpublish",
            "all,publish",
        ] {
            assert_eq!(ScopeSet::parse(text), Err(UnknownScope), "{text:?}");
        }
    }

    #[test]
    fn a_part_is_within_the_whole_but_not_the_other_way_round() {
        let part = ScopeSet::from(Scope::ConfigRead);

        assert!(part.is_subset_of(ScopeSet::ALL));
        assert!(part.is_subset_of(part));
        assert!(!ScopeSet::ALL.is_subset_of(part));
    }

    #[test]
    fn the_intersection_of_scope_sets_is_in_both() {
        let (read, publish) = (ScopeSet::from(Scope::ConfigRead), ScopeSet::from(Scope::Publish));

        assert_eq!(ScopeSet::ALL.intersection(publish), Some(publish));
        assert_eq!(read.union(publish).intersection(read), Some(read));
        assert_eq!(read.intersection(publish), None);
    }

    proptest! {
        #[test]
        fn a_written_scope_set_can_be_read_again(bits in 1_u8..64) {
            let set = ScopeSet(bits);

            prop_assert_eq!(ScopeSet::parse(&set.to_string()), Ok(set));
        }

        #[test]
        fn reading_never_panics(text in ".{0,40}") {
            let _either = ScopeSet::parse(&text);
        }
    }
}
