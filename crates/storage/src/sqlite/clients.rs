//! Clients, and what members allowed them.

use oauth::{Client, ClientId, ScopeSet};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::statements::{ADD_CLIENT, FIND_CONSENT, LOOKUP_CLIENT, PUT_CLIENT, PUT_CONSENT};
use crate::stored::{ClientRow, scope};
use crate::{MemberId, StorageError};

pub(super) fn add(database: &Connection, client: &Client) -> Result<(), StorageError> {
    write(database, ADD_CLIENT, client)
}

pub(super) fn put(database: &Connection, client: &Client) -> Result<(), StorageError> {
    write(database, PUT_CLIENT, client)
}

fn write(database: &Connection, statement: &str, client: &Client) -> Result<(), StorageError> {
    let row = ClientRow::from(client);
    database.prepare_cached(statement)?.execute(params![
        row.client_id,
        row.name,
        row.kind,
        row.redirect_uris,
        row.secret_hashes,
    ])?;
    Ok(())
}

pub(super) fn lookup(
    database: &Connection,
    client_id: &ClientId,
) -> Result<Option<Client>, StorageError> {
    let mut statement = database.prepare_cached(LOOKUP_CLIENT)?;
    let found = statement.query_row([client_id.as_str()], client_row);
    found.optional()?.map(Client::try_from).transpose()
}

fn client_row(row: &Row<'_>) -> rusqlite::Result<ClientRow> {
    Ok(ClientRow {
        client_id: row.get(0)?,
        name: row.get(1)?,
        kind: row.get(2)?,
        redirect_uris: row.get(3)?,
        secret_hashes: row.get(4)?,
    })
}

pub(super) fn find_consent(
    database: &Connection,
    member: MemberId,
    client_id: &ClientId,
) -> Result<Option<ScopeSet>, StorageError> {
    let values = params![member.to_row(), client_id.as_str()];
    let mut statement = database.prepare_cached(FIND_CONSENT)?;
    let found = statement.query_row(values, |row| row.get::<_, String>(0));
    found.optional()?.map(|text| scope(&text)).transpose()
}

/// Remembers a consent beside what the member has allowed the client before.
pub(super) fn add_consent(
    database: &Connection,
    member: MemberId,
    client_id: &ClientId,
    scope: ScopeSet,
) -> Result<(), StorageError> {
    let before = find_consent(database, member, client_id)?;
    if before.is_some_and(|before| scope.is_subset_of(before)) {
        return Ok(());
    }
    let scope = before.map_or(scope, |before| before.union(scope));
    let values = params![member.to_row(), client_id.as_str(), scope.to_string()];
    database.prepare_cached(PUT_CONSENT)?.execute(values)?;
    Ok(())
}
