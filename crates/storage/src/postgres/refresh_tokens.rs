//! Refresh tokens: kept for clients that can keep a secret, replaced at each use for clients that cannot.
//!
//! A refresh that goes as it should is one statement. Any other is looked at in a transaction that has the family to itself, also one of a
//! client that may not be given all that was granted any more.

use deadpool_postgres::{GenericClient, Object};
use oauth::{ACCESS_TOKEN, CredentialHash, REFRESH_IDLE, Timestamp};
use tokio_postgres::Row;

use super::query::{begin, commit, execute, query_opt};
use super::statements::grants::{LOCK_FAMILY_OF_REFRESH_TOKEN, REFRESH_KEEPING, REFRESH_REPLACING};
use super::{access_tokens, grants};
use crate::access_cache::CachedToken;
use crate::invalidation::Change;
use crate::refresh_rule::{Generation, RefreshToken, USE_STEP};
use crate::statements::grants::{
    ADD_REFRESH_TOKEN, FIND_REFRESH_TOKEN, MARK_REFRESH_TOKENS_REPLACED, MOVE_FAMILY_ON,
    REMOVE_OTHER_REFRESH_TOKENS_OF_GENERATION,
};
use crate::stored::scope;
use crate::{
    AccessGrant, AuditEvent, MemberId, Refresh, RefreshOutcome, Revoke, Rotation, StorageError,
};

pub(super) async fn refresh(
    database: &mut Object,
    refresh: &Refresh,
) -> Result<(RefreshOutcome, Change), StorageError> {
    let at_once = match refresh.rotation {
        Rotation::Keep => keep_at_once(database, refresh).await?,
        Rotation::Replace(successor) | Rotation::ReplaceBeside(successor) => {
            replace_at_once(database, refresh, successor).await?
        }
    };
    match at_once {
        Some(row) => refreshed(&row, refresh),
        None => refresh_alone(database, refresh).await,
    }
}

async fn keep_at_once(
    database: &impl GenericClient,
    refresh: &Refresh,
) -> Result<Option<Row>, StorageError> {
    let now = refresh.now;
    let values = [
        &refresh.refresh_token.as_bytes().as_slice() as _,
        &refresh.client_id.as_str() as _,
        &now.as_milliseconds() as _,
        &refresh.scope.map(|scope| scope.to_string()) as _,
        &(now + REFRESH_IDLE).as_milliseconds() as _,
        &(USE_STEP.seconds() * 1_000) as _,
        &refresh.access_token.as_bytes().as_slice() as _,
        &(now + ACCESS_TOKEN).as_milliseconds() as _,
        &now.last_good_end(REFRESH_IDLE).as_milliseconds() as _,
        &refresh.widest_scope.to_string() as _,
    ];
    query_opt(database, REFRESH_KEEPING, &values).await
}

async fn replace_at_once(
    database: &impl GenericClient,
    refresh: &Refresh,
    successor: CredentialHash,
) -> Result<Option<Row>, StorageError> {
    let now = refresh.now;
    let values = [
        &refresh.refresh_token.as_bytes().as_slice() as _,
        &refresh.client_id.as_str() as _,
        &now.as_milliseconds() as _,
        &refresh.scope.map(|scope| scope.to_string()) as _,
        &(now + REFRESH_IDLE).as_milliseconds() as _,
        &successor.as_bytes().as_slice() as _,
        &refresh.access_token.as_bytes().as_slice() as _,
        &(now + ACCESS_TOKEN).as_milliseconds() as _,
        &now.last_good_end(REFRESH_IDLE).as_milliseconds() as _,
        &refresh.widest_scope.to_string() as _,
    ];
    query_opt(database, REFRESH_REPLACING, &values).await
}

/// What a refresh at once has come to.
fn refreshed(row: &Row, refresh: &Refresh) -> Result<(RefreshOutcome, Change), StorageError> {
    let scope = scope(row.try_get(2)?)?;
    let is_seen: bool = row.try_get(3)?;
    let grant = AccessGrant {
        member: MemberId::from_row(row.try_get(1)?),
        client_id: refresh.client_id.clone(),
        scope,
        expires_at: refresh.now + ACCESS_TOKEN,
    };
    let token = CachedToken::of_family(refresh.access_token, row.try_get(0)?, grant);
    let change = if is_seen { Change::Issued(token) } else { Change::Nothing };
    Ok((RefreshOutcome::Refreshed(scope), change))
}

