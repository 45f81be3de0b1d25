//! A signed-in member adds a passkey: a key pair that one of their devices makes for this site. The server gets its public key.

use std::net::IpAddr;

use oauth::Lifetime;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use storage::{ActorKind, AddPasskeyOutcome, NewPasskey, StorageError};
use thiserror::Error;
use webauthn_rs::Webauthn;
use webauthn_rs::prelude::{CredentialID, PasskeyRegistration, RegisterPublicKeyCredential, Uuid};

use crate::entropy::readable;
use crate::passkeys::user_handle::user_handle;
use crate::passkeys::{Ceremony, written};
use crate::passwords::PASSWORD_BYTES_AT_MOST;
use crate::sessions::{ProveError, SignedIn, browser_words, prove};
use crate::signing_key::signing_key;
use crate::ticket::{Bounds, Purpose};
use crate::{App, Busy, TooManyFailures};

/// 50 random bits distinguish the passkeys of a member, including removed ones.
const ID_LENGTH: usize = 10;

/// The name of a device that does not identify itself.
const UNNAMED: &str = "A device";

/// The browser's answer.
#[derive(Debug)]
pub struct AddPasskey {
    /// The ticket that came with the question.
    pub ticket: String,
    /// The form token of the browser.
    pub form_token: String,
    /// The answer, in JSON.
    pub credential: String,
    /// The `User-Agent` of the browser.
    pub user_agent: String,
    /// The address of the browser.
    pub address: IpAddr,
}

/// An intruder at a browser left signed in must not add a key: the member must have proved their identity this recently. The question is
/// valid for five minutes more.
const FRESH_FOR: Lifetime = Lifetime::from_seconds(10 * 60);

/// Why we ask no device.
#[derive(Debug, Error)]
pub enum BeginAddingError {
    /// The member signed in too long ago, and sent no password.
    #[error("adding a passkey needs a recent proof of identity")]
    ProofNeeded,
    /// The password is wrong.
    #[error("the password is wrong")]
    WrongPassword,
    /// Too many attempts.
    #[error(transparent)]
    TooManyFailures(#[from] TooManyFailures),
    /// Too many passwords are being checked at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why no passkey was added.
#[derive(Debug, Error)]
pub enum AddPasskeyError {
    /// Too late, in another browser, answered before, or passkeys are not supported here.
    #[error(
        "the offer to add a passkey has expired, or began in another browser; hint: add it again"
    )]
    NotAsked,
    /// The answer does not fit the question.
    #[error("the device's answer does not fit the question; hint: add the passkey again")]
    NotRight,
    /// The member has the maximum number of passkeys.
    #[error("the member has as many passkeys as allowed")]
    TooMany,
    /// The store does not answer.
    #[error(transparent)]
    Storage(StorageError),
}

/// The passkey or its challenge is already known.
impl From<StorageError> for AddPasskeyError {
    fn from(error: StorageError) -> Self {
        if matches!(error, StorageError::Conflict) { Self::NotAsked } else { Self::Storage(error) }
    }
}

/// The question for a device of this member; `None` where passkeys are not supported.
///
/// # Errors
/// See [`BeginAddingError`].
pub async fn begin_adding(
    app: &App,
    member: &SignedIn,
    form_token: &str,
    password: Option<SecretString>,
) -> Result<Option<Ceremony>, BeginAddingError> {
    let Some(relying_party) = app.relying_party() else { return Ok(None) };
    require_fresh_proof(app, member, password).await?;
    let key = signing_key(app).await?;
    let known = app.store().list_passkeys(member.id).await?;
    let known = known.into_iter().map(|passkey| passkey.credential_id).collect();
    let handle = user_handle(member.id, &key);
    let (options, question) = question(relying_party, handle, &member.email, known);
    let bounds = Bounds { purpose: Purpose::Add, browser: form_token };
    Ok(Some(Ceremony { options, ticket: bounds.write(&question, &key, app.now()) }))
}

/// Whether the member proved their identity recently enough to add a passkey.
#[must_use]
pub fn is_proof_fresh(app: &App, member: &SignedIn) -> bool {
    app.now() < member.signed_in_at + FRESH_FOR
}

async fn require_fresh_proof(
    app: &App,
    member: &SignedIn,
    password: Option<SecretString>,
) -> Result<(), BeginAddingError> {
    if is_proof_fresh(app, member) {
        return Ok(());
    }
    let password = password.ok_or(BeginAddingError::ProofNeeded)?;
    if password.expose_secret().len() > PASSWORD_BYTES_AT_MOST {
        return Err(BeginAddingError::WrongPassword);
    }
    app.limits().sign_in.count_in_session(member.id, app.now())?;
    match prove(app, member.id, password).await {
        Ok(_) => app.limits().sign_in.succeeded_in_session(member.id),
        Err(ProveError::WrongPassword) => return Err(BeginAddingError::WrongPassword),
        Err(ProveError::Busy(busy)) => return Err(busy.into()),
        Err(ProveError::Storage(error)) => return Err(error.into()),
    }
    Ok(())
}

fn question(
    relying_party: &Webauthn,
    handle: Uuid,
    email: &str,
    known: Vec<CredentialID>,
) -> (Value, PasskeyRegistration) {
    let (options, question) = relying_party
        .start_passkey_registration(handle, email, email, Some(known))
        .expect("a member has a handle and a name");
    let mut options = serde_json::to_value(options).expect("options are plain data");
    // Only a discoverable passkey works without typing an e-mail address first.
    let selection = &mut options["publicKey"]["authenticatorSelection"];
    selection["residentKey"] = "required".into();
    selection["requireResidentKey"] = true.into();
    (options, question)
}

/// Adds the passkey that a device made, named after its browser.
///
/// # Errors
/// See [`AddPasskeyError`].
pub async fn add_passkey(
    app: &App,
    member: &SignedIn,
    answer: AddPasskey,
) -> Result<(), AddPasskeyError> {
    let relying_party = app.relying_party().ok_or(AddPasskeyError::NotAsked)?;
    let bounds = Bounds { purpose: Purpose::Add, browser: &answer.form_token };
    let key = signing_key(app).await?;
    let returned = bounds.read::<PasskeyRegistration>(&answer.ticket, &key, app.now());
    let returned = returned.ok_or(AddPasskeyError::NotAsked)?;
    let credential: RegisterPublicKeyCredential =
        serde_json::from_str(&answer.credential).map_err(|_| AddPasskeyError::NotRight)?;
    let passkey = relying_party
        .finish_passkey_registration(&credential, &returned.question)
        .map_err(|_| AddPasskeyError::NotRight)?;
    let passkey = NewPasskey {
        credential_id: passkey.cred_id().clone(),
        id: readable::<ID_LENGTH>(app.entropy()),
        member: member.id,
        credential: written(&passkey),
        name: Some(browser_words(&answer.user_agent))
            .filter(|words| !words.is_empty())
            .unwrap_or_else(|| UNNAMED.to_owned()),
        challenge: returned.challenge,
        session: member.session,
        act: app.act(ActorKind::Member, Some(answer.address)),
    };
    match app.store().add_passkey(passkey).await? {
        AddPasskeyOutcome::Added => Ok(()),
        AddPasskeyOutcome::TooMany => Err(AddPasskeyError::TooMany),
        AddPasskeyOutcome::SignedOut => Err(AddPasskeyError::NotAsked),
    }
}
