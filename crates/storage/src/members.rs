//! Members and their sessions, as they are stored.

use std::fmt;

use oauth::{CredentialHash, Lifetime, Timestamp};

/// A member's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemberId(i64);

impl MemberId {
    pub(crate) const fn from_row(id: i64) -> Self {
        Self(id)
    }

    pub(crate) const fn to_row(self) -> i64 {
        self.0
    }
}

/// How programs know the member: a number that never changes.
impl fmt::Display for MemberId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A member to add.
pub struct NewMember {
    /// The address they sign in with; one member each.
    pub email: String,
    /// Their password's hash, in PHC string format.
    pub password_hash: String,
    /// When.
    pub created_at: Timestamp,
}

/// A member.
#[derive(Clone)]
pub struct Member {
    /// The id.
    pub id: MemberId,
    /// The address they sign in with.
    pub email: String,
    /// Their password's hash, in PHC string format.
    pub password_hash: String,
}

/// Neither the address nor the hash belongs in a log.
impl fmt::Debug for Member {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Member").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A session to start.
#[derive(Debug)]
pub struct NewSession {
    /// The hash of what the browser keeps.
    pub hash: CredentialHash,
    /// Whose session.
    pub member: MemberId,
    /// When.
    pub now: Timestamp,
}

/// A session that is neither ended nor over.
#[derive(Debug, Clone)]
pub struct Session {
    /// Whose.
    pub member: Member,
}

/// A session's last use is written down at most this often; a few minutes more or less idle matter to nobody.
const TOUCH_AFTER: Lifetime = Lifetime::from_seconds(600);

/// A session, and when its last use was written down.
pub(crate) struct FoundSession {
    pub(crate) session: Session,
    pub(crate) seen_at: Timestamp,
}

impl FoundSession {
    pub(crate) fn is_to_be_touched(&self, now: Timestamp) -> bool {
        self.seen_at + TOUCH_AFTER <= now
    }
}
