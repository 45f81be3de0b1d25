//! A member lists their passkeys.

use storage::StorageError;

use crate::App;
use crate::members::{ListedPasskey, passkeys_of};
use crate::sessions::SignedIn;

/// The passkeys of a member, oldest first.
///
/// # Errors
/// When the store does not answer.
pub async fn list_passkeys(
    app: &App,
    member: &SignedIn,
) -> Result<Vec<ListedPasskey>, StorageError> {
    passkeys_of(app, member.id).await
}
