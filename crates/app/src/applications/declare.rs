//! A project file declares an application: it is there, as declared, each time the file is published.

use oauth::{Client, ClientKind, ClientOrigin, ClientSecret, UnusableClientId, hash};
use secrecy::{ExposeSecret, SecretString};
use storage::{ActorKind, StorageError};
use thiserror::Error;

use crate::App;
use crate::applications::description::{
    ApplicationFault, check_name, parse_redirect_uris, parse_scope,
};
use crate::applications::make_secret::make_secret_id;

/// Secrets that we make have 256 random bits in 58 characters. With less than half of that a leaked
/// hash could be guessed.
const SECRET_LENGTH_ADVISED: usize = 32;

/// An application as its project file has it.
#[derive(Debug, Clone)]
pub struct DeclaredApplication {
    /// Its name in the protocol.
    pub client_id: String,
    /// What members read on the consent page.
    pub name: String,
    /// Where authorization answers may go.
    pub redirect_uris: Vec<String>,
    /// What it asks for when a request names no scope, and beyond which it may not ask.
    pub scope: Option<String>,
    /// Its secret; an application without one is a public client.
    pub secret: Option<SecretString>,
}

/// Why an application is not as it was declared.
#[derive(Debug, Error)]
pub enum DeclareApplicationError {
    /// The client id cannot be used.
    #[error(transparent)]
    ClientId(#[from] UnusableClientId),
    /// What it says about itself cannot be used.
    #[error(transparent)]
    Fault(#[from] ApplicationFault),
    /// The secret is empty or far too long.
    #[error("the secret of an application is 1 to 256 characters")]
    UnusableSecret,
    /// It could not be stored.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Makes an application what it is declared to be, whether it was there before or not.
///
/// # Errors
/// See [`DeclareApplicationError`].
pub async fn declare_application(
    app: &App,
    declared: DeclaredApplication,
) -> Result<(), DeclareApplicationError> {
    check_name(&declared.name)?;
    let secret = declared.secret.as_ref().map(ExposeSecret::expose_secret);
    if secret.is_some_and(|secret| secret.len() < SECRET_LENGTH_ADVISED) {
        let id = &declared.client_id;
        tracing::warn!("the secret of application `{id}` is short; use 32 random characters");
    }
    let act = app.act(ActorKind::ProjectFile, None);
    let stored = |secret| {
        Ok(ClientSecret {
            id: make_secret_id(app),
            hash: hash(secret).ok_or(DeclareApplicationError::UnusableSecret)?,
            note: String::new(),
            created_at: act.at,
            last_used_at: None,
        })
    };
    let kind = if secret.is_some() { ClientKind::Confidential } else { ClientKind::Public };
    let client = Client {
        client_id: declared.client_id.parse()?,
        redirect_uris: parse_redirect_uris(kind, &declared.redirect_uris)?,
        kind,
        secrets: secret.map(stored).into_iter().collect::<Result<_, DeclareApplicationError>>()?,
        name: declared.name,
        scope: parse_scope(declared.scope.as_deref())?,
        origin: ClientOrigin::ProjectFile,
        disabled_at: None,
    };
    Ok(app.store().put_client(client, act).await?)
}
