//! Identities of members at a provider.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use oauth::Timestamp;

use super::query::{execute, query_opt, storable};
use super::{PostgresStore, passkeys};
use crate::statements::identities::{
    FIND_MEMBER_BY_IDENTITY, HAS_IDENTITY, LINK_IDENTITY, UNLINK_IDENTITIES,
};
use crate::{Identity, IdentityStore, IdentityUse, Member, MemberId, StorageError};

#[async_trait]
impl IdentityStore for PostgresStore {
    async fn find_member_by_identity(
        &self,
        identity: &Identity,
    ) -> Result<Option<Member>, StorageError> {
        let Identity { issuer, subject } = identity;
        let Some((issuer, subject)) = storable(issuer).zip(storable(subject)) else {
            return Ok(None);
        };
        let connection = self.connections.get().await?;
        let found =
            query_opt(&connection.database, FIND_MEMBER_BY_IDENTITY, &[&issuer, &subject]).await?;
        found.map(|row| Member::from_row(&row)).transpose()
    }
}

/// Spends the challenge, and links the identity; a conflict if the identity, or the member, belongs to another one.
pub(super) async fn note_use(
    transaction: &impl GenericClient,
    member: MemberId,
    used: &IdentityUse,
    now: Timestamp,
) -> Result<(), StorageError> {
    passkeys::spend(transaction, used.challenge).await?;
    let Identity { issuer, subject } = &used.identity;
    let member = member.to_row();
    let values = [issuer as _, subject as _, &member as _, &now.as_milliseconds() as _];
    execute(transaction, LINK_IDENTITY, &values).await?;
    let theirs = query_opt(transaction, HAS_IDENTITY, &[issuer, subject, &member]).await?;
    theirs.map(drop).ok_or(StorageError::Conflict)
}

pub(super) async fn unlink(
    transaction: &impl GenericClient,
    member: MemberId,
) -> Result<(), StorageError> {
    execute(transaction, UNLINK_IDENTITIES, &[&member.to_row()]).await.map(drop)
}
