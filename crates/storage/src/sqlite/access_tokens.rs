//! Access tokens: looked up with each request of a program.

use oauth::{ACCESS_TOKEN, ClientId, CredentialHash, ScopeSet, Timestamp};
use rusqlite::{Connection, Row, params};

use super::query::query_opt;
use crate::access_cache::CachedToken;
use crate::grants::FoundToken;
use crate::refresh_rule::Generation;
use crate::row::Row as _;
use crate::statements::grants::{
    ADD_ACCESS_TOKEN, FIND_ACCESS_TOKEN, MARK_GENERATION_SEEN, REMOVE_ACCESS_TOKEN_OF_CLIENT,
    REMOVE_ACCESS_TOKENS_OF_GENERATION,
};
use crate::{MemberId, StorageError};

pub(super) fn add(
    database: &Connection,
    hash: &CredentialHash,
    generation: Generation,
    scope: ScopeSet,
    now: Timestamp,
) -> Result<(), StorageError> {
    database.prepare_cached(ADD_ACCESS_TOKEN)?.execute(params![
        hash.as_bytes(),
        generation.family,
        generation.number,
        scope.to_string(),
        (now + ACCESS_TOKEN).as_milliseconds(),
    ])?;
    Ok(())
}

pub(super) fn remove_generation(
    database: &Connection,
    generation: Generation,
) -> Result<(), StorageError> {
    let values = params![generation.family, generation.number];
    database.prepare_cached(REMOVE_ACCESS_TOKENS_OF_GENERATION)?.execute(values)?;
    Ok(())
}

/// Removes a token of `client_id`; returns in whose name it was, if there was one.
pub(super) fn remove(
    database: &Connection,
    hash: &CredentialHash,
    client_id: &ClientId,
) -> Result<Option<MemberId>, StorageError> {
    let values = params![hash.as_bytes(), client_id.as_str()];
    let removed = query_opt(database, REMOVE_ACCESS_TOKEN_OF_CLIENT, values, |row| row.column(0))?;
    Ok(removed.map(MemberId::from_row))
}

pub(super) fn find(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundToken>, StorageError> {
    let values = params![hash.as_bytes(), now.as_milliseconds()];
    let read = |row: &Row<'_>| FoundToken::from_row(*hash, row);
    let found = query_opt(database, FIND_ACCESS_TOKEN, values, read)?;
    Ok(found.filter(|found| found.token.grant.is_of_this_time(now)))
}

/// Finds a token and records that its generation is in use: from now on, using an older refresh token means that two hold
/// it. The token is looked up again, because a refresh may have replaced it meanwhile.
pub(super) fn find_and_mark_seen(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<CachedToken>, StorageError> {
    let Some(FoundToken { token, generation, .. }) = find(database, hash, now)? else {
        return Ok(None);
    };
    let values = params![generation, token.family];
    database.prepare_cached(MARK_GENERATION_SEEN)?.execute(values)?;
    Ok(Some(token))
}
