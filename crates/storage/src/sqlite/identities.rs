//! Identities of members at a provider.

use async_trait::async_trait;
use rusqlite::{Connection, params};

use super::query::{execute, exists, query_opt};
use super::{SqliteStore, members, passkeys, sessions};
use crate::statements::identities::{
    FIND_MEMBER_BY_IDENTITY, HAS_IDENTITY, LINK_IDENTITY, UNLINK_IDENTITIES,
};
use crate::{
    Earlier, Identity, IdentityStore, IdentityUse, Member, MemberId, NewSession, StorageError,
};

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

/// Spends the challenge, and links the identity; a conflict if the identity, or the member, belongs to another one. The first link proves the
/// address of the member, whose password another person may have chosen: then nothing of what acts for the member goes on.
pub(super) fn note_use(
    database: &Connection,
    session: &NewSession,
    used: &IdentityUse,
) -> Result<Earlier, StorageError> {
    let (member, act) = (session.member, session.act);
    passkeys::spend(database, used.challenge)?;
    let Identity { issuer, subject } = &used.identity;
    let values = params![issuer, subject, member.to_row(), act.at.as_milliseconds()];
    let linked = execute(database, LINK_IDENTITY, values)?;
    let is_theirs = exists(database, HAS_IDENTITY, params![issuer, subject, member.to_row()])?;
    if !is_theirs {
        return Err(StorageError::Conflict);
    }
    if linked == 0
        || members::voucher(database, member)?.is_none()
        || is_signed_in(database, session)?
    {
        return Ok(Earlier::Kept);
    }
    members::end_unproved(database, member, act)?;
    Ok(Earlier::Ended)
}

/// Whether the browser is signed in as the member already: the person at it knows the password, or has a passkey.
fn is_signed_in(database: &Connection, session: &NewSession) -> Result<bool, StorageError> {
    let Some(shown) = &session.replaced else { return Ok(false) };
    let found = sessions::find(database, shown, session.act.at)?;
    Ok(found.is_some_and(|found| found.session.member.id == session.member))
}

pub(super) fn unlink(database: &Connection, member: MemberId) -> Result<(), StorageError> {
    database.prepare_cached(UNLINK_IDENTITIES)?.execute([member.to_row()])?;
    Ok(())
}
