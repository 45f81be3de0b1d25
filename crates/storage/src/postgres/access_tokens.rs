//! Access tokens: looked up with each request of a program.

use deadpool_postgres::{GenericClient, Object};
use oauth::{ACCESS_TOKEN, ClientId, CredentialHash, ScopeSet, Timestamp};
use tokio_postgres::Row;

use super::query::{execute, query_opt};
use super::statements::LOCK_FAMILY_OF_ACCESS_TOKEN;
use crate::refresh_rule::Generation;
use crate::statements::{
    ADD_ACCESS_TOKEN, FIND_ACCESS_TOKEN, MARK_GENERATION_SEEN, REMOVE_ACCESS_TOKEN_OF_CLIENT,
    REMOVE_ACCESS_TOKENS_OF_GENERATION,
};
use crate::stored::{client_id, scope};
use crate::{AccessGrant, MemberId, StorageError};

pub(super) async fn add(
    database: &impl GenericClient,
    hash: &CredentialHash,
    generation: Generation,
    scope: ScopeSet,
    now: Timestamp,
) -> Result<(), StorageError> {
    let values = [
        &hash.as_bytes().as_slice() as _,
        &generation.family as _,
        &generation.number as _,
        &scope.to_string() as _,
        &(now + ACCESS_TOKEN).as_milliseconds() as _,
    ];
    execute(database, ADD_ACCESS_TOKEN, &values).await?;
    Ok(())
}

pub(super) async fn remove_generation(
    database: &impl GenericClient,
    Generation { family, number }: Generation,
) -> Result<(), StorageError> {
    execute(database, REMOVE_ACCESS_TOKENS_OF_GENERATION, &[&family, &number]).await?;
    Ok(())
}

/// Removes a token of `client_id`; tells whether there was one.
pub(super) async fn remove(
    database: &impl GenericClient,
    hash: &CredentialHash,
    client_id: &ClientId,
) -> Result<bool, StorageError> {
    let values = [&hash.as_bytes().as_slice() as _, &client_id.as_str() as _];
    Ok(execute(database, REMOVE_ACCESS_TOKEN_OF_CLIENT, &values).await? > 0)
}

/// What a token allows, and whether it is the first of its generation to be used.
struct FoundToken {
    grant: AccessGrant,
    generation: Generation,
    is_first_use: bool,
}

/// What a token allows. Its first use is written down.
pub(super) async fn find(
    database: &mut Object,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<AccessGrant>, StorageError> {
    match lookup(database, hash, now).await? {
        Some(found) if found.is_first_use => find_and_mark_seen(database, hash, now).await,
        found => Ok(found.map(|found| found.grant)),
    }
}

async fn lookup(
    database: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundToken>, StorageError> {
    let values = [&hash.as_bytes().as_slice() as _, &now.as_milliseconds() as _];
    let found = query_opt(database, FIND_ACCESS_TOKEN, &values).await?;
    found.map(|row| found_token(&row)).transpose()
}

fn found_token(row: &Row) -> Result<FoundToken, StorageError> {
    let grant = AccessGrant {
        member: MemberId::from_row(row.try_get(0)?),
        client_id: client_id(row.try_get(1)?)?,
        scope: scope(row.try_get(2)?)?,
        expires_at: Timestamp::from_milliseconds(row.try_get(3)?),
    };
    let generation = Generation { family: row.try_get(4)?, number: row.try_get(5)? };
    let is_first_use = generation.number > row.try_get(6)?;
    Ok(FoundToken { grant, generation, is_first_use })
}

/// Finds a token and writes down that its generation is in use: from now on, using an older refresh token means that two hold
/// it. The token is looked for anew, because a refresh may have replaced it meanwhile.
async fn find_and_mark_seen(
    database: &mut Object,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<AccessGrant>, StorageError> {
    let transaction = database.transaction().await?;
    let token = hash.as_bytes().as_slice();
    query_opt(&transaction, LOCK_FAMILY_OF_ACCESS_TOKEN, &[&token]).await?;
    let Some(FoundToken { grant, generation, .. }) = lookup(&transaction, hash, now).await? else {
        return Ok(None);
    };
    let values = [&generation.number as _, &generation.family as _];
    execute(&transaction, MARK_GENERATION_SEEN, &values).await?;
    transaction.commit().await?;
    Ok(Some(grant))
}
