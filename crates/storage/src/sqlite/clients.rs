//! Clients, and what members allowed them.

use oauth::{Client, ClientId, ClientKind, CredentialHash, RedirectUri, ScopeSet};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::statements::{ADD_CLIENT, FIND_CONSENT, LOOKUP_CLIENT, PUT_CLIENT, PUT_CONSENT};
use crate::{MemberId, StorageError};

const CONFIDENTIAL: &str = "confidential";
const PUBLIC: &str = "public";

pub(super) fn add(database: &Connection, client: &Client) -> Result<(), StorageError> {
    write(database, ADD_CLIENT, client)
}

pub(super) fn put(database: &Connection, client: &Client) -> Result<(), StorageError> {
    write(database, PUT_CLIENT, client)
}

fn write(database: &Connection, statement: &str, client: &Client) -> Result<(), StorageError> {
    let kind = match client.kind {
        ClientKind::Confidential => CONFIDENTIAL,
        ClientKind::Public => PUBLIC,
    };
    // No redirect URI has a line break: registration sees to it.
    let redirect_uris: Vec<&str> = client.redirect_uris.iter().map(RedirectUri::as_str).collect();
    let secret_hashes: Vec<u8> =
        client.secret_hashes.iter().flat_map(|hash| *hash.as_bytes()).collect();
    database.prepare_cached(statement)?.execute(params![
        client.client_id.as_str(),
        client.name,
        kind,
        redirect_uris.join("\n"),
        secret_hashes,
    ])?;
    Ok(())
}

pub(super) fn lookup(
    database: &Connection,
    client_id: &ClientId,
) -> Result<Option<Client>, StorageError> {
    let mut statement = database.prepare_cached(LOOKUP_CLIENT)?;
    let mut rows = statement.query([client_id.as_str()])?;
    rows.next()?.map(client).transpose()
}

fn client(row: &Row<'_>) -> Result<Client, StorageError> {
    let kind = match row.get::<_, String>(2)?.as_str() {
        CONFIDENTIAL => ClientKind::Confidential,
        PUBLIC => ClientKind::Public,
        _ => return Err(StorageError::corrupt("client kind")),
    };
    let redirect_uris: String = row.get(3)?;
    let (secret_hashes, rest) = row.get_ref(4)?.as_blob()?.as_chunks::<32>();
    if !rest.is_empty() {
        return Err(StorageError::corrupt("client secret hash"));
    }
    Ok(Client {
        client_id: client_id(&row.get::<_, String>(0)?)?,
        name: row.get(1)?,
        kind,
        redirect_uris: redirect_uris
            .lines()
            .map(str::to_owned)
            .map(RedirectUri::registered)
            .collect(),
        secret_hashes: secret_hashes.iter().copied().map(CredentialHash::from_bytes).collect(),
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

/// A stored scope.
pub(super) fn scope(text: &str) -> Result<ScopeSet, StorageError> {
    ScopeSet::parse(text).map_err(|_| StorageError::corrupt("scope"))
}

/// A stored client id.
pub(super) fn client_id(text: &str) -> Result<ClientId, StorageError> {
    text.parse().map_err(|_| StorageError::corrupt("client id"))
}
