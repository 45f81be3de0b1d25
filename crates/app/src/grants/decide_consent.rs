//! A member says yes or no to an application.

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
use crate::grants::issue_code::issue_code;
use crate::grants::read_request::{Unread, read_request};
use crate::sessions::SignedIn;

/// What the member said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The application may do what it asked for. The same and less need not be asked again.
    Allow,
    /// It may not.
    Deny,
}

/// What the member said, and where. There is no `Debug`: a code can be made from it.
pub struct ConsentAnswer {
    /// What the member said.
    pub decision: Decision,
    /// Bytes that nobody can guess, the same whenever this form is sent: however often that is, it gives one code.
    pub form: [u8; 32],
    /// When this form was shown.
    pub shown_at: Timestamp,
    /// Where it came from.
    pub address: IpAddr,
}

/// Why the decision was not carried out.
#[derive(Debug, Error)]
pub enum DecideConsentError {
    /// The request must not lead back to anybody: our own page tells the reason.
    #[error(transparent)]
    Unanswered(#[from] UnansweredRequest),
    /// The application has used the code that this form gave.
    #[error("this form was answered before")]
    AnsweredBefore,
    /// The session in which the form was shown has just ended.
    #[error("nobody is signed in any more")]
    SignedOut,
    /// The store does not answer.
    #[error(transparent)]
    Storage(StorageError),
}

/// Carries out a decision about the request in this query, which is checked anew. Gives the address of the client to which the
/// browser goes.
///
/// # Errors
/// See [`DecideConsentError`].
pub async fn decide_consent(
    app: &App,
    query: &str,
    member: &SignedIn,
    answer: ConsentAnswer,
) -> Result<SecretString, DecideConsentError> {
    let request = match read_request(app, query).await {
        Ok((request, _)) => request,
        Err(Unread::Answered(address)) => return Ok(address),
        Err(Unread::Unanswered(reason)) => return Err(reason.into()),
        Err(Unread::Storage(error)) => return Err(error.into()),
    };
    match answer.decision {
        Decision::Allow => {
            let seed = seed(answer.form, query);
            let code =
                IssuedCredential::of(CredentialKind::AuthorizationCode, answer.shown_at, seed);
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

/// A form that is sent with another request in it gives another code.
fn seed(form: [u8; 32], query: &str) -> [u8; 32] {
    Sha256::new().chain_update(form).chain_update(query).finalize().into()
}

/// The only thing that a code can be in the way of is itself.
impl From<StorageError> for DecideConsentError {
    fn from(error: StorageError) -> Self {
        if error == StorageError::Conflict { Self::AnsweredBefore } else { Self::Storage(error) }
    }
}

const ACCESS_DENIED: OAuthError = OAuthError::new(ErrorCode::AccessDenied, "the member said no");
