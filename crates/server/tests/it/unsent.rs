//! Where the requests to webhooks of a site would go in a story that sends none.

use std::net::IpAddr;

use app::webhooks::{SendError, WebhookAnswer, WebhookMessage, WebhookSender, is_public};
use async_trait::async_trait;

/// A server of a story announces to webhooks, and waits with the rest.
pub(crate) struct Unsent;

#[async_trait]
impl WebhookSender for Unsent {
    fn may_reach(&self, address: IpAddr) -> bool {
        is_public(address)
    }

    fn has_own_networks(&self) -> bool {
        false
    }

    fn is_in_own_network(&self, _address: IpAddr) -> bool {
        false
    }

    async fn send(&self, _message: WebhookMessage) -> Result<WebhookAnswer, SendError> {
        Err(SendError("no story sends anything".to_owned()))
    }
}
