//! `assay member reset-password` and `remove-passkeys`: a member lost their password or a device.

use app::members::{LostError, remove_passkeys, reset_password};
use app::roles::Actor;
use serde_json::json;

use super::{known, show_password};
use crate::cli::MemberArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Replaces the password of a member and shows the new one, once.
pub(super) fn reset(arguments: &MemberArguments) -> Result<(), Failure> {
    let password = offline::run(&arguments.place, async |app| {
        let member = known(app, &arguments.email).await?;
        reset_password(app, &Actor::Command, &member).await.map_err(failure)
    })?;
    show_password(arguments, &password);
    Ok(())
}

/// Removes all passkeys of a member.
pub(super) fn remove_all_passkeys(arguments: &MemberArguments) -> Result<(), Failure> {
    let removed = offline::run(&arguments.place, async |app| {
        let member = known(app, &arguments.email).await?;
        remove_passkeys(app, &Actor::Command, &member).await.map_err(failure)
    })?;
    if arguments.json {
        output::print(json!({"email": arguments.email, "passkeys_removed": removed}));
    } else {
        output::print(format_args!(
            "Removed {removed} passkeys of {} and signed out every browser.",
            arguments.email
        ));
    }
    Ok(())
}

fn failure(error: LostError) -> Failure {
    match error {
        wrong @ LostError::Role(_) => Failure::input(wrong),
        failed @ (LostError::Busy(_) | LostError::Storage(_)) => Failure::environment(failed),
    }
}
