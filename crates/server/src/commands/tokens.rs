//! `assay tokens`: the tokens of applications and the sessions of browsers.

use app::tokens::end_everything;
use serde_json::json;

use crate::cli::TokensEndAllArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Ends everything, and prints how much that was.
pub(crate) fn end_all(arguments: &TokensEndAllArguments) -> Result<(), Failure> {
    // A restored copy may be of an earlier Assay, and no server may start on it before this.
    let ended = offline::run_before_serving(&arguments.place, async |app| {
        end_everything(app).await.map_err(Failure::environment)
    })?;
    if arguments.json {
        output::print(json!({"families": ended.families, "sessions": ended.sessions}));
    } else {
        output::print(format_args!(
            "ended {} authorizations of applications and {} sessions of members",
            ended.families, ended.sessions
        ));
    }
    Ok(())
}
