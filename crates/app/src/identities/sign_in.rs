//! A browser comes back from the provider, and its member is signed in. The first time, the e-mail address that the provider vouches for
//! says which member it is; from then on the provider's subject does, which never means another person.

use secrecy::SecretString;
use storage::{AuditEvent, Earlier, IdentityUse, Member, MemberId, StorageError};
use thiserror::Error;

use crate::App;
use crate::audit::{Refused, note_refusal};
use crate::identities::begin::Journey;
use crate::identities::provider::{ProviderAnswer, ProviderError, ProviderQuestion};
use crate::members::EmailAddress;
use crate::sessions::{SigningBrowser, StartedSession, start_by_identity};
use crate::signing_key::signing_key;
use crate::ticket::{Bounds, Purpose};

/// What the browser brings back.
pub struct ProviderSignIn {
    /// The question that we sent it away with.
    pub state: String,
    /// The provider's code.
    pub code: SecretString,
    /// Which provider it is from, if it says so (RFC 9207).
    pub issuer: Option<String>,
    /// The form token of the browser.
    pub form_token: String,
    /// The browser that signs in.
    pub browser: SigningBrowser,
}

/// A member is signed in.
#[derive(Debug)]
pub struct SignedInByProvider {
    /// Their session.
    pub session: StartedSession,
    /// Where they wanted to go; empty if that was too long to remember.
    pub destination: String,
    /// Whether the password and the passkeys that the member had are theirs no more.
    pub earlier: Earlier,
}

/// Why no session started.
#[derive(Debug, Error)]
pub enum ProviderSignInError {
    /// Too late, in another browser, answered before, or there is no provider.
    #[error(
        "the sign-in at the provider has expired, or began in another browser; hint: start it again"
    )]
    NotAsked,
    /// The provider does not vouch for an e-mail address, so that nothing says which member it is.
    #[error("the provider gives no e-mail address that it has verified")]
    NoVerifiedEmail,
    /// No member has this address.
    #[error("no member of this server has the e-mail address `{0}`")]
    NotAMember(String),
    /// The member with this address is another person at the provider, or this answer signed them in before.
    #[error("the member `{0}` belongs to another account at the provider")]
    OtherPerson(String),
    /// The provider does not answer, or not validly.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Asks the provider who came back, and starts a session of that member.
///
/// # Errors
/// See [`ProviderSignInError`].
pub async fn sign_in_by_provider(
    app: &App,
    answer: ProviderSignIn,
) -> Result<SignedInByProvider, ProviderSignInError> {
    let address = answer.browser.address;
    let mut named = None;
    let signed_in = try_sign_in(app, answer, &mut named).await;
    match &signed_in {
        Ok(_) | Err(ProviderSignInError::Storage(_)) => {}
        Err(_) => {
            let event = AuditEvent::SignInRefused;
            note_refusal(app, Refused { event, member: named, client_id: None, address });
        }
    }
    signed_in
}

/// Sets `named` to the member whom the provider names.
async fn try_sign_in(
    app: &App,
    ProviderSignIn { state, code, issuer, form_token, browser }: ProviderSignIn,
    named: &mut Option<MemberId>,
) -> Result<SignedInByProvider, ProviderSignInError> {
    let provider = app.identity_provider().ok_or(ProviderSignInError::NotAsked)?;
    let key = signing_key(app).await?;
    let bounds = Bounds { purpose: Purpose::AskProvider, browser: &form_token };
    let returned = bounds.read::<Journey>(&state, &key, app.now());
    let returned = returned.ok_or(ProviderSignInError::NotAsked)?;
    if issuer.is_some_and(|issuer| issuer != provider.issuer()) {
        // Its code is not for this provider to see (RFC 9207 section 2.4).
        return Err(ProviderError::NotValid("it is of another issuer".to_owned()).into());
    }
    let answer = provider.identify(code, &ProviderQuestion::of(&state, &key)).await?;
    let member = member_of(app, &answer).await?;
    *named = Some(member.id);
    let used = IdentityUse { identity: answer.identity, challenge: returned.challenge };
    let started = start_by_identity(app, member.id, used, &browser).await;
    let (session, earlier) = started.map_err(|error| {
        if matches!(error, StorageError::Conflict) {
            return ProviderSignInError::OtherPerson(member.email);
        }
        error.into()
    })?;
    Ok(SignedInByProvider { session, destination: returned.question.destination, earlier })
}

async fn member_of(app: &App, answer: &ProviderAnswer) -> Result<Member, ProviderSignInError> {
    if let Some(member) = app.store().find_member_by_identity(&answer.identity).await? {
        return Ok(member);
    }
    let email = answer.verified_email.as_deref().and_then(EmailAddress::parse);
    let email = email.ok_or(ProviderSignInError::NoVerifiedEmail)?;
    let found = app.store().find_member_by_email(email.as_str()).await?;
    found.ok_or_else(|| ProviderSignInError::NotAMember(email.as_str().to_owned()))
}
