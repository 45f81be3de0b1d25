//! The command line as an application: `assay login` acts for the member who signs in. Each server knows it without being told, and
//! keeps it from the first consent on, so that owners can see and disable it.

use std::net::IpAddr;

use oauth::{Client, ClientId, ClientKind, ClientOrigin, RedirectUri, ScopeSet};
use storage::{Act, ActorKind, StorageError};

use crate::App;
use crate::sessions::SignedIn;

/// Its client id in the protocol.
pub const COMMAND_LINE_CLIENT_ID: &str = "assay-cli";

/// Where it listens, on a port that it learns when it starts (RFC 8252 section 7.3).
const REDIRECT_URI: &str = "http://127.0.0.1/callback";

/// What commands for a running server do.
const SCOPE: &str = "config:read config:write publish results:read";

/// The application of this id, if it is the command line.
pub(crate) fn command_line(client_id: &ClientId) -> Option<Client> {
    (client_id.as_str() == COMMAND_LINE_CLIENT_ID).then(|| Client {
        client_id: client_id.clone(),
        name: "Assay command line".to_owned(),
        kind: ClientKind::Public,
        redirect_uris: vec![RedirectUri::parse(REDIRECT_URI).expect("a loopback address is one")],
        secrets: Vec::new(),
        scope: ScopeSet::parse(SCOPE).ok(),
        origin: ClientOrigin::Command,
        disabled_at: None,
    })
}

/// Keeps it, if it is the command line and the store does not know it yet.
pub(crate) async fn keep_command_line(
    app: &App,
    client: &Client,
    member: &SignedIn,
    address: IpAddr,
) -> Result<(), StorageError> {
    let is_new = command_line(&client.client_id).is_some()
        && app.store().lookup_client(&client.client_id).await?.is_none();
    if !is_new {
        return Ok(());
    }
    let act = Act { member: Some(member.id), ..app.act(ActorKind::Member, Some(address)) };
    app.store().put_client(client.clone(), act).await
}
