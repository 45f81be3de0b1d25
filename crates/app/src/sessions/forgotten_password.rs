//! A member forgot the password, and gets a link by mail with which they choose another. The link is signed and not stored: it names the
//! hash of the forgotten password, so that it ends with the first password that is chosen, however that is done.

use std::net::IpAddr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use storage::{
    ActorKind, AuditEvent, ChoosePasswordOutcome, ChoosingSession, ChosenPassword, Member,
    MemberId, NewAuditEntry, Proof, StorageError,
};
use thiserror::Error;

use crate::mail::{Mail, deliver};
use crate::members::EmailAddress;
use crate::new_password::{NewPassword, UnusablePassword};
use crate::sessions::start::{Beginning, SigningBrowser, StartedSession};
use crate::signing_key::signing_key;
use crate::throttle::{Allowance, Source, Throttle};
use crate::ticket::{Bounds, Purpose};
use crate::{App, Busy, TooManyFailures};

/// The page that the link opens.
pub const FORGOTTEN_CHOICE_PATH: &str = "/forgotten/choose";

const MINUTE_MS: i64 = 60_000;

/// A person asks again when the first mail is slow; more would fill the mailbox of another.
const FOR_ACCOUNT_FROM_ADDRESS: Allowance = Allowance {
    failures: 3,
    forgotten_after_ms: 10 * MINUTE_MS,
    first_wait_ms: MINUTE_MS,
    longest_wait_ms: 15 * MINUTE_MS,
};

/// From many addresses a mailbox gets a mail every few minutes at most.
const FOR_ACCOUNT: Allowance = Allowance {
    failures: 6,
    forgotten_after_ms: 10 * MINUTE_MS,
    first_wait_ms: MINUTE_MS,
    longest_wait_ms: 5 * MINUTE_MS,
};

/// A whole office may share one address.
const FROM_ADDRESS: Allowance = Allowance {
    failures: 20,
    forgotten_after_ms: MINUTE_MS,
    first_wait_ms: 10_000,
    longest_wait_ms: 5 * MINUTE_MS,
};

/// The link is bound to no browser: the mail may be read on another device.
const ANYWHERE: Bounds<'_> = Bounds { purpose: Purpose::ForgottenPassword, browser: "" };

/// Remembers who asked for links, in memory and within bounds.
pub(crate) struct ForgottenThrottle {
    for_account_from_address: Throttle,
    for_account: Throttle,
    from_address: Throttle,
}

/// The form that a person sent who has the link.
#[derive(Debug)]
pub struct ChooseForgotten {
    /// The token of the link.
    pub token: String,
    /// The new password.
    pub new: SecretString,
    /// The browser that signs in.
    pub browser: SigningBrowser,
}

