//! Members and their sessions, as they are stored.

use std::fmt;
use std::str::FromStr;

use oauth::{CLOCK_AHEAD, ClientId, CredentialHash, Lifetime, Timestamp};

use crate::{Act, AuditEvent, PasskeyUse, RoleGrant};

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

/// A text that is no member's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a member's id is a decimal number")]
pub struct UnreadableMemberId;

impl FromStr for MemberId {
    type Err = UnreadableMemberId;

    /// Digits only, so that each id has one spelling.
    fn from_str(text: &str) -> Result<Self, UnreadableMemberId> {
        let id = text.parse().map(Self).map_err(|_| UnreadableMemberId)?;
        if id.to_string() == text { Ok(id) } else { Err(UnreadableMemberId) }
    }
}

/// A member to add.
pub struct NewMember {
    /// The address they sign in with; one member each.
    pub email: String,
    /// Their password's hash, in PHC string format.
    pub password_hash: String,
    /// Whether that password only opens the way to one of their own.
    pub is_password_temporary: bool,
    /// What they may do, at most one role for each place.
    pub roles: Vec<RoleGrant>,
    /// The application through which it is done.
    pub through: Option<ClientId>,
    /// Who adds them, and when.
    pub act: Act,
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
    /// Whether that password only opens the way to one of their own: somebody else was shown it.
    pub is_password_temporary: bool,
}

/// Neither the address nor the hash belongs in a log.
impl fmt::Debug for Member {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Member").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A password that a member chose in place of one that they know.
pub struct ChosenPassword {
    /// Whose.
    pub member: MemberId,
    /// The hash of the password so far, as it was when the member proved that they know it.
    pub before: String,
    /// The hash of the password from now on, in PHC string format.
    pub after: String,
    /// The ids of passkeys that go with the password.
    pub removed_passkeys: Vec<String>,
    /// The only session that does not end.
    pub session: ChoosingSession,
    /// The change.
    pub act: Act,
}

/// The session in which a member chooses a password.
pub enum ChoosingSession {
    /// It goes on. It has to be alive in the commit of the change.
    Kept(CredentialHash),
    /// It starts with the change.
    Started(Box<NewSession>),
}

/// What became of a password that a member chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoosePasswordOutcome {
    /// It is theirs.
    Chosen,
    /// The password is not the one any more that they proved to know.
    OtherPassword,
    /// The session has ended.
    SignedOut,
}

/// A password that somebody else gives a member, who has to choose their own at the next sign-in.
pub struct TemporaryPassword {
    /// Whose.
    pub member: MemberId,
    /// Its hash, in PHC string format.
    pub password_hash: String,
    /// The change.
    pub act: Act,
}

/// A stronger hash of a password that stays the same.
pub struct RenewedHash {
    /// Whose password.
    pub member: MemberId,
    /// The hash that was known when the password was.
    pub before: String,
    /// The hash in its place.
    pub after: String,
}

/// How a member proved who they are.
pub enum Proof {
    /// They knew the password with this hash, which has to be theirs in the commit that starts the session.
    Password(String),
    /// They hold a passkey.
    Passkey(PasskeyUse),
}

/// A session to start.
pub struct NewSession {
    /// The hash of what the browser keeps.
    pub hash: CredentialHash,
    /// What people call it by. It tells nothing of what the browser keeps.
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
    /// The browser, in words; empty where nobody knows.
    pub browser: String,
    /// When the member signed in.
    pub started_at: Timestamp,
    /// When it was last used, to about ten minutes.
    pub seen_at: Timestamp,
}

/// A session's last use is written down at most this often; a few minutes more or less idle matter to nobody.
const TOUCH_AFTER: Lifetime = Lifetime::from_seconds(600);

/// More browsers than anybody signs in with; what is beyond can still be ended with all others.
pub(crate) const SESSIONS_LISTED_AT_MOST: i64 = 100;

/// A session, and when its last use was written down.
pub(crate) struct FoundSession {
    pub(crate) session: Session,
    pub(crate) seen_at: Timestamp,
}

impl NewSession {
    /// What the audit log calls it.
    pub(crate) fn event(&self) -> AuditEvent {
        match self.proof {
            Proof::Password(_) => AuditEvent::SignedIn,
            Proof::Passkey(_) => AuditEvent::SignedInByPasskey,
        }
    }
}

impl FoundSession {
    /// Whether it was not used by a clock that was far ahead, and would be good until then.
    pub(crate) fn is_of_this_time(&self, now: Timestamp) -> bool {
        self.seen_at <= now + CLOCK_AHEAD
    }

    pub(crate) fn is_to_be_touched(&self, now: Timestamp) -> bool {
        self.seen_at + TOUCH_AFTER <= now
    }
}
