//! Makes a client secret, and the record of it for the store.

use oauth::{ClientSecret, CredentialKind, Timestamp};
use secrecy::SecretString;

use crate::App;
use crate::app::IssuedCredential;
use crate::entropy::readable;

/// 40 random bits distinguish the few secrets of a client, including removed ones.
const SECRET_ID_LENGTH: usize = 8;

/// A new secret.
pub(super) struct MadeSecret {
    /// For the client, and shown to no other.
    pub(super) credential: SecretString,
    /// For the store.
    pub(super) stored: ClientSecret,
}

impl MadeSecret {
    pub(super) fn parts(self) -> (SecretString, ClientSecret) {
        (self.credential, self.stored)
    }
}

pub(super) fn make_secret(app: &App, note: String, now: Timestamp) -> MadeSecret {
    let IssuedCredential { credential, hash } = app.issue_credential(CredentialKind::ClientSecret);
    let stored =
        ClientSecret { id: make_secret_id(app), hash, note, created_at: now, last_used_at: None };
    MadeSecret { credential, stored }
}

/// The id reveals nothing about the secret.
pub(super) fn make_secret_id(app: &App) -> String {
    readable::<SECRET_ID_LENGTH>(app.entropy())
}
