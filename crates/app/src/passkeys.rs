//! Passkeys: a member signs in without a password. `webauthn_rs` checks the authenticator's answers; this module ensures that each
//! question is answered once, in the browser that got it.

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

/// A question that a browser passes to an authenticator.
#[derive(Debug)]
pub struct Ceremony {
    /// The options for `navigator.credentials`, with bytes in base64url.
    pub options: Value,
    /// The browser returns it with the answer. It is valid only in this browser, once, for five minutes.
    pub ticket: String,
}

/// Whether members can have passkeys here. Browsers support none at IP addresses, nor over plain http except on this machine.
#[must_use]
pub fn knows_passkeys(app: &App) -> bool {
    app.relying_party().is_some()
}

/// A passkey as the store keeps it.
fn written(passkey: &Passkey) -> String {
    serde_json::to_string(passkey).expect("a public key is plain data")
}
