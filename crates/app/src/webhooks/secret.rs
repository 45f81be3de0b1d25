//! The secrets of a webhook, which are derived anew each time, and what they sign.

use oauth::{Lifetime, Timestamp, WebhookSecret};
use storage::{StorageError, Webhook};

use crate::App;
use crate::signing_key::signing_key;

/// How long the secret before signs as well, so that receivers can be told the new one.
pub(super) const FORMER_SIGNS_FOR: Lifetime = Lifetime::from_seconds(24 * 3_600);

const NONCE_BYTES: usize = 16;

/// What a new secret is derived from.
pub(super) fn nonce(app: &App) -> String {
    hex::encode(app.random::<NONCE_BYTES>())
}

/// The secret of a webhook.
pub(super) async fn secret(app: &App, webhook: &Webhook) -> Result<WebhookSecret, StorageError> {
    Ok(WebhookSecret::derive(&signing_key(app).await?, &webhook.id, &webhook.nonce))
}

/// The signatures of a message that is sent at this moment: that of the secret, and that of the one before as long as it is good.
pub(super) async fn signatures(
    app: &App,
    webhook: &Webhook,
    (message, body, at): (&str, &str, Timestamp),
) -> Result<String, StorageError> {
    let mut signatures = secret(app, webhook).await?.sign(message, at, body);
    if let Some((nonce, until)) = &webhook.former_nonce
        && at < *until
    {
        let former = WebhookSecret::derive(&signing_key(app).await?, &webhook.id, nonce);
        signatures.push(' ');
        signatures.push_str(&former.sign(message, at, body));
    }
    Ok(signatures)
}
