//! The server's own keys. There is one that stays; for some uses another may take its place, which can be replaced.

use oauth::SigningKey;

/// What a key of the server is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyUse {
    /// What has to be the same for as long as there are data: the numbers of visitors, the secrets of webhooks.
    Lasting,
    /// What the server gives out and later recognizes, such as links to previews.
    Signatures,
    /// The mark of the folder of events and of its copies, by which a database recognizes its own.
    EventFiles,
}

impl KeyUse {
    /// The row of the key. Where it is missing, the lasting one, which is the first, stands in for it.
    pub(crate) const fn id(self) -> i64 {
        match self {
            Self::Lasting => 1,
            Self::Signatures => 2,
            Self::EventFiles => 3,
        }
    }
}

/// Keys that take the place of those that there are. Without one, that of its use stays.
#[derive(Debug, Clone, Default)]
pub struct NewKeys {
    /// See [`KeyUse::Signatures`].
    pub signatures: Option<SigningKey>,
    /// See [`KeyUse::EventFiles`].
    pub event_files: Option<SigningKey>,
}

impl NewKeys {
    /// The rows of those that there are.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (i64, &SigningKey)> {
        let rows =
            [(KeyUse::Signatures, &self.signatures), (KeyUse::EventFiles, &self.event_files)];
        rows.into_iter().filter_map(|(key_use, key)| Some((key_use.id(), key.as_ref()?)))
    }
}
