//! A member allows or denies an application's request.

use std::net::IpAddr;

use oauth::{
    AuthorizationRequest, CredentialKind, ErrorCode, OAuthError, Timestamp, UnansweredRequest,
};
use secrecy::SecretString;
use sha2::{Digest as _, Sha256};
use storage::{ActorKind, AuditEvent, Consent, NewAuditEntry, StorageError};
use thiserror::Error;

use crate::App;
use crate::app::IssuedCredential;
use crate::applications::keep_command_line;
use crate::grants::issue_code::issue_code;
use crate::grants::read_request::{Unread, read_request};
use crate::sessions::SignedIn;

/// The member's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The application may do what it asked for. We do not ask again for the same scope or less.
    Allow,
    /// The application may not.
    Deny,
}

/// The member's decision and its context. There is no `Debug`: a code can be derived from it.
pub struct ConsentAnswer {
    /// The member's decision.
    pub decision: Decision,
    /// Unguessable bytes, the same each time this form is sent: however often that is, it gives one code.
    pub form: [u8; 32],
    /// When the form was shown.
    pub shown_at: Timestamp,
    /// The address of the member's browser.
    pub address: IpAddr,
}

/// Why the decision was not carried out.
#[derive(Debug, Error)]
pub enum DecideConsentError {
    /// The request must not redirect to a client: our own page gives the reason.
    #[error(transparent)]
    Unanswered(#[from] UnansweredRequest),
    /// The application has used the code from this form.
    #[error("this form was answered before")]
    AnsweredBefore,
    /// The session in which the form was shown has just ended.
    #[error("the member is not signed in any more")]
    SignedOut,
    /// The store does not answer.
    #[error(transparent)]
    Storage(StorageError),
}

/// Applies a decision about the request in this query, which is validated again. Returns the client's address for the browser to go to.
///
/// # Errors
/// See [`DecideConsentError`].
pub async fn decide_consent(
    app: &App,
    query: &str,
    member: &SignedIn,
    answer: ConsentAnswer,
) -> Result<SecretString, DecideConsentError> {
    let (request, client) = match read_request(app, query).await {
        Ok(read) => read,
        Err(Unread::Answered(address)) => return Ok(address),
        Err(Unread::Unanswered(reason)) => return Err(reason.into()),
        Err(Unread::Storage(error)) => return Err(error.into()),
    };
    match answer.decision {
        Decision::Allow => {
            let seed = seed(answer.form, query);
            let code =
                IssuedCredential::of(CredentialKind::AuthorizationCode, answer.shown_at, seed);
            keep_command_line(app, &client, member, answer.address).await?;
            let consent = Consent::Given(Some(answer.address));
            let issued = issue_code(app, request, member, code, consent).await?;
            issued.ok_or(DecideConsentError::SignedOut)
        }
        Decision::Deny => {
            note_denial(app, &request, member, answer.address).await?;
            Ok(request.reply_to.error_address(&ACCESS_DENIED, app.public_url().as_str()).into())
        }
    }
}

async fn note_denial(
    app: &App,
    request: &AuthorizationRequest,
    member: &SignedIn,
    address: IpAddr,
) -> Result<(), StorageError> {
    let entry = NewAuditEntry {
        event: AuditEvent::ConsentDenied,
        act: app.act(ActorKind::Member, Some(address)),
        member: Some(member.id),
        client_id: Some(request.client_id.clone()),
        detail: request.scope.to_string(),
        project: None,
    };
    app.store().add_audit_entry(entry).await
}

/// The same form sent with another request gives another code.
fn seed(form: [u8; 32], query: &str) -> [u8; 32] {
    Sha256::new().chain_update(form).chain_update(query).finalize().into()
}

/// A new code conflicts only with itself: the form was sent before.
impl From<StorageError> for DecideConsentError {
    fn from(error: StorageError) -> Self {
        if error == StorageError::Conflict { Self::AnsweredBefore } else { Self::Storage(error) }
    }
}

const ACCESS_DENIED: OAuthError = OAuthError::new(ErrorCode::AccessDenied, "the member said no");
