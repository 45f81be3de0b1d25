//! `assay application`: OAuth 2.0 clients. `application/shown.rs` formats them.

mod registration;
mod secrets;
mod shown;

use app::App;
use app::applications::{
    RemoveApplicationError, disable_application, enable_application, find_application,
    list_applications, remove_application,
};
use app::roles::{Actor, RoleError};
use oauth::{Client, ClientId};
use serde_json::{Value, json};

use crate::cli::{ApplicationArguments, ApplicationCommand, ApplicationListArguments};
use crate::failure::Failure;
use crate::{offline, output};

/// Runs one of the commands.
pub(crate) fn run(command: &ApplicationCommand) -> Result<(), Failure> {
    match command {
        ApplicationCommand::Add(arguments) => registration::add(arguments),
        ApplicationCommand::List(arguments) => list(arguments),
        ApplicationCommand::Show(arguments) => show(arguments),
        ApplicationCommand::Set(arguments) => registration::set(arguments),
        ApplicationCommand::AddSecret(arguments) => secrets::add(arguments),
        ApplicationCommand::RemoveSecret(arguments) => secrets::remove(arguments),
        ApplicationCommand::Disable(arguments) => change(arguments, "disabled", async |app, id| {
            disable_application(app, &Actor::Command, id).await
        }),
        ApplicationCommand::Enable(arguments) => change(arguments, "enabled", async |app, id| {
            enable_application(app, &Actor::Command, id).await
        }),
        ApplicationCommand::Remove(arguments) => remove(arguments),
    }
}

fn list(arguments: &ApplicationListArguments) -> Result<(), Failure> {
    let clients = offline::run(&arguments.place, async |app| {
        list_applications(app, &Actor::Command).await.map_err(Failure::environment)
    })?;
    if arguments.json {
        output::print(clients.iter().map(shown::json).collect::<Value>());
    } else if !clients.is_empty() {
        output::print(shown::table(&clients));
    }
    Ok(())
}

fn show(arguments: &ApplicationArguments) -> Result<(), Failure> {
    let client_id = client_id(&arguments.client_id)?;
    let client = offline::run(&arguments.place, async |app| known(app, &client_id).await)?;
    if arguments.json {
        output::print(shown::json(&client));
    } else {
        output::print(shown::text(&client));
    }
    Ok(())
}

fn remove(arguments: &ApplicationArguments) -> Result<(), Failure> {
    let client_id = client_id(&arguments.client_id)?;
    offline::run(&arguments.place, async |app| {
        let client = known(app, &client_id).await?;
        let removed = remove_application(app, &Actor::Command, &client).await;
        removed.map_err(|error| match error {
            RemoveApplicationError::UnknownApplication => unknown(&client_id),
            RemoveApplicationError::Declared | RemoveApplicationError::BuiltIn => {
                wrong(&client_id, error)
            }
            RemoveApplicationError::Role(error) => Failure::environment(error),
            RemoveApplicationError::Storage(error) => Failure::environment(error),
        })
    })?;
    print_done(arguments, "removed");
    Ok(())
}

/// Runs a command that takes only the client.
fn change(
    arguments: &ApplicationArguments,
    done: &str,
    work: impl AsyncFnOnce(&App, &ClientId) -> Result<bool, RoleError>,
) -> Result<(), Failure> {
    let client_id = client_id(&arguments.client_id)?;
    let is_known = offline::run(&arguments.place, async |app| {
        work(app, &client_id).await.map_err(Failure::environment)
    })?;
    if !is_known {
        return Err(unknown(&client_id));
    }
    print_done(arguments, done);
    Ok(())
}

fn print_done(arguments: &ApplicationArguments, done: &str) {
    let client_id = &arguments.client_id;
    if arguments.json {
        output::print(json!({"client_id": client_id, "status": done}));
    } else {
        output::print(format_args!("{done} application {client_id}"));
    }
}

/// The named client.
async fn known(app: &App, client_id: &ClientId) -> Result<Client, Failure> {
    let found =
        find_application(app, &Actor::Command, client_id).await.map_err(Failure::environment)?;
    found.ok_or_else(|| unknown(client_id))
}

/// The typed client id. A text that cannot be one names no client.
fn client_id(text: &str) -> Result<ClientId, Failure> {
    text.parse().map_err(|wrong| Failure::input(format_args!("application `{text}`: {wrong}")))
}

fn unknown(client_id: &ClientId) -> Failure {
    wrong(client_id, "there is no such application\n  hint: `assay application list` shows all")
}

/// The command does not apply to this client.
fn wrong(client_id: &ClientId, why: impl std::fmt::Display) -> Failure {
    Failure::input(format_args!("application `{client_id}`: {why}"))
}
