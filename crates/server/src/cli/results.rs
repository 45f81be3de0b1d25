//! The arguments of `assay results`.

use std::path::PathBuf;

use app::results::SegmentBy;
use clap::{Args, ValueEnum};
use events::RowFormat;
use secrecy::SecretString;

use super::remote::token;
use super::values::pair;

pub(super) const EXAMPLES: &str = "Examples:
  assay results hero --project shop.yaml --exposures exposures.csv --events events.csv
  assay results hero --project shop.yaml --exposures ga4.ndjson --events orders.csv --column visitor=user_pseudo_id --json

  assay results hero --server https://assay.example --project 1000 --segment browser

With `--exposures` the command reads files and needs no server; otherwise it asks one, with a token of the scope `results:read`.

Columns of exposures: visitor, time, variation and, if the file is about several, experiment; for segments browser and device, for the check of the shares page, for holdbacks holdback. Columns of events: visitor, time, name and, if
it is worth something, value. Other columns do not matter.";

/// What visitors are split by.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Segment {
    Browser,
    Device,
}

impl From<Segment> for SegmentBy {
    fn from(segment: Segment) -> Self {
        match segment {
            Segment::Browser => Self::Browser,
            Segment::Device => Self::Device,
        }
    }
}

/// What is in a file of rows whose name does not tell.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum RowFileFormat {
    Csv,
    Ndjson,
}

impl From<RowFileFormat> for RowFormat {
    fn from(format: RowFileFormat) -> Self {
        match format {
            RowFileFormat::Csv => Self::Csv,
            RowFileFormat::Ndjson => Self::Ndjson,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ResultsArguments {
    /// The campaign, by its id or key; of files also by its name.
    pub(crate) campaign: String,
    /// The project file; of a server also the project's id.
    #[arg(long, value_name = "FILE")]
    pub(crate) project: String,
    /// A file of who was given which variation, when: .csv, .tsv, .ndjson, .jsonl (each also with .gz) or .parquet. Repeat for several.
    #[arg(long, value_name = "FILE", required_unless_present = "server")]
    pub(crate) exposures: Vec<PathBuf>,
    /// A file of who did what, when. Repeat for several.
    #[arg(long, value_name = "FILE", requires = "exposures")]
    pub(crate) events: Vec<PathBuf>,
    /// The format of files whose names do not show it, such as `-`, standard input.
    #[arg(long, value_enum, value_name = "FORMAT", requires = "exposures")]
    pub(crate) format: Option<RowFileFormat>,
    /// What a column is called in the files, such as `visitor=user_id`, or `id=order_id` for the ids of events; `name==purchase` says it of each row.
    /// Repeat for several.
    #[arg(long = "column", value_name = "FIELD=COLUMN", value_parser = pair, requires = "exposures")]
    pub(crate) columns: Vec<(String, String)>,
    /// The address of a running server: https, or http on this machine. Ignored if files are given.
    #[arg(long, env = "ASSAY_SERVER", value_name = "URL")]
    pub(crate) server: Option<String>,
    /// An access token with `results:read`. Every user of this machine can see arguments: prefer the environment variable.
    #[arg(long, env = "ASSAY_TOKEN", value_name = "TOKEN", hide_env_values = true, value_parser = token)]
    pub(crate) token: Option<SecretString>,
    /// Also tell the figures of the visitors of each browser or device: intervals without verdicts.
    #[arg(long, value_enum)]
    pub(crate) segment: Option<Segment>,
    /// The revision whose experiments and metrics to use, as of an earlier phase; without it, those of the live one.
    #[arg(long, value_name = "NUMBER", conflicts_with = "exposures")]
    pub(crate) revision: Option<u32>,
    /// Print JSON: every figure, and a reason where there is none.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print CSV for a spreadsheet: a line per metric and variation.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}
