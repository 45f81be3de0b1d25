//! Access tokens: looked up with each request of a program.

use deadpool_postgres::{GenericClient, Object};
use oauth::{ACCESS_TOKEN, CredentialHash, ScopeSet, Timestamp};

use super::query::{begin, commit, execute, query_opt};
use super::statements::grants::{LOCK_FAMILY_OF_ACCESS_TOKEN, REMOVE_ACCESS_TOKEN_AND_TELL};
use crate::access_cache::CachedToken;
use crate::audit_row::address_text;
use crate::grants::FoundToken;
use crate::invalidation::Invalidation;
use crate::refresh_rule::Generation;
use crate::statements::grants::{
    ADD_ACCESS_TOKEN, FIND_ACCESS_TOKEN, MARK_GENERATION_SEEN, REMOVE_ACCESS_TOKENS_OF_GENERATION,
};
use crate::{Revoke, StorageError};

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

/// Removes a token that its client gives back; returns whether there was one.
pub(super) async fn remove(
    database: &impl GenericClient,
    revoke: &Revoke,
) -> Result<bool, StorageError> {
    let invalidation = Invalidation::Token(revoke.token).to_string();
    let values = [
        &revoke.token.as_bytes().as_slice() as _,
        &revoke.client_id.as_str() as _,
        &invalidation as _,
        &revoke.now.as_milliseconds() as _,
        &address_text(revoke.address) as _,
    ];
    Ok(query_opt(database, REMOVE_ACCESS_TOKEN_AND_TELL, &values).await?.is_some())
}

/// Finds a token. Its first use is written down.
pub(super) async fn find(
    database: &mut Object,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<CachedToken>, StorageError> {
    match lookup(database, hash, now).await? {
        Some(found) if found.is_first_use => find_and_mark_seen(database, hash, now).await,
        found => Ok(found.map(|found| found.token)),
    }
}

async fn lookup(
    database: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundToken>, StorageError> {
    let values = [&hash.as_bytes().as_slice() as _, &now.as_milliseconds() as _];
    let found = query_opt(database, FIND_ACCESS_TOKEN, &values).await?;
    let found = found.map(|row| FoundToken::from_row(*hash, &row)).transpose()?;
    Ok(found.filter(|found| found.token.grant.is_of_this_time(now)))
}

/// Finds a token and records that its generation is in use: from now on, using an older refresh token means that two hold
/// it. The token is looked up again, because a refresh may have replaced it meanwhile.
async fn find_and_mark_seen(
    database: &mut Object,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<CachedToken>, StorageError> {
    let transaction = begin(database).await?;
    let found = lock_and_find(&transaction, hash, now).await?;
    let Some(FoundToken { token, generation, .. }) = found else { return Ok(None) };
    execute(&transaction, MARK_GENERATION_SEEN, &[&generation, &token.family]).await?;
    commit(transaction).await?;
    Ok(Some(token))
}

/// Finds a token. Its family stays as it is to the end of the transaction.
pub(super) async fn hold(
    transaction: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<CachedToken>, StorageError> {
    let found = lock_and_find(transaction, hash, now).await?;
    Ok(found.map(|found| found.token))
}

async fn lock_and_find(
    transaction: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundToken>, StorageError> {
    let bytes = hash.as_bytes().as_slice();
    query_opt(transaction, LOCK_FAMILY_OF_ACCESS_TOKEN, &[&bytes]).await?;
    lookup(transaction, hash, now).await
}
