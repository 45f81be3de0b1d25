//! Registers an application: it gets a client id, and a secret that is shown once.

use oauth::{Client, ClientId, ClientKind, ClientOrigin};
use secrecy::SecretString;
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::applications::description::{
    ApplicationFault, check_name, parse_redirect_uris, parse_scope,
};
use crate::applications::make_secret::{MadeSecret, make_secret};
use crate::entropy::readable;
use crate::roles::{Actor, Permission, RoleError};

/// 100 random bits: no two applications get the same id, even from different servers.
const CLIENT_ID_LENGTH: usize = 20;

/// An application to register.
#[derive(Debug, Clone)]
pub struct NewApplication {
    /// What members read on the consent page.
    pub name: String,
    /// The addresses that may receive authorization answers.
    pub redirect_uris: Vec<String>,
    /// Whether it can keep a secret.
    pub kind: ClientKind,
    /// The scope it asks for when a request names none, and may not exceed.
    pub scope: Option<String>,
}

/// A registered application.
#[derive(Debug)]
pub struct AddedApplication {
    /// Its client id in the protocol.
    pub client_id: ClientId,
    /// Its secret, stored only as a hash; public clients have none.
    pub client_secret: Option<SecretString>,
    /// The id of the secret.
    pub secret_id: Option<String>,
}

/// Why no application was registered.
#[derive(Debug, Error)]
pub enum AddApplicationError {
    /// The description of the application is invalid.
    #[error(transparent)]
    Fault(#[from] ApplicationFault),
    /// The actor may not do this.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store could not save it.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Registers an application.
///
/// # Errors
/// See [`AddApplicationError`].
pub async fn add_application(
    app: &App,
    actor: &Actor,
    new: NewApplication,
) -> Result<AddedApplication, AddApplicationError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    check_name(&new.name)?;
    let redirect_uris = parse_redirect_uris(new.kind, &new.redirect_uris)?;
    let scope = parse_scope(new.scope.as_deref())?;
    let act = actor.act(app);
    let made = match new.kind {
        ClientKind::Confidential => Some(make_secret(app, String::new(), act.at)),
        ClientKind::Public => None,
    };
    let (client_secret, secret) = made.map(MadeSecret::parts).unzip();
    let secret_id = secret.as_ref().map(|secret| secret.id.clone());
    let client = Client {
        client_id: make_client_id(app),
        name: new.name,
        kind: new.kind,
        redirect_uris,
        secrets: secret.into_iter().collect(),
        scope,
        origin: ClientOrigin::Command,
        disabled_at: None,
    };
    let client_id = client.client_id.clone();
    app.store().add_client(client, act).await?;
    Ok(AddedApplication { client_id, client_secret, secret_id })
}

fn make_client_id(app: &App) -> ClientId {
    let id = readable::<CLIENT_ID_LENGTH>(app.entropy());
    id.parse().expect("letters and digits make a client id")
}