/// Step by step, while no other request uses a token of the family.
async fn refresh_alone(
    database: &mut Object,
    refresh: &Refresh,
) -> Result<(RefreshOutcome, Change), StorageError> {
    let transaction = begin(database).await?;
    let hash = refresh.refresh_token.as_bytes().as_slice();
    query_opt(&transaction, LOCK_FAMILY_OF_REFRESH_TOKEN, &[&hash]).await?;
    let Some(token) = find(&transaction, &refresh.refresh_token).await? else {
        return Ok((RefreshOutcome::Unknown, Change::Nothing));
    };
    let done = use_token(&transaction, token, refresh).await?;
    commit(transaction).await?;
    Ok(done)
}

async fn use_token(
    database: &impl GenericClient,
    token: RefreshToken,
    refresh: &Refresh,
) -> Result<(RefreshOutcome, Change), StorageError> {
    let scope = match token.check(refresh) {
        Ok(scope) => scope,
        Err(refused) => {
            if refused == RefreshOutcome::Reused {
                let event = AuditEvent::RefreshTokenReused;
                grants::end(database, token.family, event, &refresh.into()).await?;
            }
            return Ok((refused, token.change_by_refusal(refused)));
        }
    };
    if token.replaces_successor(refresh) {
        replace_generation(database, token.next_generation()).await?;
    }
    let generation = hand_out(database, &token, refresh).await?;
    access_tokens::add(database, &refresh.access_token, generation, scope, refresh.now).await?;
    let outcome = token.refreshed(refresh, scope);
    Ok((outcome, token.change_by_refresh(generation, scope, refresh)))
}

/// The answer to an earlier use was lost: its tokens become invalid, so that there is only ever one successor.
async fn replace_generation(
    database: &impl GenericClient,
    generation: Generation,
) -> Result<(), StorageError> {
    let Generation { family, number } = generation;
    execute(database, MARK_REFRESH_TOKENS_REPLACED, &[&family, &number]).await?;
    access_tokens::remove_generation(database, generation).await
}

/// Removes tokens issued at the same moment as the one now used, so that only one line continues.
async fn remove_others(
    database: &impl GenericClient,
    generation: Generation,
    used: &CredentialHash,
) -> Result<(), StorageError> {
    let Generation { family, number } = generation;
    let values = [&family as _, &number as _, &used.as_bytes().as_slice() as _];
    execute(database, REMOVE_OTHER_REFRESH_TOKENS_OF_GENERATION, &values).await?;
    Ok(())
}

/// Keeps or replaces the refresh token; gives the generation to which the new tokens belong. The family is written in any case:
/// a request that waits for it has to notice.
async fn hand_out(
    database: &impl GenericClient,
    token: &RefreshToken,
    refresh: &Refresh,
) -> Result<Generation, StorageError> {
    let generation = match refresh.rotation {
        Rotation::Keep => token.generation(),
        Rotation::Replace(successor) | Rotation::ReplaceBeside(successor) => {
            if token.is_newest() {
                remove_others(database, token.generation(), &refresh.refresh_token).await?;
            }
            let Generation { family, number } = token.next_generation();
            let successor = successor.as_bytes().as_slice();
            execute(database, ADD_REFRESH_TOKEN, &[&successor, &family, &number]).await?;
            token.next_generation()
        }
    };
    let expires_at = token.expires_after_use(refresh.now).as_milliseconds();
    let last_used_at = token.last_used_after(generation, refresh.now).as_milliseconds();
    let Generation { family, number } = generation;
    let values = [&number as _, &expires_at as _, &last_used_at as _, &family as _];
    execute(database, MOVE_FAMILY_ON, &values).await?;
    Ok(generation)
}

/// What a token can give; `None` unless a refresh with it would succeed.
pub(super) async fn find_grant(
    database: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<AccessGrant>, StorageError> {
    find(database, hash).await?.map_or(Ok(None), |token| token.grant(now))
}

/// Ends the family that a token of `client_id` belongs to, if there is one.
pub(super) async fn revoke(
    database: &impl GenericClient,
    revoke: &Revoke,
) -> Result<Option<i64>, StorageError> {
    let token = find(database, &revoke.token).await?;
    let Some(token) = token.filter(|token| token.client_id == revoke.client_id.as_str()) else {
        return Ok(None);
    };
    let event = AuditEvent::GrantRevoked;
    grants::end(database, token.family, event, &revoke.into()).await?;
    Ok(Some(token.family))
}

async fn find(
    database: &impl GenericClient,
    hash: &CredentialHash,
) -> Result<Option<RefreshToken>, StorageError> {
    let found = query_opt(database, FIND_REFRESH_TOKEN, &[&hash.as_bytes().as_slice()]).await?;
    found.map(|row| RefreshToken::from_row(&row)).transpose()
}
