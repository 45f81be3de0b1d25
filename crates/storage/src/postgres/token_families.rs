//! Token families: everything that comes from one authorization code, and ends together.

use deadpool_postgres::{GenericClient, Object};
use oauth::Timestamp;

use super::query::execute;
use super::{access_tokens, refresh_tokens};
use crate::statements::END_FAMILY;
use crate::{Revoke, RevokeOutcome, StorageError};

/// Revokes a token of whichever kind: a refresh token with all that belongs to it, an access token alone (RFC 7009 section 2.1).
pub(super) async fn revoke(
    database: &mut Object,
    revoke: &Revoke,
) -> Result<RevokeOutcome, StorageError> {
    Ok(if refresh_tokens::revoke(database, revoke).await? {
        RevokeOutcome::FamilyEnded
    } else if access_tokens::remove(database, &revoke.token, &revoke.client_id).await? {
        RevokeOutcome::AccessTokenRemoved
    } else {
        RevokeOutcome::NotTheirs
    })
}

/// Ends a family and with it all of its tokens. One that has ended already stays as it is.
pub(super) async fn end(
    database: &impl GenericClient,
    family: i64,
    now: Timestamp,
) -> Result<(), StorageError> {
    execute(database, END_FAMILY, &[&now.as_milliseconds(), &family]).await?;
    Ok(())
}
