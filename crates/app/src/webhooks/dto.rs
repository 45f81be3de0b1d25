//! Answers about webhooks. None has a secret.

use oauth::{Moment, Timestamp};
use serde_json::Value;
use storage::{DeliveryAttempt, OffBecause, Webhook, WebhookDelivery};

use crate::dto;
use crate::dto::json_of;

dto! {
    /// A webhook, without its secret.
    pub struct WebhookDto: "webhook" {
        /// Its id.
        id: String,
        /// Where requests go. Some addresses are secrets: who knows one can write to the receiver.
        url: String where {"format": "uri"},
        /// What it is for.
        description: String,
        /// The events that it hears of; an empty list is all.
        events: Vec<String>,
        /// Whether it is switched on.
        enabled: bool,
        /// Why Assay switched it off: `gone`, if the receiver answered 410; `member_removed`, if the member was removed on whose word it sent.
        /// Otherwise null.
        switched_off_because: Option<String>,
        /// Until when requests are also signed with the secret before; null if there is none.
        former_secret_until: Option<String>,
        /// Who added it, in words.
        made_by: String,
        /// When it was added.
        made_at: String where {"format": "date-time"},
    }

    /// An attempt to deliver an event.
    pub struct WebhookAttemptDto: "webhook_attempt" {
        /// When.
        at: String where {"format": "date-time"},
        /// The status of the answer; null if there was none.
        status: Option<u32>,
        /// How many milliseconds it took.
        took_ms: u32,
        /// The beginning of the answer, or why there was none.
        answer: String,
    }

    /// The delivery of an event to a webhook.
    pub struct WebhookDeliveryDto: "webhook_delivery" {
        /// Its id, which is the header `webhook-id` of every attempt.
        id: String,
        /// The event.
        event: String,
        /// When it happened.
        made_at: String where {"format": "date-time"},
        /// `due`, `delivered`, or `failed` if it is not tried again.
        outcome: String where {"enum": ["due", "delivered", "failed"]},
        /// How often it was tried.
        attempts: u32,
        /// When it is tried next; null if it is not.
        next_attempt_at: Option<String>,
        /// The last attempt; null before the first.
        last_attempt: Option<WebhookAttemptDto>,
        /// The attempts before the last, the newest first: twenty at most.
        earlier_attempts: Vec<WebhookAttemptDto>,
        /// Until when nothing is sent to the webhook, because the answer to the last attempt asked for a pause; null if it did not. It may be past.
        held_until: Option<String>,
        /// The body of the request, as it was sent.
        body: String,
    }
}

impl From<&Webhook> for WebhookDto {
    fn from(webhook: &Webhook) -> Self {
        let former_until = webhook.former_nonce.as_ref().map(|(_, until)| written(*until));
        Self {
            id: webhook.id.clone(),
            url: webhook.url.clone(),
            description: webhook.description.clone(),
            events: webhook.events.clone(),
            enabled: webhook.is_enabled,
            switched_off_because: webhook.off_because.map(OffBecause::as_str).map(str::to_owned),
            former_secret_until: former_until,
            made_by: webhook.made_by.clone(),
            made_at: written(webhook.made_at),
        }
    }
}

impl From<&DeliveryAttempt> for WebhookAttemptDto {
    fn from(attempt: &DeliveryAttempt) -> Self {
        Self {
            at: written(attempt.at),
            status: attempt.status.map(u32::from),
            took_ms: attempt.took_ms,
            answer: attempt.answer.clone(),
        }
    }
}

impl From<&WebhookDelivery> for WebhookDeliveryDto {
    fn from(delivery: &WebhookDelivery) -> Self {
        Self {
            id: delivery.message.clone(),
            event: delivery.event.clone(),
            made_at: written(delivery.made_at),
            outcome: delivery.outcome.as_str().to_owned(),
            attempts: delivery.attempts,
            next_attempt_at: delivery.due_at.map(written),
            last_attempt: delivery.last.as_ref().map(WebhookAttemptDto::from),
            earlier_attempts: delivery.earlier.iter().map(WebhookAttemptDto::from).collect(),
            held_until: delivery.held_until.map(written),
            body: delivery.body.clone(),
        }
    }
}

/// A webhook as JSON.
#[must_use]
pub fn webhook_json(webhook: &Webhook) -> Value {
    json_of(&WebhookDto::from(webhook))
}

fn written(moment: Timestamp) -> String {
    Moment::from(moment).machine()
}
