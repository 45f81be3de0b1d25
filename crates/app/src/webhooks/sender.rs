//! Sends requests to webhooks. How they leave is for the binary, which speaks HTTP; tests keep what would have left.

use std::net::IpAddr;

use async_trait::async_trait;
use oauth::Lifetime;
use secrecy::SecretString;
use thiserror::Error;

/// Sends requests.
#[async_trait]
pub trait WebhookSender: Send + Sync + 'static {
    /// Whether requests may go to this address: those of the public internet, and those that the operator allows.
    fn may_reach(&self, address: IpAddr) -> bool;

    /// Whether the operator names networks. Only there, requests may go without TLS.
    fn has_own_networks(&self) -> bool;

    /// Whether this address is in one of them.
    fn is_in_own_network(&self, address: IpAddr) -> bool;

    /// Sends a request, and waits for the answer, though not for long. It follows no redirect.
    ///
    /// # Errors
    /// If there is no answer.
    async fn send(&self, message: WebhookMessage) -> Result<WebhookAnswer, SendError>;
}

/// A request to a webhook.
#[derive(Debug, Clone)]
pub struct WebhookMessage {
    /// Where it goes. Some addresses are all that one needs to write to their receiver.
    pub url: SecretString,
    /// Its headers, beside those of every request with JSON.
    pub headers: [(&'static str, String); 3],
    /// Its body: JSON.
    pub body: String,
}

/// What a receiver answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookAnswer {
    /// The status.
    pub status: u16,
    /// The beginning of the body.
    pub beginning: String,
    /// For how long it asks to be left alone (`Retry-After`), if it does.
    pub retry_after: Option<Lifetime>,
}

/// Why there is no answer, without the address.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SendError(pub String);
