//! Identities of members at a provider.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};

use super::query::{execute, query_opt, storable};
use super::{PostgresStore, members, passkeys, sessions};
use crate::invalidation::Change;
use crate::statements::identities::{
    FIND_MEMBER_BY_IDENTITY, HAS_IDENTITY, LINK_IDENTITY, UNLINK_IDENTITIES,
};
use crate::{
    Earlier, Identity, IdentityStore, IdentityUse, Member, MemberId, NewSession, StorageError,
};

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

/// Spends the challenge, and links the identity; a conflict if the identity, or the member, belongs to another one. The first link proves the
/// address of the member, whose password another person may have chosen: then nothing of what acts for the member goes on.
pub(super) async fn note_use(
    transaction: &Transaction<'_>,
    session: &NewSession,
    used: &IdentityUse,
) -> Result<(Earlier, Change), StorageError> {
    let NewSession { member, act, .. } = session;
    passkeys::spend(transaction, used.challenge).await?;
    let Identity { issuer, subject } = &used.identity;
    let row = member.to_row();
    let values = [issuer as _, subject as _, &row as _, &act.at.as_milliseconds() as _];
    let linked = execute(transaction, LINK_IDENTITY, &values).await?;
    let theirs = query_opt(transaction, HAS_IDENTITY, &[issuer, subject, &row]).await?;
    theirs.ok_or(StorageError::Conflict)?;
    if linked == 0
        || members::voucher(transaction, *member).await?.is_none()
        || is_signed_in(transaction, session).await?
    {
        return Ok((Earlier::Kept, Change::Nothing));
    }
    Ok((Earlier::Ended, members::end_unproved(transaction, *member, *act).await?))
}

/// Whether the browser is signed in as the member already: the person at it knows the password, or has a passkey.
async fn is_signed_in(
    transaction: &Transaction<'_>,
    session: &NewSession,
) -> Result<bool, StorageError> {
    let Some(shown) = &session.replaced else { return Ok(false) };
    let found = sessions::find(transaction, shown, session.act.at).await?;
    Ok(found.is_some_and(|found| found.session.member.id == session.member))
}

pub(super) async fn unlink(
    transaction: &impl GenericClient,
    member: MemberId,
) -> Result<(), StorageError> {
    execute(transaction, UNLINK_IDENTITIES, &[&member.to_row()]).await.map(drop)
}
