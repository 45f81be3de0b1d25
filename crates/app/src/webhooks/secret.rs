//! The secrets of a webhook, which are derived anew each time, and what they sign.

use oauth::{Lifetime, Timestamp, WebhookSecret};
use storage::{KeyUse, StorageError, Webhook};

use crate::App;
use crate::signing_key::key_for;

/// How long the secret before signs as well, so that receivers can be told the new one.
pub(super) const FORMER_SIGNS_FOR: Lifetime = Lifetime::from_seconds(24 * 3_600);

const NONCE_BYTES: usize = 16;

/// What a new secret is derived from.
pub(super) fn nonce(app: &App) -> String {
    hex::encode(app.random::<NONCE_BYTES>())
}

/// The secret of a webhook.
pub(super) async fn secret(app: &App, webhook: &Webhook) -> Result<WebhookSecret, StorageError> {
    derived(app, webhook, &webhook.nonce).await
}

/// A message that is to be signed.
pub(super) struct UnsignedMessage<'m> {
    pub(super) id: &'m str,
    pub(super) body: &'m str,
    pub(super) at: Timestamp,
}

/// The signatures of a message that is sent at its moment: that of the secret, and that of the one before as long as it is good.
pub(super) async fn signatures(
    app: &App,
    webhook: &Webhook,
    UnsignedMessage { id, body, at }: UnsignedMessage<'_>,
) -> Result<String, StorageError> {
    let mut signatures = secret(app, webhook).await?.sign(id, at, body);
    if let Some((nonce, until)) = &webhook.former_nonce
        && at < *until
    {
        let former = derived(app, webhook, nonce).await?;
        signatures.push(' ');
        signatures.push_str(&former.sign(id, at, body));
    }
    Ok(signatures)
}

/// Receivers know it, so it is of the key that stays. Who knows that key does not know the nonce of a secret that was made later.
async fn derived(app: &App, webhook: &Webhook, nonce: &str) -> Result<WebhookSecret, StorageError> {
    Ok(WebhookSecret::derive(&key_for(app, KeyUse::Lasting).await?, &webhook.id, nonce))
}
