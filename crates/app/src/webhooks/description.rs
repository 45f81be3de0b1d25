//! What a webhook is told by, and how that may not be.

use domain::{Fault, Pointer};

use crate::App;
use crate::documents::WebhookEvent;
use crate::webhooks::address::checked;

/// As long as names of resources may be.
const DESCRIPTION_LONGEST: usize = 200;

/// The address in its normal form.
pub(super) fn check_url(app: &App, url: &str) -> Result<String, Box<Fault>> {
    checked(url, app.webhook_sender()).map_err(|message| fault("unusable_url", "url", message))
}

pub(super) fn check_description(text: &str) -> Result<(), Box<Fault>> {
    if text.chars().count() > DESCRIPTION_LONGEST || text.chars().any(char::is_control) {
        let message = format!(
            "a description has {DESCRIPTION_LONGEST} characters at most, and no line breaks"
        );
        return Err(fault("unusable_description", "description", message));
    }
    Ok(())
}

/// The names of events, each once, in the order in which people look for them.
pub(super) fn names_of(events: &[WebhookEvent]) -> Vec<String> {
    let wanted = WebhookEvent::ALL.iter().filter(|event| events.contains(event));
    wanted.map(|event| event.as_str().to_owned()).collect()
}

/// Whether a webhook that wants these events hears of results. No names are all events.
pub(super) fn hears_of_results(events: &[String]) -> bool {
    let told = [WebhookEvent::ResultsDecided, WebhookEvent::ResultsAlarm];
    let is_told = |name: &String| told.iter().any(|event| event.as_str() == name);
    events.is_empty() || events.iter().any(is_told)
}

/// What the audit log calls a webhook.
pub(super) fn entity(id: &str) -> String {
    format!("webhook {id}")
}

fn fault(code: &'static str, field: &str, message: String) -> Box<Fault> {
    Box::new(Fault::error(code, Pointer::root().field(field), message))
}
