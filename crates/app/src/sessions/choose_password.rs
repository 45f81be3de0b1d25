//! A member signs in with a temporary password, and must first choose their own: the temporary one, which another person saw, allows
//! nothing else. There is no session until then. The browser returns a signed ticket that names the checked hash, so that it expires when
//! the password changes.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use storage::{
    ActorKind, ChoosePasswordOutcome, ChoosingSession, ChosenPassword, Member, MemberId, Proof,
    StorageError,
};
use thiserror::Error;

use crate::members::{ListedPasskey, passkeys_of};
use crate::new_password::NewPassword;
use crate::sessions::start::{Beginning, SigningBrowser, StartedSession};
use crate::signing_key::signing_key;
use crate::ticket::{Bounds, Purpose};
use crate::{App, Busy};

/// A member signed in with a temporary password, and must choose their own.
#[derive(Debug)]
pub struct PasswordDue {
    /// The member's e-mail address.
    pub email: String,
    /// The browser returns it with the new password: valid in this browser, for a quarter of an hour.
    pub ticket: String,
    /// The member's passkeys, to keep or to remove.
    pub passkeys: Vec<ListedPasskey>,
}

/// The form that a member sent.
#[derive(Debug)]
pub struct ChoosePassword {
    /// The ticket that came with the form.
    pub ticket: String,
    /// The form token of the browser.
    pub form_token: String,
    /// The new password.
    pub new: SecretString,
    /// The ids of passkeys to remove.
    pub removed_passkeys: Vec<String>,
    /// The browser that signs in.
    pub browser: SigningBrowser,
}

/// Why no session started.
#[derive(Debug, Error)]
pub enum ChoosePasswordError {
    /// Too late, in another browser, or the password has changed.
    #[error("the form is no longer valid")]
    NotAsked,
    /// The new password is too short or too long, or equals the temporary one.
    #[error("the new password cannot be used")]
    Unusable(Box<PasswordDue>),
    /// Too many passwords are being hashed at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The content of a ticket.
#[derive(Serialize, Deserialize)]
struct Question {
    member: String,
    /// The SHA-256 of the hash that was checked.
    checked: String,
}

impl PasswordDue {
    pub(super) async fn of(
        app: &App,
        member: &Member,
        form_token: &str,
    ) -> Result<Self, StorageError> {
        let question =
            Question { member: member.id.to_string(), checked: digest(&member.password_hash) };
        let bounds = Bounds { purpose: Purpose::ChoosePassword, browser: form_token };
        Ok(Self {
            email: member.email.clone(),
            ticket: bounds.write(&question, &signing_key(app).await?, app.now()),
            passkeys: passkeys_of(app, member.id).await?,
        })
    }
}

/// Replaces the temporary password and starts a session, in one commit.
///
/// # Errors
/// See [`ChoosePasswordError`].
pub async fn choose_password(
    app: &App,
    choice: ChoosePassword,
) -> Result<StartedSession, ChoosePasswordError> {
    let member = find_asked(app, &choice.ticket, &choice.form_token).await?;
    let before = member.password_hash.clone();
    let Some(new) = other_password(app, choice.new, &before).await? else {
        let due = PasswordDue::of(app, &member, &choice.form_token).await?;
        return Err(ChoosePasswordError::Unusable(Box::new(due)));
    };
    let after = app.passwords().hash(new, app.random()).await?;
    let proof = Proof::Password(after.clone());
    let beginning = Beginning::of(app, member.id, proof, &choice.browser);
    let chosen = ChosenPassword {
        member: member.id,
        before,
        after,
        removed_passkeys: choice.removed_passkeys,
        session: ChoosingSession::Started(Box::new(beginning.session)),
        act: app.act(ActorKind::Member, Some(choice.browser.address)),
    };
    match app.store().choose_password(chosen).await? {
        ChoosePasswordOutcome::Chosen => Ok(beginning.credential.started(app, member.id).await?),
        ChoosePasswordOutcome::OtherPassword | ChoosePasswordOutcome::SignedOut => {
            Err(ChoosePasswordError::NotAsked)
        }
    }
}

/// The password that a member chose, if it may be one and is not the temporary one.
async fn other_password(
    app: &App,
    chosen: SecretString,
    temporary: &str,
) -> Result<Option<NewPassword>, Busy> {
    let Ok(new) = NewPassword::parse(chosen.clone()) else { return Ok(None) };
    let is_same = app.passwords().matches(chosen, Some(temporary.to_owned())).await?;
    Ok((!is_same).then_some(new))
}

/// The member we asked, if the ticket is ours, from this browser, recent, and their password is still the checked one.
async fn find_asked(
    app: &App,
    ticket: &str,
    form_token: &str,
) -> Result<Member, ChoosePasswordError> {
    let bounds = Bounds { purpose: Purpose::ChoosePassword, browser: form_token };
    let returned = bounds.read::<Question>(ticket, &signing_key(app).await?, app.now());
    let Question { member, checked } = returned.ok_or(ChoosePasswordError::NotAsked)?.question;
    let id: MemberId = member.parse().map_err(|_| ChoosePasswordError::NotAsked)?;
    let member = app.store().lookup_member(id).await?;
    let is_due =
        |member: &Member| member.is_password_temporary && digest(&member.password_hash) == checked;
    member.filter(is_due).ok_or(ChoosePasswordError::NotAsked)
}

fn digest(hash: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(hash))
}
