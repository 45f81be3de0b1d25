//! The arguments of `assay audit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use oauth::Lifetime;
use storage::AuditHash;

use super::values::lifetime;
use crate::data_place::DataPlace;

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    #[command(subcommand)]
    pub(crate) command: Option<AuditCommand>,
    /// How far back to go, such as 90m, 12h or 7d. [default: as far as the log goes]
    #[arg(long, value_name = "TIME", value_parser = lifetime)]
    pub(crate) since: Option<Lifetime>,
    /// How many entries to show at most. [default: all]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) limit: Option<usize>,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON, one entry per line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Verify that no sealed entry was changed, removed, added or moved, and print the hash of the last one to note down.
    #[command(
        after_help = "Examples:\n  assay audit verify --data ./data\n  assay audit verify --file audit.ndjson --from 9f86d081…"
    )]
    Verify(AuditVerifyArguments),
    /// Print every sealed entry as it is stored, oldest first, one JSON object per line.
    #[command(after_help = "Example:\n  assay audit export --data ./data > audit.ndjson")]
    Export(AuditExportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct AuditVerifyArguments {
    /// A hash that you noted earlier: if it is not in the log, the log was rewritten.
    #[arg(long, value_name = "HASH")]
    pub(crate) from: Option<AuditHash>,
    /// An export to verify instead of the database.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AuditExportArguments {
    /// How far back to go, such as 90m, 12h or 7d. [default: as far as the log goes]
    #[arg(long, value_name = "TIME", value_parser = lifetime)]
    pub(crate) since: Option<Lifetime>,
    #[command(flatten)]
    pub(crate) place: DataPlace,
}
