//! The roles of members, kept in memory: every request of a program asks for them. What is kept has to go as soon as it changes, as
//! `known_tokens.rs` says of tokens.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::{MemberId, RoleGrant};

/// More members than act at the same time on one server; at some 100 bytes each, a megabyte or two.
const MEMBERS_AT_MOST: usize = 16_384;

/// The moment at which somebody began to read what they want to keep here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RolesReading(u64);

/// The roles of members who did something lately.
#[derive(Default)]
pub(crate) struct KnownRoles(RwLock<Kept>);

#[derive(Default)]
struct Kept {
    changes: u64,
    roles: HashMap<MemberId, Arc<[RoleGrant]>>,
}

impl KnownRoles {
    /// To be called before the database is asked.
    pub(crate) fn begin_reading(&self) -> RolesReading {
        RolesReading(self.read().changes)
    }

    pub(crate) fn find(&self, member: MemberId) -> Option<Arc<[RoleGrant]>> {
        self.read().roles.get(&member).cloned()
    }

    /// Keeps what was read, unless any roles have changed since the reading began.
    pub(crate) fn keep(&self, reading: RolesReading, member: MemberId, roles: Arc<[RoleGrant]>) {
        let mut kept = self.write();
        if RolesReading(kept.changes) != reading {
            return;
        }
        if kept.roles.len() >= MEMBERS_AT_MOST {
            kept.roles.clear();
        }
        kept.roles.insert(member, roles);
    }

    pub(crate) fn forget(&self, member: MemberId) {
        let mut kept = self.write();
        kept.changes += 1;
        kept.roles.remove(&member);
    }

    pub(crate) fn forget_all(&self) {
        let mut kept = self.write();
        kept.changes += 1;
        kept.roles.clear();
    }

    fn read(&self) -> RwLockReadGuard<'_, Kept> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Kept> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::KnownRoles;
    use crate::{MemberId, RoleGrant};

    const ANN: MemberId = MemberId::from_row(1);
    const BOB: MemberId = MemberId::from_row(2);

    fn keep(known: &KnownRoles, member: MemberId) {
        known.keep(known.begin_reading(), member, Arc::new([RoleGrant::OWNER]));
    }

    #[test]
    fn roles_are_known_until_they_change() {
        let known = KnownRoles::default();
        keep(&known, ANN);
        keep(&known, BOB);

        known.forget(ANN);
        assert!(known.find(ANN).is_none() && known.find(BOB).is_some());

        known.forget_all();
        assert!(known.find(BOB).is_none());
    }

    #[test]
    fn what_a_change_has_overtaken_is_not_kept() {
        let known = KnownRoles::default();

        let reading = known.begin_reading();
        known.forget(ANN);
        known.keep(reading, ANN, Arc::new([RoleGrant::OWNER]));

        assert!(known.find(ANN).is_none());
    }
}
