//! What members allowed clients, and how they end it.

use async_trait::async_trait;
use oauth::{ClientId, ScopeSet, Timestamp};
use rusqlite::{Connection, params};

use super::query::{query, query_opt};
use super::{SqliteStore, audit};
use crate::consents::CONNECTIONS_AT_MOST;
use crate::invalidation::{Change, Invalidation};
use crate::row::Row as _;
use crate::statements::consents::{
    END_FAMILIES_OF_CONSENT, FIND_CONSENT, LIST_CONNECTIONS, PUT_CONSENT, REMOVE_CODES_OF_CONSENT,
    REMOVE_CONSENT,
};
use crate::stored::scope;
use crate::{Act, ConnectedClient, ConsentStore, MemberId, NewAuditEntry, StorageError};

#[async_trait]
impl ConsentStore for SqliteStore {
    async fn find_consent(
        &self,
        member: MemberId,
        client_id: &ClientId,
    ) -> Result<Option<ScopeSet>, StorageError> {
        let client_id = client_id.clone();
        self.readers.read(move |database| find(database, member, &client_id)).await
    }

    async fn list_connections(
        &self,
        member: MemberId,
    ) -> Result<Vec<ConnectedClient>, StorageError> {
        self.readers.read(move |database| list(database, member)).await
    }

    async fn disconnect(
        &self,
        member: MemberId,
        client_id: &ClientId,
        act: Act,
    ) -> Result<bool, StorageError> {
        let client_id = client_id.clone();
        self.change_tokens(act.at, move |database| disconnect(database, member, &client_id, act))
            .await
    }
}

pub(super) fn find(
    database: &Connection,
    member: MemberId,
    client_id: &ClientId,
) -> Result<Option<ScopeSet>, StorageError> {
    let values = params![member.to_row(), client_id.as_str()];
    query_opt(database, FIND_CONSENT, values, |row| scope(&row.column::<String>(0)?))
}

/// Remembers a consent beside what the member has allowed the client before.
pub(super) fn add(
    database: &Connection,
    member: MemberId,
    client_id: &ClientId,
    scope: ScopeSet,
    now: Timestamp,
) -> Result<(), StorageError> {
    let before = find(database, member, client_id)?;
    if before.is_some_and(|before| scope.is_subset_of(before)) {
        return Ok(());
    }
    let scope = before.map_or(scope, |before| before.union(scope));
    let now = now.as_milliseconds();
    let values = params![member.to_row(), client_id.as_str(), scope.to_string(), now];
    database.prepare_cached(PUT_CONSENT)?.execute(values)?;
    Ok(())
}

pub(super) fn list(
    database: &Connection,
    member: MemberId,
) -> Result<Vec<ConnectedClient>, StorageError> {
    let values = params![member.to_row(), CONNECTIONS_AT_MOST];
    query(database, LIST_CONNECTIONS, values, |row| ConnectedClient::from_row(row))
}

/// Ends a consent with the codes and the tokens that came from it; returns whether there was one.
pub(super) fn disconnect(
    database: &Connection,
    member: MemberId,
    client_id: &ClientId,
    act: Act,
) -> Result<(bool, Change), StorageError> {
    let values = params![member.to_row(), client_id.as_str()];
    let had_consent = database.prepare_cached(REMOVE_CONSENT)?.execute(values)? > 0;
    database.prepare_cached(REMOVE_CODES_OF_CONSENT)?.execute(values)?;
    let values = params![act.at.as_milliseconds(), client_id.as_str(), member.to_row()];
    let families = database.prepare_cached(END_FAMILIES_OF_CONSENT)?.execute(values)?;
    if !had_consent && families == 0 {
        return Ok((false, Change::Nothing));
    }
    audit::add(database, &NewAuditEntry::of_disconnecting(member, client_id, act))?;
    Ok((true, Change::Ended(Invalidation::Everything)))
}
