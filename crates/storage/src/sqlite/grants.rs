//! Token families: everything that comes from one authorization code, and ends together.

use async_trait::async_trait;
use oauth::{ACCESS_TOKEN, CredentialHash, REFRESH_ABSOLUTE, REFRESH_IDLE, ScopeSet, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::query::execute;
use super::{SqliteStore, access_tokens, audit, refresh_tokens, signing_key};
use crate::access_cache::CachedToken;
use crate::audit::ClientAct;
use crate::invalidation::{Change, Invalidation};
use crate::refresh_rule::Generation;
use crate::statements::api_tokens::{REMOVE_ALL_API_TOKENS, REMOVE_ALL_SERVICES};
use crate::statements::grants::{
    ADD_FAMILY, END_ALL_FAMILIES, END_FAMILY, REMOVE_ALL_CODES, REMOVE_ALL_SESSIONS,
};
use crate::statements::invitations::REMOVE_ALL_INVITATIONS;
use crate::statements::preview_links::REVOKE_ALL_PREVIEW_LINKS;
use crate::statements::results_links::REMOVE_ALL_RESULTS_LINKS;
use crate::{
    AccessGrant, AuditEvent, EndedEverything, ExchangeCode, GrantStore, MemberId, NewAuditEntry,
    NewKeys, Refresh, RefreshOutcome, Revoke, RevokeOutcome, StorageError,
};

#[async_trait]
impl GrantStore for SqliteStore {
    async fn refresh(&self, refresh: Refresh) -> Result<RefreshOutcome, StorageError> {
        self.change_tokens(refresh.now, move |database| refresh_tokens::refresh(database, &refresh))
            .await
    }

    async fn find_access_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError> {
        if self.check_other_processes(now).await
            && let Some(grant) = self.cache.find_token(hash, now)
        {
            return Ok(Some(grant));
        }
        let epoch = self.cache.epoch();
        let found = match self.read_access_token(*hash, now).await? {
            Some(token) => Some(token),
            None => self.read_api_token(*hash, now).await?,
        };
        let Some(token) = found else { return Ok(None) };
        let grant = token.grant.clone();
        self.cache.keep_token(epoch, token);
        Ok(Some(grant))
    }

    async fn find_refresh_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError> {
        let hash = *hash;
        self.readers.read(move |database| refresh_tokens::find_grant(database, &hash, now)).await
    }

    async fn revoke(&self, asked: Revoke) -> Result<RevokeOutcome, StorageError> {
        self.change_tokens(asked.now, move |database| revoke(database, &asked)).await
    }

    async fn end_everything(
        &self,
        keys: NewKeys,
        now: Timestamp,
    ) -> Result<EndedEverything, StorageError> {
        let end = move |database: &Connection| {
            signing_key::put(database, &keys)?;
            end_everything(database, now)
        };
        self.change_tokens(now, end).await
    }
}

/// The tokens of the exchange itself.
const FIRST_GENERATION: i64 = 0;

/// Stores what an exchanged code becomes; gives the access token.
pub(super) fn start(
    database: &Connection,
    exchange: &ExchangeCode,
    member: MemberId,
    scope: ScopeSet,
) -> Result<CachedToken, StorageError> {
    let family = database.prepare_cached(ADD_FAMILY)?.query_row(
        params![
            exchange.code.as_bytes(),
            exchange.client_id.as_str(),
            member.to_row(),
            scope.to_string(),
            (exchange.now + REFRESH_IDLE).as_milliseconds(),
            (exchange.now + REFRESH_ABSOLUTE).as_milliseconds(),
            exchange.now.as_milliseconds(),
        ],
        |row| row.get(0),
    )?;
    let generation = Generation { family, number: FIRST_GENERATION };
    refresh_tokens::add(database, &exchange.refresh_token, generation)?;
    access_tokens::add(database, &exchange.access_token, generation, scope, exchange.now)?;
    let grant = AccessGrant {
        member,
        client_id: exchange.client_id.clone(),
        scope,
        expires_at: exchange.now + ACCESS_TOKEN,
    };
    Ok(CachedToken::of_family(exchange.access_token, family, grant))
}

/// Revokes a token of either kind: a refresh token with everything that belongs to it, an access token alone (RFC 7009 section 2.1).
pub(super) fn revoke(
    database: &Connection,
    revoke: &Revoke,
) -> Result<(RevokeOutcome, Change), StorageError> {
    if let Some(family) = refresh_tokens::revoke(database, revoke)? {
        return Ok((RevokeOutcome::FamilyEnded, Change::Ended(Invalidation::Family(family))));
    }
    let removed = access_tokens::remove(database, &revoke.token, &revoke.client_id)?;
    let Some(member) = removed else { return Ok((RevokeOutcome::NotTheirs, Change::Nothing)) };
    let entry = ClientAct::from(revoke).entry(AuditEvent::AccessTokenRevoked, member, "");
    audit::add(database, &entry)?;
    Ok((RevokeOutcome::AccessTokenRemoved, Change::Ended(Invalidation::Token(revoke.token))))
}

/// Ends a family and with it all of its tokens, because of what a client did. One that has ended already stays as it is.
pub(super) fn end(
    database: &Connection,
    family: i64,
    event: AuditEvent,
    act: &ClientAct<'_>,
) -> Result<(), StorageError> {
    let mut statement = database.prepare_cached(END_FAMILY)?;
    let values = params![act.at.as_milliseconds(), family];
    let ended = statement.query_row(values, |row| row.get(0)).optional()?;
    match ended.map(MemberId::from_row) {
        Some(member) => audit::add(database, &act.entry(event, member, "")),
        None => Ok(()),
    }
}

/// Ends all families, codes, sessions, links and invitations, and removes all API tokens and services.
pub(super) fn end_everything(
    database: &Connection,
    now: Timestamp,
) -> Result<(EndedEverything, Change), StorageError> {
    database.prepare_cached(REMOVE_ALL_CODES)?.execute([])?;
    let families = database.prepare_cached(END_ALL_FAMILIES)?.execute([now.as_milliseconds()])?;
    let sessions = database.prepare_cached(REMOVE_ALL_SESSIONS)?.execute([])?;
    execute(database, REVOKE_ALL_PREVIEW_LINKS, [now.as_milliseconds()])?;
    execute(database, REMOVE_ALL_INVITATIONS, [])?;
    execute(database, REMOVE_ALL_RESULTS_LINKS, [])?;
    let api_tokens = execute(database, REMOVE_ALL_API_TOKENS, [])?;
    let services = execute(database, REMOVE_ALL_SERVICES, [])?;
    audit::add(database, &NewAuditEntry::of_everything(now))?;
    let ended = EndedEverything {
        families: families as u64,
        sessions: sessions as u64,
        api_tokens: api_tokens as u64,
        services: services as u64,
    };
    Ok((ended, Change::Ended(Invalidation::Everything)))
}
