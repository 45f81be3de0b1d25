//! A member says yes or no to an application.

use std::net::IpAddr;

use oauth::{AuthorizationRequest, ErrorCode, OAuthError};
use secrecy::SecretString;
use storage::{Actor, AuditEvent, Consent, NewAuditEntry, StorageError};

use crate::App;
use crate::grants::authorize::AuthorizeError;
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

/// Carries out a decision, made at this address, about the request in this query, which is checked anew. Gives the address of the client to which the
/// browser goes.
///
/// # Errors
/// See [`AuthorizeError`].
pub async fn decide_consent(
    app: &App,
    query: &str,
    member: &SignedIn,
    decision: Decision,
    address: IpAddr,
) -> Result<SecretString, AuthorizeError> {
    let request = match read_request(app, query).await {
        Ok((request, _)) => request,
        Err(Unread::Answered(address)) => return Ok(address),
        Err(Unread::Unanswered(reason)) => return Err(reason.into()),
        Err(Unread::Storage(error)) => return Err(error.into()),
    };
    match decision {
        Decision::Allow => {
            Ok(issue_code(app, request, member, Consent::Given(Some(address))).await?)
        }
        Decision::Deny => {
            note_denial(app, &request, member, address).await?;
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
        act: app.act(Actor::Member, Some(address)),
        member: Some(member.id),
        client_id: Some(request.client_id.clone()),
        detail: request.scope.to_string(),
    };
    app.store().add_audit_entry(entry).await
}

const ACCESS_DENIED: OAuthError = OAuthError::new(ErrorCode::AccessDenied, "the member said no");
