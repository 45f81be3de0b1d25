//! Applications as programs see them.

use oauth::{Client, ClientOrigin, ClientSecret, Moment, RedirectUri, Timestamp};
use serde_json::Value;

use crate::applications::request::Kind;
use crate::dto;
use crate::dto::json_of;

dto! {
    /// An application: an OAuth client.
    pub struct ApplicationDto: "client" {
        /// The application's id.
        client_id: String,
        /// What members read on the consent page.
        name: String,
        /// Whether the application can keep a secret.
        kind as "type": Kind,
        /// Where authorization answers may go.
        redirect_uris: Vec<String>,
        /// The scope that the application is registered for.
        scope: Option<String>,
        /// Whether a project file declares the application.
        declared_in_project_file: bool,
        /// Since when the application is switched off.
        disabled_at: Option<String> where {"format": "date-time"},
    }

    /// The metadata of a secret.
    pub struct SecretDto: "client_secret" {
        /// The secret's id.
        id: String,
        /// The note about the secret.
        note: String,
        /// When the secret was made.
        created_at: String where {"format": "date-time"},
        /// When the application last used the secret.
        last_used_at: Option<String> where {"format": "date-time"},
    }
}

impl From<&Client> for ApplicationDto {
    fn from(client: &Client) -> Self {
        let uris = client.redirect_uris.iter().map(RedirectUri::as_str);
        Self {
            client_id: client.client_id.to_string(),
            name: client.name.clone(),
            kind: Kind(client.kind),
            redirect_uris: uris.map(str::to_owned).collect(),
            scope: client.scope.map(|scope| scope.to_string()),
            declared_in_project_file: client.origin == ClientOrigin::ProjectFile,
            disabled_at: client.disabled_at.map(machine),
        }
    }
}

impl From<&ClientSecret> for SecretDto {
    fn from(secret: &ClientSecret) -> Self {
        Self {
            id: secret.id.clone(),
            note: secret.note.clone(),
            created_at: machine(secret.created_at),
            last_used_at: secret.last_used_at.map(machine),
        }
    }
}

/// An application as a JSON object, always with the same fields. Its secrets are not included, because their use changes all the time.
#[must_use]
pub fn application_json(client: &Client) -> Value {
    json_of(&ApplicationDto::from(client))
}

/// The metadata of a secret as a JSON object, never the secret itself.
#[must_use]
pub fn secret_json(secret: &ClientSecret) -> Value {
    json_of(&SecretDto::from(secret))
}

fn machine(at: Timestamp) -> String {
    Moment::from(at).machine()
}
