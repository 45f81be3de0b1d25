//! Reads an authorization request together with its client.

use oauth::{AuthorizationRequest, Client, Parameters, RequestError, UnansweredRequest};
use secrecy::SecretString;
use storage::StorageError;

use crate::App;
use crate::applications::command_line;

/// Why the request cannot continue.
pub(super) enum Unread {
    /// Our own page gives the reason.
    Unanswered(UnansweredRequest),
    /// The client gets the reason, at this address.
    Answered(SecretString),
    /// The store does not answer.
    Storage(StorageError),
}

/// The request in this query, and the client that sent it.
pub(super) async fn read_request(
    app: &App,
    query: &str,
) -> Result<(AuthorizationRequest, Client), Unread> {
    let parameters = Parameters::from_query(query)
        .map_err(|_| Unread::Unanswered(UnansweredRequest::Malformed))?;
    let client_id = AuthorizationRequest::client_id(&parameters).map_err(Unread::Unanswered)?;
    let client = app.store().lookup_client(&client_id).await.map_err(Unread::Storage)?;
    let client = client.or_else(|| command_line(&client_id));
    let request =
        AuthorizationRequest::parse(&parameters, client.as_ref()).map_err(|error| match error {
            RequestError::Unanswered(reason) => Unread::Unanswered(reason),
            RequestError::Answered { reply_to, error } => {
                Unread::Answered(reply_to.error_address(&error, app.public_url().as_str()).into())
            }
        })?;
    let client = client.expect("a request is read for a known client only");
    Ok((request, client))
}
