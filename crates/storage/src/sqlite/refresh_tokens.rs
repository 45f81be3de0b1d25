//! Refresh tokens: kept for clients that can keep a secret, replaced at each use for clients that cannot.

use oauth::{CredentialHash, Timestamp};
use rusqlite::{Connection, params};

use super::query::query_opt;
use super::{access_tokens, grants};
use crate::invalidation::Change;
use crate::refresh_rule::{Generation, RefreshToken};
use crate::statements::grants::{
    ADD_REFRESH_TOKEN, FIND_REFRESH_TOKEN, MARK_REFRESH_TOKENS_REPLACED, MOVE_FAMILY_ON,
    REMOVE_OTHER_REFRESH_TOKENS_OF_GENERATION,
};
use crate::{AccessGrant, AuditEvent, Refresh, RefreshOutcome, Revoke, Rotation, StorageError};

pub(super) fn add(
    database: &Connection,
    hash: &CredentialHash,
    generation: Generation,
) -> Result<(), StorageError> {
    let values = params![hash.as_bytes(), generation.family, generation.number];
    database.prepare_cached(ADD_REFRESH_TOKEN)?.execute(values)?;
    Ok(())
}

pub(super) fn refresh(
    database: &Connection,
    refresh: &Refresh,
) -> Result<(RefreshOutcome, Change), StorageError> {
    let Some(token) = find(database, &refresh.refresh_token)? else {
        return Ok((RefreshOutcome::Unknown, Change::Nothing));
    };
    let scope = match token.check(refresh) {
        Ok(scope) => scope,
        Err(refused) => {
            if refused == RefreshOutcome::Reused {
                let event = AuditEvent::RefreshTokenReused;
                grants::end(database, token.family, event, &refresh.into())?;
            }
            return Ok((refused, token.change_by_refusal(refused)));
        }
    };
    if token.replaces_successor(refresh) {
        replace_generation(database, token.next_generation())?;
    }
    let generation = hand_out(database, &token, refresh)?;
    access_tokens::add(database, &refresh.access_token, generation, scope, refresh.now)?;
    let outcome = token.refreshed(refresh, scope);
    Ok((outcome, token.change_by_refresh(generation, scope, refresh)))
}

/// What a token can give; `None` unless a refresh with it would succeed.
pub(super) fn find_grant(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<AccessGrant>, StorageError> {
    find(database, hash)?.map_or(Ok(None), |token| token.grant(now))
}

/// Ends the family that a token of `client_id` belongs to, if there is one.
pub(super) fn revoke(database: &Connection, revoke: &Revoke) -> Result<Option<i64>, StorageError> {
    let token = find(database, &revoke.token)?;
    let Some(token) = token.filter(|token| token.client_id == revoke.client_id.as_str()) else {
        return Ok(None);
    };
    grants::end(database, token.family, AuditEvent::GrantRevoked, &revoke.into())?;
    Ok(Some(token.family))
}

/// The answer to an earlier use was lost: its tokens become invalid, so that there is only ever one successor.
fn replace_generation(database: &Connection, generation: Generation) -> Result<(), StorageError> {
    let values = params![generation.family, generation.number];
    database.prepare_cached(MARK_REFRESH_TOKENS_REPLACED)?.execute(values)?;
    access_tokens::remove_generation(database, generation)
}

/// Removes tokens issued at the same moment as the one now used, so that only one line continues.
fn remove_others(
    database: &Connection,
    generation: Generation,
    used: &CredentialHash,
) -> Result<(), StorageError> {
    let values = params![generation.family, generation.number, used.as_bytes()];
    database.prepare_cached(REMOVE_OTHER_REFRESH_TOKENS_OF_GENERATION)?.execute(values)?;
    Ok(())
}

/// Keeps or replaces the refresh token; gives the generation to which the new tokens belong.
fn hand_out(
    database: &Connection,
    token: &RefreshToken,
    refresh: &Refresh,
) -> Result<Generation, StorageError> {
    let generation = match refresh.rotation {
        Rotation::Keep => token.generation(),
        Rotation::Replace(successor) | Rotation::ReplaceBeside(successor) => {
            if token.is_newest() {
                remove_others(database, token.generation(), &refresh.refresh_token)?;
            }
            add(database, &successor, token.next_generation())?;
            token.next_generation()
        }
    };
    let last_used_at = token.last_used_after(generation, refresh.now);
    if last_used_at != token.last_used_at || generation.number != token.family_generation {
        let expires_at = token.expires_after_use(refresh.now).as_milliseconds();
        let last_used_at = last_used_at.as_milliseconds();
        let values = params![generation.number, expires_at, last_used_at, generation.family];
        database.prepare_cached(MOVE_FAMILY_ON)?.execute(values)?;
    }
    Ok(generation)
}

fn find(
    database: &Connection,
    hash: &CredentialHash,
) -> Result<Option<RefreshToken>, StorageError> {
    query_opt(database, FIND_REFRESH_TOKEN, [hash.as_bytes()], |row| RefreshToken::from_row(row))
}
