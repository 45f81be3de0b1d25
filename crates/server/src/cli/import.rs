//! The arguments of `assay import`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub(super) const EXAMPLES: &str = "Example:
  assay import export.json -o shop.yaml && assay check shop.yaml";

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The export: one JSON file with `projects`, `pages`, `experiments` and so on, or a folder with a file for each.
    pub(crate) export: PathBuf,
    /// The id of the project, if the export has several.
    #[arg(long, value_name = "ID")]
    pub(crate) project: Option<String>,
    /// Where to write the project file. [default: standard output]
    #[arg(short, long, value_name = "OUT.yaml")]
    pub(crate) output: Option<PathBuf>,
    /// How to report the differences, on standard error.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) report: ReportFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ReportFormat {
    Json,
    Text,
}
