//! OAuth clients: the programs that act for members.

use std::fmt;
use std::str::FromStr;

use subtle::{Choice, ConstantTimeEq as _};

use crate::credential::{self, CredentialHash};
use crate::redirect_uri::RedirectUri;

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
    /// Runs where nobody else can look, and proves itself with its secret.
    Confidential,
    /// Runs on a person's device or in a page, and has no secret.
    Public,
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
    /// What is stored of its secrets: none for a public client, two while a confidential one moves to a new secret.
    pub secret_hashes: Vec<CredentialHash>,
}

/// Longer than any id we make or anybody would choose.
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

impl fmt::Display for ClientId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Client {
    /// Whether `secret` is one of the client's secrets. All are compared, so the time spent does not tell which.
    #[must_use]
    pub fn has_secret(&self, secret: &str) -> bool {
        let Some(presented) = credential::hash(secret) else { return false };
        let matches = |stored: &CredentialHash| stored.as_bytes().ct_eq(presented.as_bytes());
        let is_one_of_them = self
            .secret_hashes
            .iter()
            .fold(Choice::from(0), |found, stored| found | matches(stored));
        is_one_of_them.into()
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

    use super::{Client, ClientId, ClientKind, UnusableClientId};
    use crate::credential::hash;

    fn client_with_secrets(secrets: &[&str]) -> Client {
        Client {
            client_id: "reports".parse().unwrap(),
            name: "Reports".to_owned(),
            kind: ClientKind::Confidential,
            redirect_uris: vec![],
            secret_hashes: secrets.iter().map(|secret| hash(secret).unwrap()).collect(),
        }
    }

    #[test]
    fn both_secrets_are_good_while_a_client_moves_to_a_new_one() {
        let client = client_with_secrets(&["old", "new"]);

        assert!(client.has_secret("old"));
        assert!(client.has_secret("new"));
        assert!(!client.has_secret("ne"));
        assert!(!client.has_secret("newer"));
    }

    #[test]
    fn nothing_is_never_a_secret() {
        assert!(!client_with_secrets(&["old"]).has_secret(""));
        assert!(!client_with_secrets(&[]).has_secret(""));
        assert!(!client_with_secrets(&[]).has_secret("any"));
    }

    #[test]
    fn the_stored_hash_is_not_the_secret() {
        let client = client_with_secrets(&["secret"]);
        let stored = STANDARD.encode(client.secret_hashes[0].as_bytes());

        assert!(!client.has_secret(&stored));
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
