//! How applications are shown: a table of all, one in full, and either as JSON.

use std::fmt::Write as _;

use oauth::{Client, ClientKind, ClientOrigin, ClientSecret, Moment, RedirectUri, Timestamp};
use serde_json::{Value, json};

/// One application as JSON.
pub(super) fn json(client: &Client) -> Value {
    let redirect_uris: Vec<&str> = client.redirect_uris.iter().map(RedirectUri::as_str).collect();
    json!({
        "client_id": client.client_id.as_str(),
        "name": client.name,
        "type": kind(client),
        "redirect_uris": redirect_uris,
        "declared_in_project_file": client.origin == ClientOrigin::ProjectFile,
        "disabled_at": client.disabled_at.map(machine),
        "secrets": client.secrets.iter().map(secret_json).collect::<Value>(),
    })
}

fn secret_json(secret: &ClientSecret) -> Value {
    json!({
        "id": secret.id,
        "note": secret.note,
        "created_at": machine(secret.created_at),
        "last_used_at": secret.last_used_at.map(machine),
    })
}

/// One application in full.
pub(super) fn text(client: &Client) -> String {
    let mut lines = vec![
        line("client id", client.client_id.as_str()),
        line("name", &client.name),
        line("type", kind(client)),
    ];
    lines.extend(client.redirect_uris.iter().map(|uri| line("redirect uri", uri.as_str())));
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

/// All applications, one a line.
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

fn machine(at: Timestamp) -> String {
    Moment::from(at).machine()
}

fn words(at: Timestamp) -> String {
    Moment::from(at).words()
}
