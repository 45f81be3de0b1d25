//! `assay application add-secret` and `remove-secret`: a client moves from one secret to the next.

use app::applications::{AddSecretError, RemoveSecretError, add_secret, remove_secret};
use app::roles::Actor;
use oauth::ClientId;
use secrecy::ExposeSecret as _;
use serde_json::json;

use super::{client_id, known, unknown, wrong};
use crate::cli::{ApplicationAddSecretArguments, ApplicationRemoveSecretArguments};
use crate::failure::Failure;
use crate::{offline, output};

/// Gives a client a second secret and shows it, once.
pub(super) fn add(arguments: &ApplicationAddSecretArguments) -> Result<(), Failure> {
    let client_id = client_id(&arguments.client_id)?;
    let added = offline::run(&arguments.place, async |app| {
        let added = add_secret(app, &Actor::Command, &client_id, arguments.note.clone()).await;
        added.map_err(|error| match error {
            AddSecretError::UnknownApplication => unknown(&client_id),
            AddSecretError::Public | AddSecretError::Declared => wrong(&client_id, error),
            AddSecretError::TooMany => wrong(
                &client_id,
                format_args!("{error}\n  hint: `assay application show` says when each was last used, and `remove-secret` removes one"),
            ),
            AddSecretError::Fault(fault) => Failure::input(fault),
            AddSecretError::Role(error) => Failure::environment(error),
            AddSecretError::Storage(error) => Failure::environment(error),
        })
    })?;
    let secret = added.client_secret.expose_secret();
    if arguments.json {
        let id = client_id.as_str();
        output::print(json!({"client_id": id, "secret_id": added.id, "client_secret": secret}));
    } else {
        output::print(format_args!(
            "secret id      {}\nclient secret  {secret}\n\nThe secret is shown only once. The earlier one stays valid until you remove it.",
            added.id
        ));
    }
    Ok(())
}

/// Removes a secret of a client.
pub(super) fn remove(arguments: &ApplicationRemoveSecretArguments) -> Result<(), Failure> {
    let client_id = client_id(&arguments.client_id)?;
    let id = &arguments.secret_id;
    let rest = offline::run(&arguments.place, async |app| {
        let removed = remove_secret(app, &Actor::Command, &client_id, id).await;
        removed.map_err(|error| failure(&client_id, error))?;
        Ok(known(app, &client_id).await?.secrets.len())
    })?;
    if arguments.json {
        let secrets_left = rest;
        let id = client_id.as_str();
        output::print(
            json!({"client_id": id, "removed": arguments.secret_id, "secrets_left": secrets_left}),
        );
    } else {
        output::print(format_args!("removed secret {id}"));
    }
    if rest == 0 {
        output::complain(
            "the application has no secret left: it gets no tokens, and its existing tokens give no access, until `assay application add-secret`",
        );
    }
    Ok(())
}

fn failure(client_id: &ClientId, error: RemoveSecretError) -> Failure {
    match error {
        RemoveSecretError::UnknownApplication => unknown(client_id),
        RemoveSecretError::Declared => wrong(client_id, error),
        RemoveSecretError::UnknownSecret => wrong(
            client_id,
            format_args!("{error}\n  hint: `assay application show {client_id}` shows their ids"),
        ),
        RemoveSecretError::Role(error) => Failure::environment(error),
        RemoveSecretError::Storage(error) => Failure::environment(error),
    }
}
