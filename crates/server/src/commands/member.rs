//! `assay member`: people who use the console and the API.

use app::members::{AddMemberError, add_member};
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::cli::MemberAddArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Adds a member and shows the generated password, once.
pub(crate) fn add(arguments: &MemberAddArguments) -> Result<(), Failure> {
    let added = offline::run(&arguments.place, async |app| {
        add_member(app, &arguments.email).await.map_err(|error| match error {
            wrong @ (AddMemberError::UnusableEmail | AddMemberError::EmailTaken) => {
                Failure::input(wrong)
            }
            failed @ (AddMemberError::Busy(_) | AddMemberError::Storage(_)) => {
                Failure::environment(failed)
            }
        })
    })?;
    let password = added.password.expose_secret();
    if arguments.json {
        output::print(json!({"email": arguments.email, "password": password}));
    } else {
        output::print(format_args!(
            "member    {}\npassword  {password}\n\nThe password is shown only now.",
            arguments.email
        ));
    }
    Ok(())
}
