//! Somebody registers an application: it gets a client id, and a secret that is shown once.

use oauth::{Client, ClientId, ClientKind, CredentialKind};
use secrecy::SecretString;
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::applications::description::{ApplicationFault, check_name, parse_redirect_uris};
use crate::entropy::readable;

/// 100 random bits: no two applications get the same id, also not from two servers.
const CLIENT_ID_LENGTH: usize = 20;

/// An application to register.
#[derive(Debug, Clone)]
pub struct NewApplication {
    /// What members read on the consent page.
    pub name: String,
    /// Where authorization answers may go.
    pub redirect_uris: Vec<String>,
    /// Whether it can keep a secret.
    pub kind: ClientKind,
}

/// A registered application.
#[derive(Debug)]
pub struct AddedApplication {
    /// Its name in the protocol.
    pub client_id: String,
    /// Its secret, stored only as a hash; public clients have none.
    pub client_secret: Option<SecretString>,
}

/// Why no application was registered.
#[derive(Debug, Error)]
pub enum AddApplicationError {
    /// What it says about itself cannot be used.
    #[error(transparent)]
    Fault(#[from] ApplicationFault),
    /// It could not be stored.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Registers an application.
///
/// # Errors
/// See [`AddApplicationError`].
pub async fn add_application(
    app: &App,
    new: NewApplication,
) -> Result<AddedApplication, AddApplicationError> {
    check_name(&new.name)?;
    let redirect_uris = parse_redirect_uris(&new.redirect_uris)?;
    let secret = match new.kind {
        ClientKind::Confidential => Some(app.mint(CredentialKind::ClientSecret)),
        ClientKind::Public => None,
    };
    let client = Client {
        client_id: make_client_id(app),
        name: new.name,
        kind: new.kind,
        redirect_uris,
        secret_hashes: secret.iter().map(|secret| secret.hash).collect(),
    };
    let client_id = client.client_id.to_string();
    app.store().add_client(client).await?;
    let client_secret = secret.map(|secret| secret.credential);
    Ok(AddedApplication { client_id, client_secret })
}

fn make_client_id(app: &App) -> ClientId {
    let id = readable::<CLIENT_ID_LENGTH>(app.entropy());
    id.parse().expect("letters and digits make a client id")
}
