//! The arguments of `assay results`.

use std::path::PathBuf;

use clap::Args;

use super::pair;

pub(super) const EXAMPLES: &str = "Examples:
  assay results hero --project shop.yaml --exposures exposures.csv --events events.csv
  assay results hero --project shop.yaml --exposures ga4.ndjson --events orders.csv --column visitor=user_pseudo_id --json

Columns of exposures: visitor, time, variation and, if the file is about several, experiment. Columns of events: visitor, time, name and, if
it is worth something, value. Other columns do not matter.";

#[derive(Debug, Args)]
pub(crate) struct ResultsArguments {
    /// The campaign, by its id, key or name.
    pub(crate) campaign: String,
    /// The project file.
    #[arg(long, value_name = "FILE")]
    pub(crate) project: PathBuf,
    /// A file of who was given which variation, when: .csv, .tsv, .ndjson, .jsonl or .parquet. Repeat for several.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) exposures: Vec<PathBuf>,
    /// A file of who did what, when. Repeat for several.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Vec<PathBuf>,
    /// What a column is called in the files, such as `visitor=user_id`. Repeat for several.
    #[arg(long = "column", value_name = "FIELD=COLUMN", value_parser = pair)]
    pub(crate) columns: Vec<(String, String)>,
    /// Print JSON: every figure, and a reason where there is none.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print CSV for a spreadsheet: a line per metric and variation.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}
