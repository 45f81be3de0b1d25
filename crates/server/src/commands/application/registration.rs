//! `assay application add` and `set`: the registration of an application.

use app::applications::{
    AddApplicationError, AddedApplication, ChangeApplicationError, ChangedApplication,
    NewApplication, add_application, change_application,
};
use app::roles::Actor;
use oauth::ClientKind;
use secrecy::ExposeSecret;
use serde_json::json;

use super::{client_id, known, shown, wrong};
use crate::cli::{ApplicationAddArguments, ApplicationSetArguments};
use crate::failure::Failure;
use crate::{offline, output};

/// Registers a client and shows its secret, once.
pub(super) fn add(arguments: &ApplicationAddArguments) -> Result<(), Failure> {
    let kind = if arguments.public { ClientKind::Public } else { ClientKind::Confidential };
    let request = NewApplication {
        name: arguments.name.clone(),
        redirect_uris: arguments.redirect_uris.clone(),
        kind,
        scope: arguments.scope.clone(),
    };
    let added = offline::run(&arguments.place, async |app| {
        add_application(app, &Actor::Command, request).await.map_err(|error| match error {
            AddApplicationError::Role(error) => Failure::environment(error),
            AddApplicationError::Storage(error) => Failure::environment(error),
            AddApplicationError::Fault(fault) => Failure::input(fault),
        })
    })?;
    print_added(arguments, &added);
    Ok(())
}

fn print_added(arguments: &ApplicationAddArguments, added: &AddedApplication) {
    let AddedApplication { client_id, client_secret, secret_id } = added;
    let secret = client_secret.as_ref().map(ExposeSecret::expose_secret);
    if arguments.json {
        output::print(json!({
            "client_id": client_id.as_str(),
            "client_secret": secret,
            "secret_id": secret_id,
            "redirect_uris": arguments.redirect_uris,
        }));
        return;
    }
    output::print(format_args!("client id      {client_id}"));
    if let Some(secret) = secret {
        output::print(format_args!("client secret  {secret}\n\nThe secret is shown only once."));
    }
}

/// Changes a client, and shows the result.
pub(super) fn set(arguments: &ApplicationSetArguments) -> Result<(), Failure> {
    let client_id = client_id(&arguments.client_id)?;
    let redirect_uris = Some(arguments.redirect_uris.clone()).filter(|uris| !uris.is_empty());
    let changed = ChangedApplication {
        name: arguments.name.clone(),
        redirect_uris,
        scope: arguments.scope.clone(),
    };
    let client = offline::run(&arguments.place, async |app| {
        let client = known(app, &client_id).await?;
        let changing = change_application(app, &Actor::Command, &client, changed);
        changing.await.map_err(|error| match error {
            ChangeApplicationError::OtherApplication | ChangeApplicationError::Declared => {
                wrong(&client_id, error)
            }
            ChangeApplicationError::Fault(fault) => Failure::input(fault),
            ChangeApplicationError::Role(error) => Failure::environment(error),
            ChangeApplicationError::Storage(error) => Failure::environment(error),
        })?;
        known(app, &client_id).await
    })?;
    if arguments.json {
        output::print(shown::json(&client));
    } else {
        output::print(shown::text(&client));
    }
    Ok(())
}
