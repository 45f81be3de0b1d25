//! Members and their sessions, as they are stored.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use oauth::{ClientId, CredentialHash};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::row::Row;
use crate::{Act, Authority, NewSession, RoleGrant, StorageError};

/// Members, and the passwords with which they sign in. Their roles are in [`crate::RoleStore`].
#[async_trait]
pub trait MemberStore: Send + Sync + 'static {
    /// Adds a member with their roles. [`StorageError::Conflict`] if the address is taken, [`StorageError::SignedOut`] if the authority has
    /// ended.
    async fn add_member(
        &self,
        member: NewMember,
        authority: Authority,
    ) -> Result<MemberId, StorageError>;

    /// Adds the first member with their roles; `None` if there is a member already. Of two who try at once, one succeeds.
    async fn add_first_member(&self, member: NewMember) -> Result<Option<MemberId>, StorageError>;

    /// The member with this id.
    async fn lookup_member(&self, id: MemberId) -> Result<Option<Member>, StorageError>;

    /// The member with this address.
    async fn find_member_by_email(&self, email: &str) -> Result<Option<Member>, StorageError>;

    /// Replaces the password that a member knows with one they chose, if it is still theirs, and ends all their
    /// sessions but the one in which they do it.
    async fn choose_password(
        &self,
        chosen: ChosenPassword,
    ) -> Result<ChoosePasswordOutcome, StorageError>;

    /// Gives a member a temporary password, and ends all their sessions and all their consents.
    async fn reset_password(&self, password: TemporaryPassword) -> Result<(), StorageError>;

    /// Replaces the hash of a password with a stronger one of the same password, if it is unchanged.
    async fn renew_password_hash(&self, renewed: RenewedHash) -> Result<(), StorageError>;
}

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

impl<'de> Deserialize<'de> for MemberId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
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
    /// The actor who adds them, and when.
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
    /// Whether that password only opens the way to one of their own: an administrator was shown it.
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
    /// The hash of the new password, in PHC string format.
    pub after: String,
    /// The ids of passkeys that go with the password.
    pub removed_passkeys: Vec<String>,
    /// The only session that there is from now on.
    pub session: ChoosingSession,
    /// The change.
    pub act: Act,
}

/// The session of a member who has chosen a password.
pub enum ChoosingSession {
    /// It starts in place of this one, which must be alive in the commit of the change: a stolen copy of that ends with all other sessions.
    Renewed(CredentialHash, Box<NewSession>),
    /// It starts with the change, which ends all other sessions.
    Started(Box<NewSession>),
    /// It starts with the change, which ends all else that acts for the member, too: consents, and with them tokens and codes, API tokens, and
    /// links to identities at a provider.
    Only(Box<NewSession>),
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

/// A password that an admin gives a member, who must choose their own at the next sign-in.
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

impl Member {
    /// The first four columns.
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            id: MemberId::from_row(row.column(0)?),
            email: row.column(1)?,
            password_hash: row.column(2)?,
            is_password_temporary: row.column::<i64>(3)? != 0,
        })
    }
}
