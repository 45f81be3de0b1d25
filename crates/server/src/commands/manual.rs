//! `assay completions` and `assay man`: what the command line tells of itself, for shells and readers.

use std::path::Path;
use std::{fs, io};

use clap::Command;
use clap_mangen::Man;

use crate::cli::{CompletionsArguments, ManArguments, command};
use crate::failure::Failure;
use crate::output;

const NAME: &str = "assay";

/// As in docs/command-line.md, for roff.
const EXIT_STATUS: &str = "\
.SH \"EXIT STATUS\"
.TP
0
Done.
.TP
1
The input is wrong; of \\fBassay diff \\-\\-exit\\-code\\fR: there are differences.
.TP
2
Wrong usage; of \\fBassay diff \\-\\-exit\\-code\\fR also wrong input.
.TP
3
The environment failed, and the same command may succeed later.
";

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
    let page = page(&Man::new(command())).map_err(Failure::environment)?;
    output::print_exactly(&String::from_utf8_lossy(&page));
    Ok(())
}

fn write_all(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut command = command().disable_help_subcommand(true);
    command.build();
    write_with_subcommands(&command, folder)
}

fn write_with_subcommands(command: &Command, folder: &Path) -> io::Result<()> {
    let shown = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    for subcommand in shown {
        write_with_subcommands(subcommand, folder)?;
    }
    let manual = Man::new(command.clone());
    fs::write(folder.join(manual.get_filename()), page(&manual)?)
}

/// All commands have the same exit codes.
fn page(manual: &Man) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    manual.render(&mut page)?;
    page.extend_from_slice(EXIT_STATUS.as_bytes());
    Ok(page)
}
