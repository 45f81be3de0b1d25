//! What the account page lists, in the words and forms it needs.

use app::connections::ConnectedApplication;
use app::members::ListedPasskey;
use app::sessions::OpenSession;
use oauth::{Moment, Scope};

pub(crate) struct PasskeyCard {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) added: Moment,
    pub(crate) last_used: Option<Moment>,
}

pub(super) struct ApplicationCard {
    pub(super) client_id: String,
    pub(super) name: String,
    pub(super) hosts: String,
    pub(super) scopes: Vec<Scope>,
    pub(super) allowed: Moment,
    pub(super) last_used: Option<Moment>,
}

pub(super) struct SessionCard {
    pub(super) id: String,
    pub(super) browser: String,
    pub(super) started: Moment,
    pub(super) seen: Moment,
    pub(super) is_this: bool,
}

impl From<ListedPasskey> for PasskeyCard {
    fn from(passkey: ListedPasskey) -> Self {
        Self {
            id: passkey.id,
            name: passkey.name,
            added: Moment::from(passkey.added_at),
            last_used: passkey.last_used_at.map(Moment::from),
        }
    }
}

impl From<ConnectedApplication> for ApplicationCard {
    fn from(application: ConnectedApplication) -> Self {
        Self {
            client_id: application.client_id,
            name: application.name,
            hosts: application.hosts.join(", "),
            scopes: application.scope.iter().collect(),
            allowed: Moment::from(application.allowed_at),
            last_used: application.last_used_at.map(Moment::from),
        }
    }
}

impl From<OpenSession> for SessionCard {
    fn from(session: OpenSession) -> Self {
        let unknown = || "Unknown browser".to_owned();
        Self {
            id: session.id,
            browser: Some(session.browser)
                .filter(|words| !words.is_empty())
                .unwrap_or_else(unknown),
            started: Moment::from(session.started_at),
            seen: Moment::from(session.seen_at),
            is_this: session.is_this,
        }
    }
}
