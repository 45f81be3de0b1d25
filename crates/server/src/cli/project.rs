//! `assay project`: the projects of a running server.

use clap::{Args, Subcommand};

use super::remote::RemoteArguments;

#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// List the projects that you may read, archived ones too.
    #[command(after_help = "Example:\n  assay project list --server https://assay.example")]
    List(ProjectListArguments),
    /// Archive a project in its draft. Once that is published, visitors get an empty snippet.
    #[command(after_help = "Example:\n  assay project archive shop")]
    Archive(ProjectArguments),
    /// Restore an archived project in its draft. Publish that.
    #[command(after_help = "Example:\n  assay project restore shop")]
    Restore(ProjectArguments),
    /// Delete an archived project for good, with its snippet, its revisions and its events. Only owners of the server may.
    #[command(
        after_help = "Example:\n  assay project archive shop && assay project delete 1000 --permanently shop"
    )]
    Delete(ProjectDeleteArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ProjectListArguments {
    #[command(flatten)]
    pub(crate) remote: RemoteArguments,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProjectArguments {
    /// The id or the key of the project.
    pub(crate) project: String,
    #[command(flatten)]
    pub(crate) remote: RemoteArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ProjectDeleteArguments {
    /// The id or the key of the project.
    pub(crate) project: String,
    /// The key of the project, so that no slip deletes another one.
    #[arg(long, value_name = "KEY")]
    pub(crate) permanently: String,
    #[command(flatten)]
    pub(crate) remote: RemoteArguments,
}
