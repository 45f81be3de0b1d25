//! The form of a webhook: to add one, and to change it.

use app::documents::WebhookEvent;
use app::webhooks::{ChangedWebhook, NewWebhook};
use domain::Fault;
use storage::Webhook;

use crate::fields::Fields;
use crate::words::fault_words;

/// What a person fills in.
#[derive(Debug, Default)]
pub(super) struct WebhookForm {
    pub(super) url: String,
    pub(super) description: String,
    pub(super) is_enabled: bool,
    events: Vec<WebhookEvent>,
    fault: Option<Fault>,
    /// Why nothing was stored, where no field is to blame.
    pub(super) alert: Option<String>,
}

/// An event that can be chosen.
pub(super) struct Choice {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) is_chosen: bool,
}

impl WebhookForm {
    pub(super) fn read(fields: &Fields) -> Self {
        let is_chosen =
            |event: &&WebhookEvent| fields.all("event").any(|name| name == event.as_str());
        Self {
            url: fields.get("url").trim().to_owned(),
            description: fields.get("description").trim().to_owned(),
            is_enabled: fields.has("enabled"),
            events: WebhookEvent::ALL.iter().filter(is_chosen).copied().collect(),
            ..Self::default()
        }
    }

    pub(super) fn of(webhook: &Webhook) -> Self {
        let is_wanted =
            |event: &&WebhookEvent| webhook.events.iter().any(|name| name == event.as_str());
        Self {
            url: webhook.url.clone(),
            description: webhook.description.clone(),
            is_enabled: webhook.is_enabled,
            events: WebhookEvent::ALL.iter().filter(is_wanted).copied().collect(),
            ..Self::default()
        }
    }

    pub(super) fn refused(self, fault: Fault) -> Self {
        Self { fault: Some(fault), ..self }
    }

    pub(super) fn alerted(self, alert: String) -> Self {
        Self { alert: Some(alert), ..self }
    }

    pub(super) fn to_new(&self) -> NewWebhook {
        NewWebhook {
            url: self.url.clone(),
            description: self.description.clone(),
            events: self.events.clone(),
        }
    }

    pub(super) fn to_change(&self) -> ChangedWebhook {
        ChangedWebhook {
            url: Some(self.url.clone()),
            description: Some(self.description.clone()),
            events: Some(self.events.clone()),
            is_enabled: Some(self.is_enabled),
        }
    }

    pub(super) fn choices(&self) -> impl Iterator<Item = Choice> {
        WebhookEvent::ALL.iter().map(|event| Choice {
            name: event.as_str(),
            meaning: event.meaning(),
            is_chosen: self.events.contains(event),
        })
    }

    /// What is wrong with a field.
    pub(super) fn wrong(&self, field: &str) -> Option<String> {
        let fault = self.fault.as_ref()?;
        fault
            .pointer
            .to_string()
            .strip_prefix('/')
            .is_some_and(|place| place == field)
            .then(|| fault_words(fault))
    }
}
