//! Identities of members at a provider.

use async_trait::async_trait;
use oauth::Timestamp;
use rusqlite::{Connection, params};

use super::query::{exists, query_opt};
use super::{SqliteStore, passkeys};
use crate::statements::identities::{
    FIND_MEMBER_BY_IDENTITY, HAS_IDENTITY, LINK_IDENTITY, UNLINK_IDENTITIES,
};
use crate::{Identity, IdentityStore, IdentityUse, Member, MemberId, StorageError};

#[async_trait]
impl IdentityStore for SqliteStore {
    async fn find_member_by_identity(
        &self,
        identity: &Identity,
    ) -> Result<Option<Member>, StorageError> {
        let Identity { issuer, subject } = identity.clone();
        let find = move |database: &Connection| {
            query_opt(database, FIND_MEMBER_BY_IDENTITY, params![issuer, subject], |row| {
                Member::from_row(row)
            })
        };
        self.readers.read(find).await
    }
}

/// Spends the challenge, and links the identity; a conflict if the identity, or the member, belongs to another one.
pub(super) fn note_use(
    database: &Connection,
    member: MemberId,
    used: &IdentityUse,
    now: Timestamp,
) -> Result<(), StorageError> {
    passkeys::spend(database, used.challenge)?;
    let Identity { issuer, subject } = &used.identity;
    let values = params![issuer, subject, member.to_row(), now.as_milliseconds()];
    database.prepare_cached(LINK_IDENTITY)?.execute(values)?;
    let is_theirs = exists(database, HAS_IDENTITY, params![issuer, subject, member.to_row()])?;
    if is_theirs { Ok(()) } else { Err(StorageError::Conflict) }
}

pub(super) fn unlink(database: &Connection, member: MemberId) -> Result<(), StorageError> {
    database.prepare_cached(UNLINK_IDENTITIES)?.execute([member.to_row()])?;
    Ok(())
}
