//! Which passkeys a member has.

use oauth::Timestamp;
use storage::{MemberId, StorageError};

use crate::App;

/// A passkey of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPasskey {
    /// What it is called by.
    pub id: String,
    /// What its member named it.
    pub name: String,
    /// When it was added.
    pub added_at: Timestamp,
    /// When its member signed in with it last, if ever.
    pub last_used_at: Option<Timestamp>,
}

/// The passkeys of a member, those added first first.
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
