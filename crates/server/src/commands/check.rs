//! `assay check`: reports every fault of a project file.

use crate::cli::CheckArguments;
use crate::commands::compile::refused;
use crate::failure::Failure;
use crate::{output, project_file};

pub(crate) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let file = project_file::read(&arguments.project_file)?;
    for warning in &file.checked.warnings {
        output::complain(warning);
    }
    let project = &file.checked.project;
    // What is valid can be published: no later step refuses it.
    snippet::compile(project).map_err(refused)?;
    let path = arguments.project_file.display();
    let count = project.campaigns.len();
    let campaigns = if count == 1 { "campaign" } else { "campaigns" };
    output::print(format_args!(
        "{path}: project `{}` with {count} {campaigns} is valid",
        project.key
    ));
    Ok(())
}
