//! A browser goes to the provider. What it brings back is signed and bound to it, so that nothing is stored for a sign-in that ends there.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::identities::provider::{ProviderError, ProviderQuestion};
use crate::signing_key::signing_key;
use crate::ticket::{Bounds, Purpose};

/// Longer destinations are forgotten: providers refuse longer addresses, and the person only has to click once more.
const DESTINATION_BYTES_AT_MOST: usize = 2_000;

/// What travels to the provider and back.
#[derive(Serialize, Deserialize)]
pub(super) struct Journey {
    /// Makes each question another one.
    id: String,
    /// Where the member wants to go.
    pub(super) destination: String,
}

/// Why the browser cannot go to the provider.
#[derive(Debug, Error)]
pub enum BeginProviderSignInError {
    /// The operator has configured none.
    #[error(
        "no OpenID Connect provider is configured; hint: start the server with `--oidc-issuer`"
    )]
    NoProvider,
    /// The provider does not answer.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The address at the provider to which the browser with this form token goes, to end at this page of ours.
///
/// # Errors
/// See [`BeginProviderSignInError`].
pub async fn begin_provider_sign_in(
    app: &App,
    form_token: &str,
    destination: &str,
) -> Result<String, BeginProviderSignInError> {
    let provider = app.identity_provider().ok_or(BeginProviderSignInError::NoProvider)?;
    let fits = destination.len() <= DESTINATION_BYTES_AT_MOST;
    let journey = Journey {
        id: URL_SAFE_NO_PAD.encode(app.random::<16>()),
        destination: if fits { destination.to_owned() } else { String::new() },
    };
    let key = signing_key(app).await?;
    let bounds = Bounds { purpose: Purpose::AskProvider, browser: form_token };
    let state = bounds.write(&journey, &key, app.now());
    Ok(provider.address_for(&ProviderQuestion::of(&state, &key)).await?)
}
