//! The arguments of `assay backup` and `assay restore`.

use std::path::PathBuf;

use clap::Args;

use super::EventFolder;
use crate::data_place::DataPlace;

#[derive(Debug, Args)]
pub(crate) struct BackupArguments {
    /// The file to write. It replaces a backup of that name once it is complete.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) events: EventFolder,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// The backup.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) original: OriginalArguments,
    /// Leave out files of events that are damaged or missing beside the backup: results that need them are not computed until you put them back, or give them up with `assay events give-up`.
    #[arg(long)]
    pub(crate) without_damaged_events: bool,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) events: EventFolder,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a restored database shares with the one that was backed up.
#[derive(Debug, Args)]
pub(crate) struct OriginalArguments {
    /// Keep tokens, codes and sessions valid, even those that were revoked since the backup was made, and the signing key.
    #[arg(long)]
    pub(crate) keep_tokens: bool,
    /// Take the place of the database that was backed up, which is gone: use its folder of events and its copies in object storage. Without this, the
    /// restored database is one of its own beside the original, and Assay refuses it both.
    #[arg(long)]
    pub(crate) take_over: bool,
}
