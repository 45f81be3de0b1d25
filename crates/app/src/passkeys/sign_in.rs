//! A member signs in with a passkey: the device finds the account, verifies the member, and signs our challenge. No password is involved,
//! so failed passwords never slow down this way.

use serde_json::Value;
use storage::{AuditEvent, FoundPasskey, MemberId, PasskeyUse, Proof, StorageError};
use thiserror::Error;
use webauthn_rs::Webauthn;
use webauthn_rs::prelude::{
    DiscoverableAuthentication, DiscoverableKey, Passkey, PublicKeyCredential,
};

use crate::App;
use crate::audit::{Refused, note_refusal};
use crate::passkeys::user_handle::user_handle;
use crate::passkeys::{Ceremony, written};
use crate::sessions::{SigningBrowser, StartedSession, start};
use crate::signing_key::signing_key;
use crate::ticket::{Bounds, Purpose};

/// The browser's answer.
#[derive(Debug)]
pub struct PasskeySignIn {
    /// The ticket that came with the question.
    pub ticket: String,
    /// The form token of the browser.
    pub form_token: String,
    /// The answer, in JSON.
    pub credential: String,
    /// The browser that signs in.
    pub browser: SigningBrowser,
}

/// Why no session started.
#[derive(Debug, Error)]
pub enum PasskeySignInError {
    /// Too late, in another browser, answered before, or passkeys are not supported here.
    #[error("the sign-in has expired, or began in another browser; hint: start it again")]
    NotAsked,
    /// The passkey is unknown or removed, or the answer does not fit the question; the answer does not tell which.
    #[error(
        "no member has the passkey, or its answer does not fit; hint: sign in with another passkey, or the password"
    )]
    NotRight,
    /// The store does not answer.
    #[error(transparent)]
    Storage(StorageError),
}

/// A challenge that was answered before, or a passkey used or removed at the same time.
impl From<StorageError> for PasskeySignInError {
    fn from(error: StorageError) -> Self {
        if matches!(error, StorageError::Conflict) { Self::NotAsked } else { Self::Storage(error) }
    }
}

/// The question for any device at hand; `None` where passkeys are not supported.
///
/// # Errors
/// When the store does not answer.
pub async fn begin_passkey_sign_in(
    app: &App,
    form_token: &str,
) -> Result<Option<Ceremony>, StorageError> {
    let Some(relying_party) = app.relying_party() else { return Ok(None) };
    let (options, question) = question(relying_party);
    let bounds = Bounds { purpose: Purpose::SignIn, browser: form_token };
    let ticket = bounds.write(&question, &signing_key(app).await?, app.now());
    Ok(Some(Ceremony { options, ticket }))
}

fn question(relying_party: &Webauthn) -> (Value, DiscoverableAuthentication) {
    let (options, question) =
        relying_party.start_discoverable_authentication().expect("any passkey may answer");
    (serde_json::to_value(options).expect("options are plain data"), question)
}

/// Checks the device's answer and starts a session.
///
/// # Errors
/// See [`PasskeySignInError`].
pub async fn sign_in_by_passkey(
    app: &App,
    answer: PasskeySignIn,
) -> Result<StartedSession, PasskeySignInError> {
    let address = answer.browser.address;
    let mut named = None;
    let signed_in = try_sign_in(app, answer, &mut named).await;
    if let Err(PasskeySignInError::NotAsked | PasskeySignInError::NotRight) = signed_in {
        let event = AuditEvent::SignInRefused;
        note_refusal(app, Refused { event, member: named, client_id: None, address });
    }
    signed_in
}

/// Sets `named` to the member whose passkey was shown.
async fn try_sign_in(
    app: &App,
    answer: PasskeySignIn,
    named: &mut Option<MemberId>,
) -> Result<StartedSession, PasskeySignInError> {
    let relying_party = app.relying_party().ok_or(PasskeySignInError::NotAsked)?;
    let bounds = Bounds { purpose: Purpose::SignIn, browser: &answer.form_token };
    let key = signing_key(app).await?;
    let returned = bounds.read(&answer.ticket, &key, app.now());
    let returned = returned.ok_or(PasskeySignInError::NotAsked)?;
    let credential: PublicKeyCredential =
        serde_json::from_str(&answer.credential).map_err(|_| PasskeySignInError::NotRight)?;
    let (handle, credential_id) = relying_party
        .identify_discoverable_authentication(&credential)
        .map_err(|_| PasskeySignInError::NotRight)?;
    let found = app.store().find_passkey(credential_id).await?;
    let found = found.ok_or(PasskeySignInError::NotRight)?;
    *named = Some(found.member.id);
    if handle != user_handle(found.member.id, &key) {
        return Err(PasskeySignInError::NotRight);
    }
    let after = check(relying_party, &credential, returned.question, &found)?;
    let used = PasskeyUse {
        credential_id: credential_id.to_vec(),
        before: found.credential,
        after,
        challenge: returned.challenge,
    };
    Ok(start(app, found.member.id, Proof::Passkey(used), &answer.browser).await?)
}

/// The updated passkey after a valid answer. Its counter, if it has one, has increased.
fn check(
    relying_party: &Webauthn,
    credential: &PublicKeyCredential,
    question: DiscoverableAuthentication,
    found: &FoundPasskey,
) -> Result<String, PasskeySignInError> {
    let known: Result<Passkey, _> = serde_json::from_str(&found.credential);
    let mut passkey =
        known.map_err(|_| PasskeySignInError::Storage(StorageError::Corrupt("passkey".into())))?;
    let result = relying_party
        .finish_discoverable_authentication_v2(
            credential,
            question,
            DiscoverableKey::from(&passkey),
        )
        .map_err(|_| PasskeySignInError::NotRight)?;
    passkey.update_credential(&result);
    Ok(written(&passkey))
}
