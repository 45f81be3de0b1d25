//! Token families: everything that comes from one authorization code, and ends together.

use oauth::{REFRESH_ABSOLUTE, REFRESH_IDLE, ScopeSet, Timestamp};
use rusqlite::{Connection, params};

use super::{access_tokens, refresh_tokens};
use crate::refresh_rule::Generation;
use crate::statements::{ADD_FAMILY, END_FAMILY};
use crate::{ExchangeCode, MemberId, Revoke, RevokeOutcome, StorageError};

/// The tokens of the exchange itself.
const FIRST_GENERATION: i64 = 0;

/// Stores what an exchanged code becomes.
pub(super) fn start(
    database: &Connection,
    exchange: &ExchangeCode,
    member: MemberId,
    scope: ScopeSet,
) -> Result<(), StorageError> {
    let family = database.prepare_cached(ADD_FAMILY)?.query_row(
        params![
            exchange.code.as_bytes(),
            exchange.client_id.as_str(),
            member.to_row(),
            scope.to_string(),
            (exchange.now + REFRESH_IDLE).as_milliseconds(),
            (exchange.now + REFRESH_ABSOLUTE).as_milliseconds(),
        ],
        |row| row.get(0),
    )?;
    let generation = Generation { family, number: FIRST_GENERATION };
    refresh_tokens::add(database, &exchange.refresh_token, generation)?;
    access_tokens::add(database, &exchange.access_token, generation, scope, exchange.now)
}

/// Revokes a token of whichever kind: a refresh token with all that belongs to it, an access token alone (RFC 7009 section 2.1).
pub(super) fn revoke(
    database: &Connection,
    revoke: &Revoke,
) -> Result<RevokeOutcome, StorageError> {
    Ok(if refresh_tokens::revoke(database, revoke)? {
        RevokeOutcome::FamilyEnded
    } else if access_tokens::remove(database, &revoke.token, &revoke.client_id)? {
        RevokeOutcome::AccessTokenRemoved
    } else {
        RevokeOutcome::NotTheirs
    })
}

/// Ends a family and with it all of its tokens. One that has ended already stays as it is.
pub(super) fn end(database: &Connection, family: i64, now: Timestamp) -> Result<(), StorageError> {
    database.prepare_cached(END_FAMILY)?.execute(params![now.as_milliseconds(), family])?;
    Ok(())
}
