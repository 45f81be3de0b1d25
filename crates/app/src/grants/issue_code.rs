//! Issues a code to a client after the member's consent. The store saves it before the browser gets it.

use oauth::AuthorizationRequest;
use secrecy::SecretString;
use storage::{AddCodeOutcome, Consent, NewAuthorizationCode, StorageError};

use crate::App;
use crate::app::IssuedCredential;
use crate::sessions::SignedIn;

/// The client's address with `code`; `None` if the member has signed out. A code that was spent is a [`StorageError::Conflict`].
pub(super) async fn issue_code(
    app: &App,
    request: AuthorizationRequest,
    member: &SignedIn,
    code: IssuedCredential,
    consent: Consent,
) -> Result<Option<SecretString>, StorageError> {
    let address = request.reply_to.code_address(&code.credential, app.public_url().as_str());
    let outcome = app
        .store()
        .add_authorization_code(NewAuthorizationCode {
            hash: code.hash,
            client_id: request.client_id,
            member: member.id,
            redirect_uri: request.reply_to.redirect_uri,
            scope: request.scope,
            names_scope: request.names_scope,
            code_challenge: request.code_challenge,
            consent,
            session: member.session,
            now: app.now(),
        })
        .await?;
    Ok(match outcome {
        AddCodeOutcome::Kept => Some(address),
        AddCodeOutcome::SignedOut => None,
    })
}
