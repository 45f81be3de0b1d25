//! A member renames or removes a passkey. A removed passkey no longer works.

use std::net::IpAddr;

use storage::{ActorKind, RenamePasskey, StorageError};

use crate::App;
use crate::sessions::SignedIn;

/// Enough for a device and its place.
pub const PASSKEY_NAME_LENGTH_AT_MOST: usize = 60;

/// Renames a passkey of this member. An unknown passkey is no error; an empty name keeps the old one.
///
/// # Errors
/// When the store does not answer.
pub async fn rename_passkey(
    app: &App,
    member: &SignedIn,
    id: &str,
    name: &str,
) -> Result<(), StorageError> {
    let Some(name) = usable_name(name) else { return Ok(()) };
    let rename = RenamePasskey { member: member.id, id: id.to_owned(), name };
    app.store().rename_passkey(rename).await.map(drop)
}

/// Removes a passkey of this member; an unknown passkey is no error.
///
/// # Errors
/// When the store does not answer.
pub async fn remove_passkey(
    app: &App,
    member: &SignedIn,
    id: &str,
    address: IpAddr,
) -> Result<(), StorageError> {
    let act = app.act(ActorKind::Member, Some(address));
    app.store().remove_passkey(member.id, id, act).await.map(drop)
}

/// The visible characters of a name, up to the maximum length; `None` if there are none.
fn usable_name(text: &str) -> Option<String> {
    let seen: String = text.chars().filter(|character| !character.is_control()).collect();
    let name: String = seen.trim().chars().take(PASSKEY_NAME_LENGTH_AT_MOST).collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{PASSKEY_NAME_LENGTH_AT_MOST, usable_name};

    #[test]
    fn a_name_can_be_seen_and_is_not_too_long() {
        assert_eq!(usable_name(" My\0 phone\n").as_deref(), Some("My phone"));
        assert_eq!(usable_name(" \n"), None);
        let long = usable_name(&"é".repeat(1_000)).unwrap();
        assert_eq!(long.chars().count(), PASSKEY_NAME_LENGTH_AT_MOST);
    }
}
