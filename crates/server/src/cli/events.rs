//! The arguments of `assay events`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use domain::CalendarDay;

use super::results::RowFileFormat;
use super::values::pair;
use super::{EventFolder, KeptDays};
use crate::data_place::DataPlace;

#[derive(Debug, Subcommand)]
pub(crate) enum EventsCommand {
    /// Import rows that were measured elsewhere, so that they count as if pages had sent them. Importing a file twice counts once.
    ///
    /// An event is known again by its visitor, time, name and value, or by its id if `--column id=order_id` names a column for it; an exposure by its
    /// visitor, time and variation. So name the same columns each time: with another column for `value` or `id`, rows that were imported before are
    /// other events, and count again.
    #[command(
        after_help = "Example:\n  assay events import orders.csv --kind events --project 1000 --column visitor=user_id --data ./data"
    )]
    Import(EventsImportArguments),
    /// Write all events of a project, or of one visitor, into a folder, for other tools.
    #[command(
        after_help = "Examples:\n  assay events export --project 1000 --out ./export --data ./data\n  assay events export --visitor oeu1763 --format ndjson --project 1000 --out ./oeu1763 --data ./data"
    )]
    Export(EventsExportArguments),
    /// Delete all events of a visitor, from the database and from files.
    #[command(
        after_help = "Examples:\n  assay events forget oeu1763 --project 1000 --data ./data\n  assay events forget --number 4051093127704239120 --project 1000 --data ./data"
    )]
    Forget(EventsForgetArguments),
    /// Delete the events of a project, all of them or the old ones, from the database and from files. Asks first.
    #[command(
        after_help = "Examples:\n  assay events delete --before 2026-06-01 --project 1000 --data ./data\n  assay events delete --all --yes --project 1000 --data ./data"
    )]
    Delete(EventsDeleteArguments),
    /// Give up files of events that are lost for good, so that results count what is left. Names their days, and asks first.
    ///
    /// Copies of them in object storage go, and those beside a backup with the next backup of its name. A file that comes back later is removed when the
    /// server starts: where a disk is only not mounted, mount it instead.
    #[command(
        after_help = "Examples:\n  assay events give-up --project 1000 --data ./data\n  assay events give-up project=1000/day=2026-06-01/0c5e….parquet --yes --project 1000 --data ./data"
    )]
    GiveUp(EventsGiveUpArguments),
}

/// How an export is written.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EventFormat {
    Parquet,
    Ndjson,
}

#[derive(Debug, Args)]
pub(crate) struct EventsExportArguments {
    /// The id or key of the project.
    #[arg(long, value_name = "ID")]
    pub(crate) project: String,
    /// The folder, which is empty or new.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Only the events of the visitor whom the site knows by this id, as a person asks for who wants to know what is kept of them.
    #[arg(long, value_name = "ID")]
    pub(crate) visitor: Option<String>,
    /// Parquet files, one or more for each day; or one file of JSON lines, `events.ndjson`.
    #[arg(long, value_enum, default_value = "parquet")]
    pub(crate) format: EventFormat,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) events: EventFolder,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What rows tell.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EventKind {
    Exposures,
    Events,
}

#[derive(Debug, Args)]
pub(crate) struct EventsImportArguments {
    /// The files: .csv, .tsv, .ndjson, .jsonl (each also with .gz) or .parquet, with the columns of `assay results`.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What the rows tell: who was given which variation, or who did what.
    #[arg(long, value_enum)]
    pub(crate) kind: EventKind,
    /// The format of files whose names do not show it, such as `-`, standard input.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<RowFileFormat>,
    /// The id or key of the project.
    #[arg(long, value_name = "ID")]
    pub(crate) project: String,
    /// What a column is called in the files, such as `visitor=user_id`, or `id=order_id` for the ids of events; `name==purchase` says it of each row.
    /// Repeat for several.
    #[arg(long = "column", value_name = "FIELD=COLUMN", value_parser = pair)]
    pub(crate) columns: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) kept: KeptDays,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EventsForgetArguments {
    /// The id by which the site knows the visitor.
    #[arg(required_unless_present = "number")]
    pub(crate) visitor: Option<String>,
    /// Instead of the id, the number of the visitor, as the audit log and files of events have it: to delete again what a restore brought back.
    #[arg(long, value_name = "N", conflicts_with = "visitor")]
    pub(crate) number: Option<i64>,
    /// The id or key of the project.
    #[arg(long, value_name = "ID")]
    pub(crate) project: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) events: EventFolder,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EventsDeleteArguments {
    /// Delete what happened before this day, in UTC, such as 2026-06-01.
    #[arg(long, value_name = "DAY", required_unless_present = "all", conflicts_with = "all")]
    pub(crate) before: Option<CalendarDay>,
    /// Delete all events.
    #[arg(long)]
    pub(crate) all: bool,
    /// The id or key of the project.
    #[arg(long, value_name = "ID")]
    pub(crate) project: String,
    /// Delete without asking for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) events: EventFolder,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EventsGiveUpArguments {
    /// The files, as the log and `assay doctor` name them; all that are missing or cut off, if none is named. One that is damaged otherwise has to be
    /// named.
    pub(crate) files: Vec<String>,
    /// The id or key of the project.
    #[arg(long, value_name = "ID")]
    pub(crate) project: String,
    /// Give up without asking for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) events: EventFolder,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
