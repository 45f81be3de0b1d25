//! Requests of programs about webhooks.

use crate::described::OptionalField;
use crate::documents::WebhookEvent;
use crate::webhooks::add::NewWebhook;
use crate::webhooks::change::ChangedWebhook;
use crate::{request, words_of_request};

const EVENTS: [(&str, WebhookEvent); WebhookEvent::ALL.len()] = {
    let mut words = [("", WebhookEvent::RevisionPublished); WebhookEvent::ALL.len()];
    let mut place = 0;
    while place < words.len() {
        words[place] = (WebhookEvent::ALL[place].as_str(), WebhookEvent::ALL[place]);
        place += 1;
    }
    words
};

request! {
    /// A webhook to add.
    pub struct WebhookRequest: "webhook_to_add" {
        /// Where requests go: an `https://` address.
        url: String where {"format": "uri", "maxLength": 2_000},
        /// What it is for.
        description: OptionalField<String> where {"maxLength": 200},
        /// The events that it hears of; all, if none is named.
        events: OptionalField<Vec<WebhookEvent>>,
    }

    /// A merge patch (RFC 7396) of a webhook.
    pub struct WebhookPatch: "webhook_patch" {
        /// Where requests go from now on.
        url: OptionalField<String> where {"format": "uri", "maxLength": 2_000},
        /// What it is for.
        description: OptionalField<String> where {"maxLength": 200},
        /// All events that it hears of from now on; all there are, if none is named.
        events: OptionalField<Vec<WebhookEvent>>,
        /// Whether it is switched on.
        enabled: OptionalField<bool>,
    }
}

words_of_request!(WebhookEvent, EVENTS);

impl From<WebhookRequest> for NewWebhook {
    fn from(sent: WebhookRequest) -> Self {
        let WebhookRequest { url, description, events } = sent;
        let (description, events) =
            (description.0.unwrap_or_default(), events.0.unwrap_or_default());
        Self { url, description, events }
    }
}

impl From<WebhookPatch> for ChangedWebhook {
    fn from(sent: WebhookPatch) -> Self {
        let WebhookPatch { url, description, events, enabled } = sent;
        Self { url: url.0, description: description.0, events: events.0, is_enabled: enabled.0 }
    }
}
