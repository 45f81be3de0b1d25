//! OAuth clients: the programs that act for members.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::client_secret::ClientSecret;
use crate::credential;
use crate::redirect_uri::RedirectUri;
use crate::scope::ScopeSet;
use crate::time::Timestamp;

/// Names a client in the protocol (RFC 6749 section 2.2). It is public.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClientId(String);

/// A text that cannot be a client id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a client id is 1 to 128 letters, digits and `-._~`")]
pub struct UnusableClientId;

/// Whether a client can keep a secret (RFC 6749 section 2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientKind {
    /// Runs where others cannot look, and authenticates with its secret.
    Confidential,
    /// Runs on a person's device or in a page, and has no secret.
    Public,
}

/// Who registered a client, and may change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientOrigin {
    /// An operator at the terminal.
    Command,
    /// A project file declares it, and is right about it each time it is published.
    ProjectFile,
}

/// A registered client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its name in the protocol.
    pub client_id: ClientId,
    /// Its name for people.
    pub name: String,
    /// Whether it can keep a secret.
    pub kind: ClientKind,
    /// Where answers to its authorization requests may go.
    pub redirect_uris: Vec<RedirectUri>,
    /// Its secrets: none for a public client, two while a confidential one moves to a new secret.
    pub secrets: Vec<ClientSecret>,
    /// What it asks for when a request names no scope, and beyond which it may not ask, if that was registered.
    pub scope: Option<ScopeSet>,
    /// Who registered it.
    pub origin: ClientOrigin,
    /// Since when it is disabled: it gets no tokens, and its existing tokens give no access.
    pub disabled_at: Option<Timestamp>,
}

/// Longer than any id that we make or an operator would choose.
const CLIENT_ID_LENGTH_AT_MOST: usize = 128;

impl ClientId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ClientId {
    type Err = UnusableClientId;

    /// Characters that need no care in URLs and in Basic, within what RFC 6749 appendix A.1 allows.
    fn from_str(text: &str) -> Result<Self, UnusableClientId> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_usable =
            (1..=CLIENT_ID_LENGTH_AT_MOST).contains(&text.len()) && text.bytes().all(is_allowed);
        if is_usable { Ok(Self(text.to_owned())) } else { Err(UnusableClientId) }
    }
}

impl<'de> Deserialize<'de> for ClientId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Client {
    /// Whether the client is not switched off.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.disabled_at.is_none()
    }

    /// Which of the client's secrets `secret` is. All are compared, so that the time does not reveal whether it is close to one.
    #[must_use]
    pub fn find_secret(&self, secret: &str) -> Option<&ClientSecret> {
        let presented = credential::hash(secret)?;
        self.secrets.iter().fold(
            None,
            |found, stored| {
                if stored.hash == presented { Some(stored) } else { found }
            },
        )
    }

    /// The most that the client may be given now.
    #[must_use]
    pub fn widest_scope(&self) -> ScopeSet {
        self.scope.unwrap_or(ScopeSet::ALL)
    }

    /// What the client asks for that named this scope, or none; `None` if it may not ask for it.
    #[must_use]
    pub fn scope_of(&self, named: Option<ScopeSet>) -> Option<ScopeSet> {
        let Some(named) = named else { return Some(self.scope.unwrap_or(ScopeSet::LEAST)) };
        let is_within = self.scope.is_none_or(|registered| named.is_subset_of(registered));
        is_within.then_some(named)
    }

    /// Whether an answer may go to `uri`.
    #[must_use]
    pub fn has_redirect_uri(&self, uri: &str) -> bool {
        self.redirect_uris.iter().any(|registered| registered.matches(uri))
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::{Client, ClientId, ClientKind, ClientOrigin, UnusableClientId};
    use crate::client_secret::secret;
    use crate::scope::{Scope, ScopeSet};

    fn client_with_secrets(secrets: &[&str]) -> Client {
        Client {
            client_id: "reports".parse().unwrap(),
            name: "Reports".to_owned(),
            kind: ClientKind::Confidential,
            redirect_uris: vec![],
            secrets: secrets.iter().copied().map(secret).collect(),
            scope: None,
            origin: ClientOrigin::Command,
            disabled_at: None,
        }
    }

    #[test]
    fn both_secrets_are_good_while_a_client_moves_to_a_new_one() {
        let client = client_with_secrets(&["old", "new"]);

        assert_eq!(client.find_secret("old"), Some(&secret("old")));
        assert_eq!(client.find_secret("new"), Some(&secret("new")));
        assert_eq!(client.find_secret("ne"), None);
        assert_eq!(client.find_secret("newer"), None);
    }

    #[test]
    fn without_a_scope_a_client_asks_for_the_least_or_its_registered_scope() {
        let read = ScopeSet::from(Scope::ConfigRead);
        let publish = ScopeSet::from(Scope::Publish);
        let any = client_with_secrets(&[]);
        let all = Client { scope: Some(ScopeSet::ALL), ..any.clone() };
        let some = Client { scope: Some(read.union(publish)), ..any.clone() };

        assert_eq!(any.scope_of(None), Some(read));
        assert_eq!(all.scope_of(None), Some(ScopeSet::ALL));
        assert_eq!(some.scope_of(None), Some(read.union(publish)));
        assert_eq!(any.scope_of(Some(ScopeSet::ALL)), Some(ScopeSet::ALL));
        assert_eq!(some.scope_of(Some(publish)), Some(publish));
        assert_eq!(some.scope_of(Some(ScopeSet::ALL)), None);
    }

    #[test]
    fn nothing_is_never_a_secret() {
        assert_eq!(client_with_secrets(&["old"]).find_secret(""), None);
        assert_eq!(client_with_secrets(&[]).find_secret(""), None);
        assert_eq!(client_with_secrets(&[]).find_secret("any"), None);
    }

    #[test]
    fn the_stored_hash_is_not_the_secret() {
        let client = client_with_secrets(&["secret"]);
        let stored = STANDARD.encode(client.secrets[0].hash.as_bytes());

        assert_eq!(client.find_secret(&stored), None);
    }

    #[test]
    fn client_ids_are_plain() {
        for text in ["a", "demo-app", "A.b_c~9", &"a".repeat(128)] {
            assert_eq!(text.parse::<ClientId>().unwrap().as_str(), text);
        }
        for text in ["", "a b", "a:b", "a%20", "<script>", "é", "a\0", &"a".repeat(129)] {
            assert_eq!(text.parse::<ClientId>(), Err(UnusableClientId), "{text:?}");
        }
    }
}
