//! The secret of a webhook, and its signatures, as Standard Webhooks has them. The server keeps no secret: it derives each from its signing key.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::SecretString;

use crate::{SigningKey, Timestamp};

/// How a secret begins: receivers' libraries know it by that.
const PREFIX: &str = "whsec_";

/// What no other signature of the server's key is of.
const DOMAIN: &str = "webhook secret";

/// The secret of a webhook: with it, a receiver knows that a request is the server's.
pub struct WebhookSecret(SigningKey);

impl WebhookSecret {
    /// The secret of the webhook with this id, as long as it has this nonce.
    #[must_use]
    pub fn derive(key: &SigningKey, webhook: &str, nonce: &str) -> Self {
        let text = format!("{DOMAIN}\n{webhook}\n{nonce}");
        Self(SigningKey::from_bytes(key.code(text.as_bytes())))
    }

    /// The secret for the receiver.
    #[must_use]
    pub fn shown(&self) -> SecretString {
        format!("{PREFIX}{}", STANDARD.encode(self.0.as_bytes())).into()
    }

    /// The signature of a message that is sent at this moment: `v1,` and base64.
    #[must_use]
    pub fn sign(&self, message: &str, sent_at: Timestamp, body: &str) -> String {
        let seconds = sent_at.as_milliseconds().div_euclid(1_000);
        let text = format!("{message}.{seconds}.{body}");
        format!("v1,{}", STANDARD.encode(self.0.code(text.as_bytes())))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("WebhookSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use secrecy::ExposeSecret as _;

    use super::WebhookSecret;
    use crate::{SigningKey, Timestamp};

    /// A vector that the library of Standard Webhooks for Python made (`standardwebhooks` 1.1.0).
    #[test]
    fn a_signature_is_that_of_the_standard() {
        let bytes = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=").unwrap();
        let secret = WebhookSecret(SigningKey::from_bytes(bytes.try_into().unwrap()));
        let sent_at = Timestamp::from_milliseconds(1_614_265_330_999);

        let signature =
            secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", sent_at, r#"{"test": 2432232314}"#);

        assert_eq!(signature, "v1,455+aOk04wwxufzYeT7AdJGy67Jm9L1UV9h0WvJANVo=");
    }

    #[test]
    fn secrets_differ_by_key_webhook_and_nonce_and_are_not_printed() {
        let key = |byte| SigningKey::from_bytes([byte; 32]);
        let shown = |key: &SigningKey, webhook: &str, nonce: &str| {
            WebhookSecret::derive(key, webhook, nonce).shown().expose_secret().to_owned()
        };
        let secret = shown(&key(1), "ab", "c");

        assert_eq!(secret, shown(&key(1), "ab", "c"));
        for other in
            [shown(&key(2), "ab", "c"), shown(&key(1), "a", "bc"), shown(&key(1), "ab", "d")]
        {
            assert_ne!(secret, other);
        }
        let bytes = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        assert_eq!(bytes.len(), 32);
        assert_eq!(format!("{:?}", WebhookSecret::derive(&key(1), "ab", "c")), "WebhookSecret(…)");
    }
}
