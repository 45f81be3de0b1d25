//! A client authenticates. Failures slow down each (address, client) pair; the right secret always works, because checking it costs less
//! than refusing it, and no attacker can lock the client out.

use std::net::IpAddr;

use oauth::{
    Client, ClientCredentials, ClientId, ClientSecret, ErrorCode, Parameters, ProvenClient,
    authenticate,
};
use storage::AuditEvent;

use crate::App;
use crate::audit::{Refused, note_refusal};
use crate::grants::request_tokens_error::RequestTokensError;
use crate::throttle::Source;

/// Authenticates the client that sent these parameters.
pub(super) async fn authenticate_client(
    app: &App,
    parameters: &Parameters,
    authorization: Option<&[u8]>,
    address: IpAddr,
) -> Result<Client, RequestTokensError> {
    let refused = |event, client_id| {
        note_refusal(app, Refused { event, member: None, client_id, address });
    };
    let credentials = ClientCredentials::read(authorization, parameters).inspect_err(|error| {
        if error.code == ErrorCode::InvalidClient {
            refused(AuditEvent::ClientRefused, None);
        }
    })?;
    let client = app.store().lookup_client(&credentials.client_id).await?;
    let known = client.as_ref().map(|client| client.client_id.clone());
    let error = match authenticate(&credentials, client) {
        Ok(ProvenClient { client, secret }) => {
            if let Some(secret) = secret {
                note_use(app, &client.client_id, secret);
            }
            return Ok(client);
        }
        Err(error) => error,
    };
    let source = Source::attempts_on(credentials.client_id.as_str(), address);
    if let Err(too_many) = app.limits().client_failures.count(source, app.now()) {
        refused(AuditEvent::ClientThrottled, known);
        return Err(too_many.into());
    }
    refused(AuditEvent::ClientRefused, known);
    Err(error.into())
}

/// Records the use of a secret, at most once a minute, in the background: the request does not wait.
fn note_use(app: &App, client_id: &ClientId, secret: ClientSecret) {
    let now = app.now();
    if !secret.is_use_to_be_noted(now) {
        return;
    }
    let (app, client_id) = (app.clone(), client_id.clone());
    tokio::spawn(async move {
        if let Err(error) = app.store().note_secret_use(&client_id, &secret.id, now).await
            && !error.is_logged()
        {
            tracing::warn!(%error, client = %client_id, "the use of a secret was not recorded");
        }
    });
}
