//! The server's signing key, for what it issues and later verifies: preview links, known browsers, passkey challenges.

use oauth::SigningKey;
use storage::StorageError;

use crate::App;

/// The key: made when first needed, then always the same.
pub(crate) async fn signing_key(app: &App) -> Result<SigningKey, StorageError> {
    app.store().find_or_add_signing_key(SigningKey::from_bytes(app.random())).await
}
