//! Sessions of members in their browsers, as they are stored, and how a member proves who they are to start one.

use async_trait::async_trait;
use oauth::{CLOCK_AHEAD, CredentialHash, Lifetime, Timestamp};

use crate::row::Row;
use crate::stored::credential_hash;
use crate::{Act, AuditEvent, IdentityUse, Member, MemberId, PasskeyUse, StorageError};

/// Sessions of members in their browsers.
#[async_trait]
pub trait SessionStore: Send + Sync + 'static {
    /// Starts a session, and ends the one that it replaces. [`StorageError::Conflict`] if the password is not the one any more
    /// that was checked, the challenge was answered before, the passkey is not as it was then, or the identity is another member's.
    async fn add_session(&self, session: NewSession) -> Result<Earlier, StorageError>;

    /// The session with this hash, unless it is over: idle for too long, or too old.
    async fn find_session(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError>;

    /// Ends a session, if there is one: its member signs out.
    async fn remove_session(&self, hash: &CredentialHash, act: Act) -> Result<(), StorageError>;

    /// The sessions of a member that are not over, those used last first, up to a hundred.
    async fn list_sessions(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Vec<SessionLine>, StorageError>;

    /// Ends a session of a member by its id; returns whether there was one.
    async fn end_session(&self, member: MemberId, id: &str, act: Act)
    -> Result<bool, StorageError>;

    /// Ends all sessions of a member but the one with this hash; returns whether there were any.
    async fn end_other_sessions(
        &self,
        member: MemberId,
        kept: &CredentialHash,
        act: Act,
    ) -> Result<bool, StorageError>;
}

/// What became of a member's earlier password, passkeys, sessions, consents and API tokens when a session started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// They are as they were.
    Kept,
    /// They have ended: an identity was linked and so proved the address, and another member alone had vouched for it before.
    Ended,
}

/// How a member proved who they are.
pub enum Proof {
    /// They knew the password with this hash, which has to be theirs in the commit that starts the session.
    Password(String),
    /// They hold a passkey.
    Passkey(PasskeyUse),
    /// They signed in at a provider.
    Identity(IdentityUse),
}

/// A session to start.
pub struct NewSession {
    /// The hash of what the browser keeps.
    pub hash: CredentialHash,
    /// Its id for members. It reveals nothing of the browser's cookie.
    pub id: String,
    /// Whose session.
    pub member: MemberId,
    /// How they proved who they are.
    pub proof: Proof,
    /// The browser, in words.
    pub browser: String,
    /// The session that this browser had before, whosever it was; it ends.
    pub replaced: Option<CredentialHash>,
    /// The sign-in.
    pub act: Act,
}

/// A session that is neither ended nor over.
#[derive(Debug, Clone)]
pub struct Session {
    /// Whose.
    pub member: Member,
    /// When its member signed in.
    pub started_at: Timestamp,
}

/// A session in the list of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLine {
    /// The hash of what the browser keeps.
    pub hash: CredentialHash,
    /// What people call it by.
    pub id: String,
    /// The browser, in words; empty where that is unknown.
    pub browser: String,
    /// When the member signed in.
    pub started_at: Timestamp,
    /// When it was last used, to about ten minutes.
    pub seen_at: Timestamp,
}

/// A session's last use is written down at most this often; a few minutes more or less idle do not matter.
const TOUCH_AFTER: Lifetime = Lifetime::from_seconds(600);

/// More browsers than a member signs in with; further ones can still be ended with all others.
pub(crate) const SESSIONS_LISTED_AT_MOST: i64 = 100;

/// A session, and when its last use was written down.
pub(crate) struct FoundSession {
    pub(crate) session: Session,
    pub(crate) seen_at: Timestamp,
}

impl SessionLine {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            hash: credential_hash(&row.column::<Vec<u8>>(0)?)?,
            id: row.column(1)?,
            browser: row.column(2)?,
            started_at: Timestamp::from_milliseconds(row.column(3)?),
            seen_at: Timestamp::from_milliseconds(row.column(4)?),
        })
    }
}

impl NewSession {
    /// What the audit log calls it.
    pub(crate) fn event(&self) -> AuditEvent {
        match self.proof {
            Proof::Password(_) => AuditEvent::SignedIn,
            Proof::Passkey(_) => AuditEvent::SignedInByPasskey,
            Proof::Identity(_) => AuditEvent::SignedInByProvider,
        }
    }
}

impl FoundSession {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let started_at = Timestamp::from_milliseconds(row.column(5)?);
        let session = Session { member: Member::from_row(row)?, started_at };
        Ok(Self { session, seen_at: Timestamp::from_milliseconds(row.column(4)?) })
    }

    /// Whether it was not used by a clock that was far ahead, and would be good until then.
    pub(crate) fn is_of_this_time(&self, now: Timestamp) -> bool {
        self.seen_at <= now + CLOCK_AHEAD
    }

    pub(crate) fn is_to_be_touched(&self, now: Timestamp) -> bool {
        self.seen_at + TOUCH_AFTER <= now
    }
}
