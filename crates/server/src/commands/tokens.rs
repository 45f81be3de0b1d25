//! `assay tokens`: the tokens of applications and the sessions of browsers.

use app::tokens::{DatabaseIs, end_everything};
use serde_json::{Value, json};
use storage::EndedEverything;

use crate::cli::TokensEndAllArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Ends everything, and prints how much that was.
pub(crate) fn end_all(arguments: &TokensEndAllArguments) -> Result<(), Failure> {
    let database = if arguments.as_copy { DatabaseIs::ACopy } else { DatabaseIs::TheOriginal };
    // A restored copy may be of an earlier Assay, and no server may start on it before this.
    let ended = offline::run_before_serving(&arguments.place, async |app| {
        end_everything(app, database).await.map_err(Failure::environment)
    })?;
    if arguments.json {
        output::print(json_of_ended(&ended));
    } else {
        output::print(ended_in_words(&ended));
    }
    Ok(())
}

/// What has ended, for programs.
pub(super) fn json_of_ended(ended: &EndedEverything) -> Value {
    let EndedEverything { families, sessions, api_tokens, services } = ended;
    json!({
        "families": families,
        "sessions": sessions,
        "api_tokens": api_tokens,
        "services": services,
    })
}

/// What has ended, for people.
pub(super) fn ended_in_words(ended: &EndedEverything) -> String {
    let EndedEverything { families, sessions, api_tokens, services } = ended;
    format!(
        "ended {families} authorizations of applications and {sessions} sessions of members, and replaced the signing key\nremoved {api_tokens} API tokens and {services} services"
    )
}
