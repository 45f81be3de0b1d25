//! An application sends a member to us (RFC 6749 section 4.1.1): decides what comes next.

use oauth::{
    AuthorizationRequest, CredentialKind, ErrorCode, OAuthError, Prompt, Scope, ScopeSet,
    UnansweredRequest,
};
use secrecy::SecretString;
use storage::{Consent, StorageError};
use thiserror::Error;
use url::form_urlencoded;

use crate::App;
use crate::grants::issue_code::issue_code;
use crate::grants::read_request::{Unread, read_request};
use crate::grants::requester::Requester;
use crate::roles::rights_of;
use crate::sessions::SignedIn;

/// The next step of an authorization request.
#[derive(Debug)]
pub enum Authorization {
    /// The browser is redirected to this address of the client, with a code or with an error that the client understands.
    Answered(SecretString),
    /// No member is signed in, or the client wants a fresh sign-in.
    SignInNeeded(SignInNeeded),
    /// We ask for the member's consent. Only with a member signed in.
    ConsentNeeded(ConsentQuestion),
}

/// What the sign-in page needs.
#[derive(Debug)]
pub struct SignInNeeded {
    /// The application that asks.
    pub requester: Requester,
    /// The query to continue with after sign-in.
    pub continue_with: String,
    /// The e-mail address of the member whom the client expects.
    pub login_hint: Option<String>,
}

/// The question on the consent page.
#[derive(Debug)]
pub struct ConsentQuestion {
    /// The application that asks.
    pub requester: Requester,
    /// The scope it asks for.
    pub scope: ScopeSet,
    /// The scopes that the member's roles do not cover now: they have no effect until the roles do.
    pub beyond_rights: Vec<Scope>,
}

/// Why there is no next step.
#[derive(Debug, Error)]
pub enum AuthorizeError {
    /// The request must not redirect to a client: our own page gives the reason.
    #[error(transparent)]
    Unanswered(#[from] UnansweredRequest),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Decides the next step of the authorization request in this query, for the signed-in member, if any.
///
/// # Errors
/// See [`AuthorizeError`]. An error that the client can be told is returned as an answer.
pub async fn authorize(
    app: &App,
    query: &str,
    member: Option<&SignedIn>,
) -> Result<Authorization, AuthorizeError> {
    let (request, client) = match read_request(app, query).await {
        Ok(read) => read,
        Err(Unread::Answered(address)) => return Ok(Authorization::Answered(address)),
        Err(Unread::Unanswered(reason)) => return Err(reason.into()),
        Err(Unread::Storage(error)) => return Err(error.into()),
    };
    let requester = Requester::new(&client, &request.reply_to.redirect_uri);
    let Some(member) = member.filter(|_| !request.prompt.wants_sign_in()) else {
        return Ok(need_sign_in(app, query, request, requester));
    };
    if is_remembered(app, &request, &requester, member).await? {
        let code = app.issue_credential(CredentialKind::AuthorizationCode);
        let issued = issue_code(app, request.clone(), member, code, Consent::Remembered).await?;
        return Ok(issued.map_or_else(
            || need_sign_in(app, query, request, requester),
            Authorization::Answered,
        ));
    }
    if request.prompt == Prompt::Nothing {
        return Ok(refuse(app, &request, &CONSENT_REQUIRED));
    }
    let rights = rights_of(app, member.id).await?;
    let scope = request.scope;
    let beyond_rights = scope.iter().filter(|scope| !rights.make_use_of(*scope)).collect();
    Ok(Authorization::ConsentNeeded(ConsentQuestion { requester, scope, beyond_rights }))
}

fn need_sign_in(
    app: &App,
    query: &str,
    request: AuthorizationRequest,
    requester: Requester,
) -> Authorization {
    if request.prompt == Prompt::Nothing {
        return refuse(app, &request, &LOGIN_REQUIRED);
    }
    Authorization::SignInNeeded(SignInNeeded {
        requester,
        continue_with: after_sign_in(query, request.prompt),
        login_hint: request.login_hint,
    })
}

/// The same query without the prompt for a fresh sign-in, which would otherwise repeat after each sign-in.
fn after_sign_in(query: &str, prompt: Prompt) -> String {
    if !prompt.wants_sign_in() {
        return query.to_owned();
    }
    let others = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "prompt");
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(others);
    if prompt.wants_consent() {
        query.append_pair("prompt", "consent");
    }
    query.finish()
}

/// Whether the member consented to this scope before. A client that any program could pretend to be needs consent each time (RFC 8252
/// section 8.6).
async fn is_remembered(
    app: &App,
    request: &AuthorizationRequest,
    requester: &Requester,
    member: &SignedIn,
) -> Result<bool, StorageError> {
    if !requester.is_identified() || request.prompt.wants_consent() {
        return Ok(false);
    }
    let allowed = app.store().find_consent(member.id, &request.client_id).await?;
    Ok(allowed.is_some_and(|allowed| request.scope.is_subset_of(allowed)))
}

fn refuse(app: &App, request: &AuthorizationRequest, error: &OAuthError) -> Authorization {
    Authorization::Answered(request.reply_to.error_address(error, app.public_url().as_str()).into())
}

const LOGIN_REQUIRED: OAuthError =
    OAuthError::new(ErrorCode::LoginRequired, "no member is signed in");
const CONSENT_REQUIRED: OAuthError =
    OAuthError::new(ErrorCode::ConsentRequired, "the member has not consented to this");

#[cfg(test)]
mod tests {
    use oauth::Prompt;

    use super::after_sign_in;

    #[test]
    fn a_wish_for_a_fresh_sign_in_is_fulfilled_once() {
        let query = "client_id=a&%70rompt=login+consent&state=x%26y";

        assert_eq!(
            after_sign_in(query, Prompt::SignInAndConsent),
            "client_id=a&state=x%26y&prompt=consent"
        );
        assert_eq!(after_sign_in(query, Prompt::SignIn), "client_id=a&state=x%26y");
        assert_eq!(after_sign_in(query, Prompt::AsNeeded), query);
    }
}
