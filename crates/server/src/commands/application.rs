//! `assay application`: OAuth 2.0 clients.

use app::applications::{AddApplicationError, NewApplication, add_application};
use oauth::ClientKind;
use secrecy::ExposeSecret;
use serde_json::json;

use crate::cli::ApplicationAddArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Registers a client and shows its secret, once.
pub(crate) fn add(arguments: &ApplicationAddArguments) -> Result<(), Failure> {
    let kind = if arguments.public { ClientKind::Public } else { ClientKind::Confidential };
    let request = NewApplication {
        name: arguments.name.clone(),
        redirect_uris: arguments.redirect_uris.clone(),
        kind,
    };
    let added = offline::run(&arguments.place, async |app| {
        add_application(app, request).await.map_err(|error| match error {
            AddApplicationError::Storage(error) => Failure::environment(error),
            AddApplicationError::Fault(fault) => Failure::input(fault),
        })
    })?;
    let secret = added.client_secret.as_ref().map(ExposeSecret::expose_secret);
    if arguments.json {
        output::print(json!({
            "client_id": added.client_id,
            "client_secret": secret,
            "redirect_uris": arguments.redirect_uris,
        }));
        return Ok(());
    }
    output::print(format_args!("client id      {}", added.client_id));
    if let Some(secret) = secret {
        output::print(format_args!("client secret  {secret}\n\nThe secret is shown only now."));
    }
    Ok(())
}
