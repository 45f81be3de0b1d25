//! Passkeys, as they are stored: what proves that a member holds one. Never a secret.

use async_trait::async_trait;
use oauth::{CredentialHash, Timestamp};

use crate::row::Row;
use crate::{Act, Member, MemberId, StorageError};

/// More than a member has devices; further ones are not added.
pub(crate) const PASSKEYS_AT_MOST: i64 = 20;

/// Passkeys of members.
#[async_trait]
pub trait PasskeyStore: Send + Sync + 'static {
    /// Adds a passkey. [`StorageError::Conflict`] if it already exists, or the challenge was answered before.
    async fn add_passkey(&self, passkey: NewPasskey) -> Result<AddPasskeyOutcome, StorageError>;

    /// The passkey that authenticators call by this id.
    async fn find_passkey(
        &self,
        credential_id: &[u8],
    ) -> Result<Option<FoundPasskey>, StorageError>;

    /// The passkeys of a member, those added first first.
    async fn list_passkeys(&self, member: MemberId) -> Result<Vec<PasskeyLine>, StorageError>;

    /// Renames a passkey of a member; returns whether there is one.
    async fn rename_passkey(&self, rename: RenamePasskey) -> Result<bool, StorageError>;

    /// Removes a passkey of a member; returns whether there was one.
    async fn remove_passkey(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError>;

    /// Removes all passkeys of a member, and ends all their sessions and all their consents; returns how many passkeys
    /// there were.
    async fn remove_passkeys(&self, member: MemberId, act: Act) -> Result<usize, StorageError>;
}

/// An answered challenge. Each is valid for one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnsweredChallenge {
    /// The hash of the challenge.
    pub hash: CredentialHash,
    /// When it would be over in any case.
    pub expires_at: Timestamp,
}

/// A passkey to add.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    /// What authenticators call it by; one passkey each.
    pub credential_id: Vec<u8>,
    /// What people call it by.
    pub id: String,
    /// Whose.
    pub member: MemberId,
    /// Its state, in JSON.
    pub credential: String,
    /// What its member named it.
    pub name: String,
    /// The answered challenge that proves the member holds it.
    pub challenge: AnsweredChallenge,
    /// The session in which it is added, which has to be alive in the commit.
    pub session: CredentialHash,
    /// The adding.
    pub act: Act,
}

/// What became of a passkey to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddPasskeyOutcome {
    /// It is the member's.
    Added,
    /// The member has as many as a member may have.
    TooMany,
    /// The session has ended.
    SignedOut,
}

/// A passkey in the list of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyLine {
    /// What authenticators call it by.
    pub credential_id: Vec<u8>,
    /// What people call it by.
    pub id: String,
    /// What its member named it.
    pub name: String,
    /// When it was added.
    pub added_at: Timestamp,
    /// When its member signed in with it last, if ever.
    pub last_used_at: Option<Timestamp>,
}

/// Another name for a passkey.
#[derive(Debug, Clone)]
pub struct RenamePasskey {
    /// Whose passkey.
    pub member: MemberId,
    /// Which.
    pub id: String,
    /// Its new name.
    pub name: String,
}

/// A passkey that a browser shows.
#[derive(Debug, Clone)]
pub struct FoundPasskey {
    /// Whose it is.
    pub member: Member,
    /// Its state, in JSON.
    pub credential: String,
}

/// A sign-in with a passkey.
#[derive(Debug, Clone)]
pub struct PasskeyUse {
    /// What authenticators call it by.
    pub credential_id: Vec<u8>,
    /// Its state when the answer was checked.
    pub before: String,
    /// Its new state.
    pub after: String,
    /// The answered challenge.
    pub challenge: AnsweredChallenge,
}

impl PasskeyLine {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let last_used_at: Option<i64> = row.column(4)?;
        Ok(Self {
            credential_id: row.column(0)?,
            id: row.column(1)?,
            name: row.column(2)?,
            added_at: Timestamp::from_milliseconds(row.column(3)?),
            last_used_at: last_used_at.map(Timestamp::from_milliseconds),
        })
    }
}

impl FoundPasskey {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self { member: Member::from_row(row)?, credential: row.column(4)? })
    }
}
