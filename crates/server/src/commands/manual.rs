//! `assay completions` and `assay man`: what the command line tells of itself, for shells and readers.

use std::path::Path;

use clap_mangen::Man;

use crate::cli::{CompletionsArguments, ManArguments, command};
use crate::failure::Failure;
use crate::output;

const NAME: &str = "assay";

/// Prints the script with which a shell completes commands and flags.
pub(crate) fn completions(arguments: &CompletionsArguments) {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), NAME, &mut script);
    output::print_exactly(&String::from_utf8_lossy(&script));
}

/// Writes a page for each command into a folder, or prints the first one.
pub(crate) fn pages(arguments: &ManArguments) -> Result<(), Failure> {
    if let Some(folder) = &arguments.output {
        return write_all(folder).map_err(|error| {
            Failure::environment(format_args!("cannot write to `{}`: {error}", folder.display()))
        });
    }
    let mut page = Vec::new();
    Man::new(command()).render(&mut page).map_err(Failure::environment)?;
    output::print_exactly(&String::from_utf8_lossy(&page));
    Ok(())
}

fn write_all(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command(), folder)
}
