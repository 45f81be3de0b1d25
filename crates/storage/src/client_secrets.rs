//! The secrets of clients, as they are stored.

use async_trait::async_trait;
use oauth::{Client, ClientId, ClientSecret, SECRETS_AT_MOST, Timestamp};

use crate::{Act, StorageError};

/// The secrets of clients.
#[async_trait]
pub trait ClientSecretStore: Send + Sync + 'static {
    /// Gives a client another secret, beside the one it may have.
    async fn add_client_secret(
        &self,
        client_id: &ClientId,
        secret: ClientSecret,
        act: Act,
    ) -> Result<AddSecretOutcome, StorageError>;

    /// Removes a secret of a client; returns whether there was one. While a confidential client has no secret at all, its tokens open
    /// nothing.
    async fn remove_client_secret(
        &self,
        client_id: &ClientId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError>;

    /// Notes that a secret was used, unless that was noted within the last minute.
    async fn note_secret_use(
        &self,
        client_id: &ClientId,
        id: &str,
        now: Timestamp,
    ) -> Result<(), StorageError>;
}

/// What became of another secret for a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddSecretOutcome {
    /// The client has it.
    Added,
    /// There is no such client.
    UnknownClient,
    /// The client has as many as it may have.
    TooMany,
}

/// Why a client gets no further secret.
pub(crate) fn refuse_addition(client: Option<&Client>) -> Option<AddSecretOutcome> {
    match client {
        None => Some(AddSecretOutcome::UnknownClient),
        Some(client) if client.secrets.len() >= SECRETS_AT_MOST => Some(AddSecretOutcome::TooMany),
        Some(_) => None,
    }
}

/// Which secrets go and which come.
pub(crate) struct SecretChanges<'a> {
    pub(crate) gone: Vec<&'a ClientSecret>,
    pub(crate) added: Vec<&'a ClientSecret>,
}

/// What changes when a client is declared with these secrets. One that it has already stays as it is, with its last use.
pub(crate) fn compare<'a>(
    before: &'a [ClientSecret],
    after: &'a [ClientSecret],
) -> SecretChanges<'a> {
    let beside = |secrets: &'a [ClientSecret], others: &[ClientSecret]| {
        let is_other =
            |secret: &&ClientSecret| !others.iter().any(|other| other.hash == secret.hash);
        secrets.iter().filter(is_other).collect()
    };
    SecretChanges { gone: beside(before, after), added: beside(after, before) }
}

#[cfg(test)]
mod tests {
    use oauth::{ClientSecret, Timestamp};

    use super::{SecretChanges, compare};

    fn secret(text: &str) -> ClientSecret {
        let at = Timestamp::from_milliseconds(0);
        let hash = oauth::hash(text).unwrap();
        let (id, note) = (text.to_owned(), String::new());
        ClientSecret { id, hash, note, created_at: at, last_used_at: None }
    }

    #[test]
    fn a_secret_that_is_declared_again_neither_goes_nor_comes() {
        let (before, after) = ([secret("old"), secret("kept")], [secret("kept"), secret("new")]);

        let SecretChanges { gone, added } = compare(&before, &after);

        let ids = |secrets: Vec<&ClientSecret>| -> Vec<String> {
            secrets.into_iter().map(|secret| secret.id.clone()).collect()
        };
        assert_eq!((ids(gone), ids(added)), (vec!["old".to_owned()], vec!["new".to_owned()]));
    }
}
