//! A member says yes or no to an application.

use oauth::{ErrorCode, OAuthError};
use secrecy::SecretString;

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

/// Carries out a decision about the request in this query, which is checked anew. Gives the address of the client to which the
/// browser goes.
///
/// # Errors
/// See [`AuthorizeError`].
pub async fn decide_consent(
    app: &App,
    query: &str,
    member: &SignedIn,
    decision: Decision,
) -> Result<SecretString, AuthorizeError> {
    let request = match read_request(app, query).await {
        Ok((request, _)) => request,
        Err(Unread::Answered(address)) => return Ok(address),
        Err(Unread::Unanswered(reason)) => return Err(reason.into()),
        Err(Unread::Storage(error)) => return Err(error.into()),
    };
    match decision {
        Decision::Allow => Ok(issue_code(app, request, member).await?),
        Decision::Deny => {
            Ok(request.reply_to.error_address(&ACCESS_DENIED, app.public_url().as_str()).into())
        }
    }
}

const ACCESS_DENIED: OAuthError = OAuthError::new(ErrorCode::AccessDenied, "the member said no");