/// Why no password was chosen.
#[derive(Debug, Error)]
pub enum ChooseForgottenError {
    /// Used, expired, no link of ours, or the password has changed since.
    #[error("this link was used, or is older than half an hour; ask for another one")]
    Gone,
    /// The new password is too short or too long.
    #[error(transparent)]
    Password(#[from] UnusablePassword),
    /// Too many passwords are being hashed at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The content of a link.
#[derive(Serialize, Deserialize)]
struct Forgotten {
    member: String,
    /// The SHA-256 of the hash of the password that was forgotten.
    checked: String,
}

impl Default for ForgottenThrottle {
    fn default() -> Self {
        Self {
            for_account_from_address: Throttle::new(FOR_ACCOUNT_FROM_ADDRESS),
            for_account: Throttle::new(FOR_ACCOUNT),
            from_address: Throttle::new(FROM_ADDRESS),
        }
    }
}

impl ForgottenThrottle {
    /// Counts a request, whether or not a member has the address.
    fn count(&self, email: &str, address: IpAddr, app: &App) -> Result<(), TooManyFailures> {
        self.for_account_from_address.count(Source::attempts_on(email, address), app.now())?;
        self.for_account.count(Source::name(email), app.now())?;
        self.from_address.count(Source::address(address), app.now())
    }
}

/// Sends a link to the member with this address, if there is one; the answer does not wait for that, and is the same if there is none.
///
/// # Errors
/// If there were too many requests for this address, or from this one.
pub fn forget_password(app: &App, email: &str, address: IpAddr) -> Result<(), TooManyFailures> {
    let Some(email) = EmailAddress::parse(email) else { return Ok(()) };
    app.limits().forgotten_password.count(email.as_str(), address, app)?;
    let app = app.clone();
    tokio::spawn(async move {
        if let Err(error) = send_link(&app, &email, address).await
            && !error.is_logged()
        {
            tracing::warn!("no link was sent for a forgotten password: {error}");
        }
    });
    Ok(())
}

async fn send_link(app: &App, email: &EmailAddress, address: IpAddr) -> Result<(), StorageError> {
    let found = app.store().find_member_by_email(email.as_str()).await?;
    let (Some(member), Some(_)) = (found, app.mailer()) else { return Ok(()) };
    let forgotten =
        Forgotten { member: member.id.to_string(), checked: digest(&member.password_hash) };
    let token = ANYWHERE.write(&forgotten, &signing_key(app).await?, app.now());
    let entry = NewAuditEntry {
        event: AuditEvent::PasswordLinkSent,
        act: app.act(ActorKind::Unknown, Some(address)),
        member: Some(member.id),
        client_id: None,
        detail: String::new(),
        project: None,
    };
    app.store().add_audit_entry(entry).await?;
    let link = app.public_url().join(&format!("{FORGOTTEN_CHOICE_PATH}?token={token}"));
    deliver(app, mail(app, member.email, &link)).await;
    Ok(())
}

fn mail(app: &App, to: String, link: &str) -> Mail {
    let host = app.public_url().host();
    let text = format!(
        "You, or another person, asked for a new password for {to} on {host}.\n\n\
         Choose one here, within half an hour:\n\n{link}\n\n\
         It signs you out everywhere else and ends the access of applications.\n\
         If you did not ask, do nothing: your password stays as it is.\n"
    );
    Mail { to, subject: format!("Choose a new password on {host}"), text }
}

/// The address of the member with this link.
///
/// # Errors
/// See [`ChooseForgottenError`].
pub async fn find_forgotten(app: &App, token: &str) -> Result<String, ChooseForgottenError> {
    Ok(find(app, token).await?.email)
}

/// Replaces the forgotten password and starts a session; all else that acted for the member ends, as when an admin resets a password.
///
/// # Errors
/// See [`ChooseForgottenError`].
pub async fn choose_forgotten(
    app: &App,
    ChooseForgotten { token, new, browser }: ChooseForgotten,
) -> Result<StartedSession, ChooseForgottenError> {
    let member = find(app, &token).await?;
    let new = NewPassword::parse(new)?;
    let after = app.passwords().hash(new, app.random()).await?;
    let beginning = Beginning::of(app, member.id, Proof::Password(after.clone()), &browser);
    let chosen = ChosenPassword {
        member: member.id,
        before: member.password_hash,
        after,
        removed_passkeys: Vec::new(),
        session: ChoosingSession::Only(Box::new(beginning.session)),
        act: app.act(ActorKind::Member, Some(browser.address)),
    };
    match app.store().choose_password(chosen).await? {
        ChoosePasswordOutcome::Chosen => Ok(beginning.credential.started(app, member.id).await?),
        ChoosePasswordOutcome::OtherPassword | ChoosePasswordOutcome::SignedOut => {
            Err(ChooseForgottenError::Gone)
        }
    }
}

/// The member with this link, if it is ours and recent, and their password is still the forgotten one.
async fn find(app: &App, token: &str) -> Result<Member, ChooseForgottenError> {
    // A server without mail has sent no link: an attacker who has the key, from a backup for example, signed this one.
    if app.mailer().is_none() {
        return Err(ChooseForgottenError::Gone);
    }
    let returned = ANYWHERE.read::<Forgotten>(token, &signing_key(app).await?, app.now());
    let Forgotten { member, checked } = returned.ok_or(ChooseForgottenError::Gone)?.question;
    let id: MemberId = member.parse().map_err(|_| ChooseForgottenError::Gone)?;
    let member = app.store().lookup_member(id).await?;
    let is_forgotten = |member: &Member| digest(&member.password_hash) == checked;
    member.filter(is_forgotten).ok_or(ChooseForgottenError::Gone)
}

fn digest(hash: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(hash))
}
