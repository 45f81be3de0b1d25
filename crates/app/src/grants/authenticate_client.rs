//! A client proves who it is. Failures are slowed down for each (address, client) pair; the right secret always works, because
//! checking it costs less than refusing it, and nobody else can lock the client out.

use std::net::IpAddr;

use oauth::{Client, ClientCredentials, Parameters, authenticate};

use crate::App;
use crate::grants::request_tokens::RequestTokensError;
use crate::throttle::Pair;

/// The client that sent these parameters.
pub(super) async fn authenticate_client(
    app: &App,
    parameters: &Parameters,
    authorization: Option<&[u8]>,
    address: IpAddr,
) -> Result<Client, RequestTokensError> {
    let credentials = ClientCredentials::read(authorization, parameters)?;
    let client = app.store().lookup_client(&credentials.client_id).await?;
    let authenticated = authenticate(&credentials, client);
    if authenticated.is_err() {
        let pair = Pair::new(address, credentials.client_id.as_str());
        app.client_failures().count(pair, app.now())?;
    }
    Ok(authenticated?)
}
