//! The secrets of a confidential client. It may have two at once, so that it can move from one to the next without an outage.

use crate::credential::CredentialHash;
use crate::time::{Lifetime, Timestamp};

/// How many secrets of a client are valid at once: the one in use, and its successor.
pub const SECRETS_AT_MOST: usize = 2;

/// The last use of a secret is recorded at most this often: it shows whether a secret can be removed, for which a minute
/// does not matter.
pub const SECRET_USE_NOTED_AFTER: Lifetime = Lifetime::from_seconds(60);

/// The facts about a secret, without the secret itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSecret {
    /// Its id for members. It reveals nothing of the secret.
    pub id: String,
    /// What a secret that is presented must hash to.
    pub hash: CredentialHash,
    /// What people wrote about it, such as where it is used.
    pub note: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to about a minute.
    pub last_used_at: Option<Timestamp>,
}

impl ClientSecret {
    /// Whether a use at the moment `now` is to be written down.
    #[must_use]
    pub fn is_use_to_be_noted(&self, now: Timestamp) -> bool {
        self.last_used_at.is_none_or(|noted_at| noted_at + SECRET_USE_NOTED_AFTER <= now)
    }
}

/// A secret as a test needs one, never used so far.
#[cfg(test)]
pub(crate) fn secret(text: &str) -> ClientSecret {
    ClientSecret {
        id: format!("id of {text}"),
        hash: crate::credential::hash(text).expect("short texts have a hash"),
        note: String::new(),
        created_at: Timestamp::from_milliseconds(0),
        last_used_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ClientSecret, secret};
    use crate::time::{Lifetime, Timestamp};

    #[test]
    fn use_is_noted_once_a_minute() {
        let now = Timestamp::from_milliseconds(0);
        let used = ClientSecret { last_used_at: Some(now), ..secret("secret") };

        assert!(secret("secret").is_use_to_be_noted(now));
        assert!(!used.is_use_to_be_noted(now + Lifetime::from_seconds(59)));
        assert!(used.is_use_to_be_noted(now + Lifetime::from_seconds(60)));
    }
}
