//! The arguments of `assay completions` and `assay man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

pub(super) const COMPLETIONS_EXAMPLES: &str = "Examples:
  assay completions bash > ~/.local/share/bash-completion/completions/assay
  assay completions zsh > \"${fpath[1]}/_assay\"
  assay completions fish > ~/.config/fish/completions/assay.fish";

pub(super) const MAN_EXAMPLES: &str = "Examples:
  assay man | man -l -
  assay man --output /usr/local/share/man/man1";

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The folder for all pages. [default: the first page alone, to standard output]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
}
