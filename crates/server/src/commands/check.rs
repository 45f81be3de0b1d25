//! `assay check`: tells everything that is wrong with a project file.

use crate::cli::CheckArguments;
use crate::failure::Failure;
use crate::{output, project_file};

pub(crate) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let file = project_file::read(&arguments.project_file)?;
    for warning in &file.checked.warnings {
        output::complain(warning);
    }
    let project = &file.checked.project;
    let campaigns = project.campaigns.len();
    let path = arguments.project_file.display();
    output::print(format_args!(
        "{path}: project `{}`, {campaigns} campaigns, no errors",
        project.key
    ));
    Ok(())
}
