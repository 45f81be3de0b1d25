//! Access tokens: looked up with each request of a program.

use oauth::{ACCESS_TOKEN, ClientId, CredentialHash, ScopeSet, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::access_cache::CachedToken;
use crate::refresh_rule::Generation;
use crate::statements::grants::{
    ADD_ACCESS_TOKEN, FIND_ACCESS_TOKEN, MARK_GENERATION_SEEN, REMOVE_ACCESS_TOKEN_OF_CLIENT,
    REMOVE_ACCESS_TOKENS_OF_GENERATION,
};
use crate::stored::{client_id, scope};
use crate::{AccessGrant, MemberId, StorageError};

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

/// Removes a token of `client_id`; tells in whose name it was, if there was one.
pub(super) fn remove(
    database: &Connection,
    hash: &CredentialHash,
    client_id: &ClientId,
) -> Result<Option<MemberId>, StorageError> {
    let values = params![hash.as_bytes(), client_id.as_str()];
    let mut statement = database.prepare_cached(REMOVE_ACCESS_TOKEN_OF_CLIENT)?;
    let removed = statement.query_row(values, |row| row.get(0)).optional()?;
    Ok(removed.map(MemberId::from_row))
}

/// A token, and whether it is the first of its generation to be used.
pub(super) struct FoundToken {
    pub(super) token: CachedToken,
    pub(super) is_first_use: bool,
    generation: i64,
}

pub(super) fn find(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundToken>, StorageError> {
    let mut statement = database.prepare_cached(FIND_ACCESS_TOKEN)?;
    let mut rows = statement.query(params![hash.as_bytes(), now.as_milliseconds()])?;
    let found = rows.next()?.map(|row| found_token(*hash, row)).transpose()?;
    Ok(found.filter(|found| found.token.grant.is_of_this_time(now)))
}

fn found_token(hash: CredentialHash, row: &Row<'_>) -> Result<FoundToken, StorageError> {
    let grant = AccessGrant {
        member: MemberId::from_row(row.get(0)?),
        client_id: client_id(&row.get::<_, String>(1)?)?,
        scope: scope(&row.get::<_, String>(2)?)?,
        expires_at: Timestamp::from_milliseconds(row.get(3)?),
    };
    let token = CachedToken { hash, family: row.get(4)?, grant };
    let generation: i64 = row.get(5)?;
    let is_first_use = generation > row.get(6)?;
    Ok(FoundToken { token, is_first_use, generation })
}

/// Finds a token and writes down that its generation is in use: from now on, using an older refresh token means that two hold
/// it. The token is looked for anew, because a refresh may have replaced it meanwhile.
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
