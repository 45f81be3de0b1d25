//! `assay tokens`: what opens this server, all at once.

use clap::{Args, Subcommand};

use crate::data_place::DataPlace;

#[derive(Debug, Subcommand)]
pub(crate) enum TokensCommand {
    /// End every token, code, session, invitation and link, remove all API tokens and services, and replace the signing key, for example after you
    /// restore a copy of the database, which does not know what was revoked since, or after an attacker may have read a backup. Works while a server runs on the
    /// same data.
    #[command(after_help = "Example:\n  assay tokens end-all --data ./data")]
    EndAll(TokensEndAllArguments),
}

#[derive(Debug, Args)]
pub(crate) struct TokensEndAllArguments {
    /// The database is a copy beside its original, as `pg_dump` makes it: Assay refuses it the original's folder of events and copies in object
    /// storage. A copy that `assay restore` makes needs no such option.
    #[arg(long)]
    pub(crate) as_copy: bool,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
