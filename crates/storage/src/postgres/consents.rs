//! What members allowed clients, and how they end it.

use async_trait::async_trait;
use deadpool_postgres::Object;
use oauth::{ClientId, ScopeSet};

use super::query::{begin, commit, execute, query, query_opt};
use super::{PostgresStore, audit, clients};
use crate::consents::CONNECTIONS_AT_MOST;
use crate::invalidation::Change;
use crate::statements::consents::{
    END_FAMILIES_OF_CONSENT, FIND_CONSENT, LIST_CONNECTIONS, REMOVE_CODES_OF_CONSENT,
    REMOVE_CONSENT,
};
use crate::stored::scope;
use crate::{Act, ConnectedClient, ConsentStore, MemberId, NewAuditEntry, StorageError};

#[async_trait]
impl ConsentStore for PostgresStore {
    async fn find_consent(
        &self,
        member: MemberId,
        client_id: &ClientId,
    ) -> Result<Option<ScopeSet>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&member.to_row() as _, &client_id.as_str() as _];
        let found = query_opt(&connection.database, FIND_CONSENT, &values).await?;
        found.map(|row| scope(row.try_get(0)?)).transpose()
    }

    async fn list_connections(
        &self,
        member: MemberId,
    ) -> Result<Vec<ConnectedClient>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&member.to_row() as _, &CONNECTIONS_AT_MOST as _];
        query(&connection.database, LIST_CONNECTIONS, &values)
            .await?
            .iter()
            .map(ConnectedClient::from_row)
            .collect()
    }

    async fn disconnect(
        &self,
        member: MemberId,
        client_id: &ClientId,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = disconnect(&mut connection.database, member, client_id, act).await?;
        Ok(self.answer(epoch, done))
    }
}

/// Ends a consent with the codes and the tokens that came from it; returns whether there was one. A code that is being exchanged at this
/// moment is waited for, and then its family ends too.
pub(super) async fn disconnect(
    database: &mut Object,
    member: MemberId,
    client_id: &ClientId,
    act: Act,
) -> Result<(bool, Change), StorageError> {
    let transaction = begin(database).await?;
    let values = [&member.to_row() as _, &client_id.as_str() as _];
    let had_consent = execute(&transaction, REMOVE_CONSENT, &values).await? > 0;
    execute(&transaction, REMOVE_CODES_OF_CONSENT, &values).await?;
    let now = act.at.as_milliseconds();
    let values = [&now as _, &client_id.as_str() as _, &member.to_row() as _];
    let families = execute(&transaction, END_FAMILIES_OF_CONSENT, &values).await?;
    if !had_consent && families == 0 {
        return Ok((false, Change::Nothing));
    }
    let entry = NewAuditEntry::of_disconnecting(member, client_id, act);
    audit::add(&transaction, &entry).await?;
    let change = clients::tell(&transaction).await?;
    commit(transaction).await?;
    Ok((true, change))
}
