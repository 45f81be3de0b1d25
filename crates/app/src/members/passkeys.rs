//! Lists the passkeys of a member.

use oauth::Timestamp;
use storage::{MemberId, StorageError};

use crate::App;

/// A passkey of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPasskey {
    /// Its id.
    pub id: String,
    /// The name that the member gave it.
    pub name: String,
    /// When it was added.
    pub added_at: Timestamp,
    /// When the member last signed in with it, if ever.
    pub last_used_at: Option<Timestamp>,
}

/// The passkeys of a member, oldest first.
pub(crate) async fn passkeys_of(
    app: &App,
    member: MemberId,
) -> Result<Vec<ListedPasskey>, StorageError> {
    let lines = app.store().list_passkeys(member).await?.into_iter();
    let listed = lines.map(|line| ListedPasskey {
        id: line.id,
        name: line.name,
        added_at: line.added_at,
        last_used_at: line.last_used_at,
    });
    Ok(listed.collect())
}
