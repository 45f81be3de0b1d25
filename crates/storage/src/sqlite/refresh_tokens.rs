//! Refresh tokens: kept by clients that can keep a secret, replaced at each use for those that cannot.

use oauth::{CredentialHash, Lifetime, REFRESH_IDLE, ScopeSet, Timestamp};
use rusqlite::{Connection, Row, params};

use super::access_tokens;
use super::clients::{client_id, scope};
use super::token_families::{self, Generation};
use crate::statements::{
    ADD_REFRESH_TOKEN, FIND_REFRESH_TOKEN, MOVE_FAMILY_ON, REMOVE_REFRESH_TOKENS_OF_GENERATION,
};
use crate::{AccessGrant, MemberId, Refresh, RefreshOutcome, Revoke, Rotation, StorageError};

/// The idle limit is moved at most once a day, which spares all other refreshes of a kept token a write.
const IDLE_STEP: Lifetime = Lifetime::from_seconds(86_400);

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
) -> Result<RefreshOutcome, StorageError> {
    let Some(token) = find(database, &refresh.refresh_token)? else {
        return Ok(RefreshOutcome::Unknown);
    };
    if let Some(refused) = token.refuses(refresh) {
        if refused == RefreshOutcome::Reused {
            token_families::end(database, token.family, refresh.now)?;
        }
        return Ok(refused);
    }
    if token.is_retry() {
        remove_generation(database, token.next_generation())?;
    }
    let scope = refresh.scope.unwrap_or(token.scope);
    let generation = hand_out(database, &token, refresh)?;
    access_tokens::add(database, &refresh.access_token, generation, scope, refresh.now)?;
    Ok(RefreshOutcome::Refreshed(scope))
}

/// What a token can give; `None` unless a refresh with it would succeed.
pub(super) fn find_grant(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<AccessGrant>, StorageError> {
    let token = find(database, hash)?;
    token.filter(|token| token.is_good(now)).map(Token::grant).transpose()
}

/// Ends what a token of `client_id` belongs to; tells whether there was one.
pub(super) fn revoke(database: &Connection, revoke: &Revoke) -> Result<bool, StorageError> {
    let token = find(database, &revoke.token)?;
    let Some(token) = token.filter(|token| token.client_id == revoke.client_id.as_str()) else {
        return Ok(false);
    };
    token_families::end(database, token.family, revoke.now)?;
    Ok(true)
}

/// The answer to an earlier use was lost on its way: what it carried goes, so that there is only ever one successor.
fn remove_generation(database: &Connection, generation: Generation) -> Result<(), StorageError> {
    let values = params![generation.family, generation.number];
    database.prepare_cached(REMOVE_REFRESH_TOKENS_OF_GENERATION)?.execute(values)?;
    access_tokens::remove_generation(database, generation)
}

/// Keeps or replaces the refresh token; gives the generation to which the new tokens belong.
fn hand_out(
    database: &Connection,
    token: &Token,
    refresh: &Refresh,
) -> Result<Generation, StorageError> {
    let generation = match refresh.rotation {
        Rotation::Keep => token.generation(),
        Rotation::Replace(successor) => {
            add(database, &successor, token.next_generation())?;
            token.next_generation()
        }
    };
    let expires_at = (refresh.now + REFRESH_IDLE).min(token.ends_at);
    let is_worth_moving = expires_at - IDLE_STEP >= token.expires_at;
    if generation.number != token.family_generation || is_worth_moving {
        let values = params![generation.number, expires_at.as_milliseconds(), generation.family];
        database.prepare_cached(MOVE_FAMILY_ON)?.execute(values)?;
    }
    Ok(generation)
}

/// A refresh token beside its family.
struct Token {
    number: i64,
    family: i64,
    client_id: String,
    scope: ScopeSet,
    family_generation: i64,
    seen_generation: i64,
    expires_at: Timestamp,
    ends_at: Timestamp,
    has_ended: bool,
    member: MemberId,
}

impl Token {
    /// Why the token is not good for this refresh. Of another client's token nothing else is looked at.
    fn refuses(&self, refresh: &Refresh) -> Option<RefreshOutcome> {
        if self.client_id != refresh.client_id.as_str() {
            Some(RefreshOutcome::OtherClient)
        } else if self.has_ended {
            Some(RefreshOutcome::Ended)
        } else if self.expires_at <= refresh.now {
            Some(RefreshOutcome::Expired)
        } else if !self.is_newest() && !self.is_retry() {
            Some(RefreshOutcome::Reused)
        } else if refresh.scope.is_some_and(|wanted| !wanted.is_subset_of(self.scope)) {
            Some(RefreshOutcome::ScopeTooWide)
        } else {
            None
        }
    }

    fn is_good(&self, now: Timestamp) -> bool {
        !self.has_ended && self.expires_at > now && (self.is_newest() || self.is_retry())
    }

    fn grant(self) -> Result<AccessGrant, StorageError> {
        Ok(AccessGrant {
            member: self.member,
            client_id: client_id(&self.client_id)?,
            scope: self.scope,
            expires_at: self.expires_at,
        })
    }

    fn is_newest(&self) -> bool {
        self.number == self.family_generation
    }

    /// Whether the token is spent, but nobody has used what it was spent for.
    fn is_retry(&self) -> bool {
        self.number + 1 == self.family_generation && self.seen_generation <= self.number
    }

    fn generation(&self) -> Generation {
        Generation { family: self.family, number: self.number }
    }

    fn next_generation(&self) -> Generation {
        Generation { family: self.family, number: self.number + 1 }
    }
}

fn find(database: &Connection, hash: &CredentialHash) -> Result<Option<Token>, StorageError> {
    let mut statement = database.prepare_cached(FIND_REFRESH_TOKEN)?;
    let mut rows = statement.query([hash.as_bytes()])?;
    rows.next()?.map(token).transpose()
}

fn token(row: &Row<'_>) -> Result<Token, StorageError> {
    Ok(Token {
        number: row.get(0)?,
        family: row.get(1)?,
        client_id: row.get(2)?,
        scope: scope(&row.get::<_, String>(3)?)?,
        family_generation: row.get(4)?,
        seen_generation: row.get(5)?,
        expires_at: Timestamp::from_milliseconds(row.get(6)?),
        ends_at: Timestamp::from_milliseconds(row.get(7)?),
        has_ended: row.get::<_, Option<i64>>(8)?.is_some(),
        member: MemberId::from_row(row.get(9)?),
    })
}
