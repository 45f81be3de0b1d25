//! `assay member`: people who use the console and the API.

use app::members::{AddMemberError, LostError, add_member, remove_passkeys, reset_password};
use app::roles::Administrator;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use storage::RoleGrant;

use crate::cli::{MemberArguments, MemberCommand};
use crate::failure::Failure;
use crate::{offline, output};

pub(crate) fn run(command: &MemberCommand) -> Result<(), Failure> {
    match command {
        MemberCommand::Add(arguments) => add(arguments),
        MemberCommand::ResetPassword(arguments) => reset(arguments),
        MemberCommand::RemovePasskeys(arguments) => remove_all_passkeys(arguments),
    }
}

/// Adds a member and shows the generated password, once.
fn add(arguments: &MemberArguments) -> Result<(), Failure> {
    let added = offline::run(&arguments.place, async |app| {
        add_member(app, &Administrator::Command, &arguments.email, vec![RoleGrant::OWNER])
            .await
            .map_err(|error| match error {
                wrong @ (AddMemberError::UnusableEmail | AddMemberError::EmailTaken) => {
                    Failure::input(wrong)
                }
                failed @ (AddMemberError::Busy(_) | AddMemberError::Storage(_)) => {
                    Failure::environment(failed)
                }
            })
    })?;
    show_password(arguments, &added.password);
    Ok(())
}

/// Replaces the password of a member and shows the new one, once.
fn reset(arguments: &MemberArguments) -> Result<(), Failure> {
    let password = offline::run(&arguments.place, async |app| {
        reset_password(app, &arguments.email).await.map_err(failure)
    })?;
    show_password(arguments, &password);
    Ok(())
}

/// Removes all passkeys of a member.
fn remove_all_passkeys(arguments: &MemberArguments) -> Result<(), Failure> {
    let removed = offline::run(&arguments.place, async |app| {
        remove_passkeys(app, &arguments.email).await.map_err(failure)
    })?;
    if arguments.json {
        output::print(json!({"email": arguments.email, "passkeys_removed": removed}));
    } else {
        output::print(format_args!(
            "{removed} passkeys of {} are removed, and every browser is signed out.",
            arguments.email
        ));
    }
    Ok(())
}

fn show_password(arguments: &MemberArguments, password: &SecretString) {
    let password = password.expose_secret();
    if arguments.json {
        output::print(json!({"email": arguments.email, "password": password}));
    } else {
        output::print(format_args!(
            "member    {}\npassword  {password}\n\nThe password is shown only now.",
            arguments.email
        ));
    }
}

fn failure(error: LostError) -> Failure {
    match error {
        wrong @ LostError::UnknownMember => Failure::input(wrong),
        failed @ (LostError::Busy(_) | LostError::Storage(_)) => Failure::environment(failed),
    }
}
