//! Formats applications: a table of all, one in full, and either as JSON.

use std::fmt::Write as _;

use app::applications::{application_json, secret_json};
use oauth::{Client, ClientKind, ClientOrigin, ClientSecret, Moment, Timestamp};
use serde_json::Value;

/// One application as JSON, with all its secrets.
pub(super) fn json(client: &Client) -> Value {
    let mut shown = application_json(client);
    shown["secrets"] = client.secrets.iter().map(secret_json).collect();
    shown
}

/// One application in full.
pub(super) fn text(client: &Client) -> String {
    let mut lines = vec![
        line("client id", client.client_id.as_str()),
        line("name", &client.name),
        line("type", kind(client)),
    ];
    lines.extend(client.redirect_uris.iter().map(|uri| line("redirect uri", uri.as_str())));
    let scope = client.scope.map(|scope| scope.to_string());
    lines.extend(scope.map(|scope| line("scope", &scope)));
    lines.extend(client.secrets.iter().map(|secret| line("secret", &secret_words(secret))));
    match client.origin {
        ClientOrigin::Command => {}
        ClientOrigin::ProjectFile => lines.push(line("declared in", "a project file")),
    }
    if let Some(disabled_at) = client.disabled_at {
        lines.push(line("disabled", &words(disabled_at)));
    }
    lines.join("\n")
}

fn line(what: &str, value: &str) -> String {
    format!("{what:<13} {value}")
}

fn secret_words(secret: &ClientSecret) -> String {
    let used = secret
        .last_used_at
        .map_or("never used".to_owned(), |at| format!("last used {}", words(at)));
    let mut text = format!("{}  made {}, {used}", secret.id, words(secret.created_at));
    if !secret.note.is_empty() {
        write!(text, " ({})", secret.note).expect("writing to memory does not fail");
    }
    text
}

/// All applications, one per line.
pub(super) fn table(clients: &[Client]) -> String {
    let width = clients.iter().map(|client| client.client_id.as_str().len()).max().unwrap_or(0);
    let line = |client: &Client| {
        let disabled = if client.is_enabled() { "" } else { "  (disabled)" };
        let id = client.client_id.as_str();
        format!("{id:<width$}  {:<12}  {}{disabled}", kind(client), client.name)
    };
    clients.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn kind(client: &Client) -> &'static str {
    match client.kind {
        ClientKind::Confidential => "confidential",
        ClientKind::Public => "public",
    }
}

fn words(at: Timestamp) -> String {
    Moment::from(at).words()
}
