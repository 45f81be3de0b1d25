//! Declares an application of a project file: each publication of the file restores it as declared.

use std::slice;

use domain::{API_TOKEN_CLIENT_PREFIX, Fault, Pointer, Project};
use oauth::{Client, ClientKind, ClientOrigin, ClientSecret, UnusableClientId, hash};
use secrecy::{ExposeSecret, SecretString};
use storage::{ActorKind, StorageError};
use thiserror::Error;

use crate::App;
use crate::applications::description::{
    ApplicationFault, check_name, parse_redirect_uris, parse_scope,
};
use crate::applications::make_secret::make_secret_id;

/// Secrets that we issue have 256 random bits in 58 characters. With less than half of that, an attacker could guess one from a leaked
/// hash.
const SECRET_LENGTH_ADVISED: usize = 32;

/// An application as its project file declares it.
#[derive(Debug, Clone)]
pub struct DeclaredApplication {
    /// Its client id in the protocol.
    pub client_id: String,
    /// What members read on the consent page.
    pub name: String,
    /// The addresses that may receive authorization answers.
    pub redirect_uris: Vec<String>,
    /// The scope it asks for when a request names none, and may not exceed.
    pub scope: Option<String>,
    /// Its secret; an application without one is a public client.
    pub secret: Option<SecretString>,
}

/// Why an application could not be declared.
#[derive(Debug, Error)]
pub enum DeclareApplicationError {
    /// The client id is invalid.
    #[error(transparent)]
    ClientId(#[from] UnusableClientId),
    /// The client id looks like an API token.
    #[error(
        "a client id does not begin with `{API_TOKEN_CLIENT_PREFIX}`: that is how API tokens are named"
    )]
    ReservedClientId,
    /// The description is invalid.
    #[error(transparent)]
    Fault(#[from] ApplicationFault),
    /// The secret is empty or far too long.
    #[error("the secret of an application is 1 to 256 characters")]
    UnusableSecret,
    /// The store could not save it.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// What keeps the applications of a project from being declared, before their secrets are known.
pub(crate) fn find_faults(project: &Project) -> Vec<Fault> {
    let applications = Pointer::root().field("applications");
    let found = project.applications.iter().enumerate().flat_map(|(index, declared)| {
        let at = applications.element(index);
        let kind = match declared.secret_env {
            Some(_) => ClientKind::Confidential,
            None => ClientKind::Public,
        };
        let uris = declared.redirect_uris.iter().enumerate().map(|(index, uri)| {
            let fault = parse_redirect_uris(kind, slice::from_ref(uri)).err();
            (at.field("redirect_uris").element(index), fault)
        });
        let others = [
            (at.field("name"), check_name(&declared.name).err()),
            (at.field("scope"), parse_scope(declared.scope.as_deref()).err()),
        ];
        uris.chain(others).collect::<Vec<_>>()
    });
    let fault = |(at, fault): (Pointer, Option<ApplicationFault>)| {
        Some(Fault::error("application", at, fault?.to_string()))
    };
    found.filter_map(fault).collect()
}

/// Creates the application or changes it to match its declaration.
///
/// # Errors
/// See [`DeclareApplicationError`].
pub async fn declare_application(
    app: &App,
    declared: DeclaredApplication,
) -> Result<(), DeclareApplicationError> {
    check_name(&declared.name)?;
    if declared.client_id.starts_with(API_TOKEN_CLIENT_PREFIX) {
        return Err(DeclareApplicationError::ReservedClientId);
    }
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
