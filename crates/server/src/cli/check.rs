//! The arguments of `assay check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub(super) const EXAMPLES: &str = "Examples:
  assay check shop.yaml
  assay check --strict --format github projects/*.yaml
  git show HEAD:shop.yaml | assay check -";

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The project files; `-` reads standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) project_files: Vec<PathBuf>,
    /// Fail if there are warnings, too.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Output format: `text` for people, on standard error; the others for programs, on standard output.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: FindingsFormat,
    /// When to colour text. `auto` does so on a terminal, unless `NO_COLOR` is set.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FindingsFormat {
    /// With the line of the file and a caret.
    Text,
    /// One object with all files.
    Json,
    /// Commands with which GitHub marks lines of a pull request.
    Github,
    /// SARIF 2.1.0, which code scanners and editors read.
    Sarif,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}
