//! The server's own keys: for what it issues and later verifies, such as preview links, known browsers and passkey challenges; and for
//! what it derives.

use oauth::SigningKey;
use storage::{KeyUse, StorageError};

use crate::App;

/// The key that signs: the same in all processes, until everything is ended.
pub(crate) async fn signing_key(app: &App) -> Result<SigningKey, StorageError> {
    key_for(app, KeyUse::Signatures).await
}

/// The key for a use. The lasting one is made when a key is first needed.
pub(crate) async fn key_for(app: &App, key_use: KeyUse) -> Result<SigningKey, StorageError> {
    let new = SigningKey::from_bytes(app.random());
    app.store().find_or_add_signing_key(key_use, new).await
}
