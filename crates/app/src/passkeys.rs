//! Passkeys: a member's way in without a password. What an authenticator answers is checked by `webauthn_rs`; here is who may answer
//! what, once, and in which browser.

mod add;
mod list;
mod manage;
mod relying_party;
mod sign_in;
mod user_handle;

use serde_json::Value;
use webauthn_rs::prelude::Passkey;

pub use add::{
    AddPasskey, AddPasskeyError, BeginAddingError, add_passkey, begin_adding, is_proof_fresh,
};
pub use list::list_passkeys;
pub use manage::{PASSKEY_NAME_LENGTH_AT_MOST, remove_passkey, rename_passkey};
pub(crate) use relying_party::relying_party;
pub use sign_in::{PasskeySignIn, PasskeySignInError, begin_passkey_sign_in, sign_in_by_passkey};

use crate::App;

/// What a browser is asked to let an authenticator answer.
#[derive(Debug)]
pub struct Ceremony {
    /// What `navigator.credentials` takes, with its bytes in base64url.
    pub options: Value,
    /// What has to come back with the answer. It is good in this browser only, once, and for five minutes.
    pub ticket: String,
}

/// Whether members can have passkeys here. Browsers know none at IP addresses and over plain http but on this machine.
#[must_use]
pub fn knows_passkeys(app: &App) -> bool {
    app.relying_party().is_some()
}

/// What is known of a passkey, as the store keeps it.
fn written(passkey: &Passkey) -> String {
    serde_json::to_string(passkey).expect("a public key is plain data")
}
