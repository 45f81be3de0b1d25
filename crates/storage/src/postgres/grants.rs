//! Token families: everything that comes from one authorization code, and ends together.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object};
use oauth::{CredentialHash, Timestamp};

use super::query::{begin, commit, execute_unhurried, query_one, query_opt, take_your_time};
use super::statements::grants::{END_FAMILY_AND_TELL, TELL};
use super::{PostgresStore, TRIES, access_tokens, api_tokens, audit, refresh_tokens, signing_key};
use crate::audit::ClientAct;
use crate::audit_row::address_text;
use crate::invalidation::{Change, Invalidation};
use crate::statements::api_tokens::{REMOVE_ALL_API_TOKENS, REMOVE_ALL_SERVICES};
use crate::statements::grants::{END_ALL_FAMILIES, REMOVE_ALL_CODES, REMOVE_ALL_SESSIONS};
use crate::statements::invitations::REMOVE_ALL_INVITATIONS;
use crate::statements::preview_links::REVOKE_ALL_PREVIEW_LINKS;
use crate::statements::results_links::REMOVE_ALL_RESULTS_LINKS;
use crate::{
    AccessGrant, AuditEvent, EndedEverything, GrantStore, NewAuditEntry, NewKeys, Refresh,
    RefreshOutcome, Revoke, RevokeOutcome, StorageError,
};

#[async_trait]
impl GrantStore for PostgresStore {
    async fn refresh(&self, refresh: Refresh) -> Result<RefreshOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let mut tries = 0..TRIES;
        let (outcome, change) = loop {
            match refresh_tokens::refresh(&mut connection.database, &refresh).await {
                Err(StorageError::Busy) if tries.next().is_some() => {}
                done => break done?,
            }
        };
        self.cache.apply(epoch, change);
        self.clean(connection, refresh.now);
        Ok(outcome)
    }

    async fn find_access_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError> {
        if self.cache.find_token(hash, now).is_some()
            && self.listener().hear_everything().await
            && let Some(grant) = self.cache.find_token(hash, now)
        {
            return Ok(Some(grant));
        }
        let epoch = self.cache.epoch();
        let mut connection = self.connections.get().await?;
        let found = access_tokens::find(&mut connection.database, hash, now).await?;
        let found = match found {
            Some(token) => Some(token),
            None => api_tokens::find(&connection.database, hash, now).await?,
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
        let connection = self.connections.get().await?;
        refresh_tokens::find_grant(&connection.database, hash, now).await
    }

    async fn revoke(&self, asked: Revoke) -> Result<RevokeOutcome, StorageError> {
        let connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        Ok(self.answer(epoch, revoke(&connection.database, &asked).await?))
    }

    async fn end_everything(
        &self,
        keys: NewKeys,
        now: Timestamp,
    ) -> Result<EndedEverything, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let (ended, change) = end_everything(&mut connection.database, &keys, now).await?;
        self.cache.apply(epoch, change);
        Ok(ended)
    }
}

/// Revokes a token of either kind: a refresh token with everything that belongs to it, an access token alone (RFC 7009 section 2.1).
pub(super) async fn revoke(
    database: &impl GenericClient,
    revoke: &Revoke,
) -> Result<(RevokeOutcome, Change), StorageError> {
    Ok(if let Some(family) = refresh_tokens::revoke(database, revoke).await? {
        (RevokeOutcome::FamilyEnded, Change::Ended(Invalidation::Family(family)))
    } else if access_tokens::remove(database, revoke).await? {
        (RevokeOutcome::AccessTokenRemoved, Change::Ended(Invalidation::Token(revoke.token)))
    } else {
        (RevokeOutcome::NotTheirs, Change::Nothing)
    })
}

/// Ends a family and with it all of its tokens, because of what a client did. One that has ended already stays as it is.
pub(super) async fn end(
    database: &impl GenericClient,
    family: i64,
    event: AuditEvent,
    act: &ClientAct<'_>,
) -> Result<(), StorageError> {
    let invalidation = Invalidation::Family(family).to_string();
    let values = [
        &act.at.as_milliseconds() as _,
        &family as _,
        &invalidation as _,
        &event.as_str() as _,
        &address_text(act.address) as _,
    ];
    query_opt(database, END_FAMILY_AND_TELL, &values).await?;
    Ok(())
}

/// Ends all families, codes, sessions, links and invitations, and removes all API tokens and services.
pub(super) async fn end_everything(
    database: &mut Object,
    keys: &NewKeys,
    now: Timestamp,
) -> Result<(EndedEverything, Change), StorageError> {
    let transaction = begin(database).await?;
    take_your_time(&transaction).await?;
    signing_key::put(&transaction, keys).await?;
    let ended = end_everything_within(&transaction, now).await?;
    commit(transaction).await?;
    Ok((ended, Change::Ended(Invalidation::Everything)))
}

/// The same within a transaction.
pub(super) async fn end_everything_within(
    database: &impl GenericClient,
    now: Timestamp,
) -> Result<EndedEverything, StorageError> {
    execute_unhurried(database, REMOVE_ALL_CODES, &[]).await?;
    let families = execute_unhurried(database, END_ALL_FAMILIES, &[&now.as_milliseconds()]).await?;
    let sessions = execute_unhurried(database, REMOVE_ALL_SESSIONS, &[]).await?;
    execute_unhurried(database, REVOKE_ALL_PREVIEW_LINKS, &[&now.as_milliseconds()]).await?;
    execute_unhurried(database, REMOVE_ALL_INVITATIONS, &[]).await?;
    execute_unhurried(database, REMOVE_ALL_RESULTS_LINKS, &[]).await?;
    let api_tokens = execute_unhurried(database, REMOVE_ALL_API_TOKENS, &[]).await?;
    let services = execute_unhurried(database, REMOVE_ALL_SERVICES, &[]).await?;
    audit::add(database, &NewAuditEntry::of_everything(now)).await?;
    query_one(database, TELL, &[&Invalidation::Everything.to_string()]).await?;
    Ok(EndedEverything { families, sessions, api_tokens, services })
}
