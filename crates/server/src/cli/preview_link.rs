//! The arguments of `assay preview-link` and `assay preview-links`.

use clap::{Args, Subcommand};
use oauth::Lifetime;

use super::values::lifetime;
use crate::data_place::DataPlace;

pub(super) const EXAMPLES: &str = "Example:
  assay preview-link 1000 https://shop.example/ --variation short --expires-in 2d";

#[derive(Debug, Args)]
pub(crate) struct PreviewLinkArguments {
    /// The id of the project, whose live revision must have `snippet.preview: true`.
    pub(crate) project: String,
    /// The address of the page.
    pub(crate) url: String,
    /// A variation to show, by key or id, even of a campaign that does not run. Repeat for several.
    #[arg(long = "variation", value_name = "VARIATION", required = true)]
    pub(crate) variations: Vec<String>,
    /// Take the variations from the draft instead of the live revision.
    #[arg(long)]
    pub(crate) draft: bool,
    /// Let people who have the link switch to other variations of the same experiments.
    #[arg(long)]
    pub(crate) switchable: bool,
    /// How long the link is valid: 60s to 30d, for a draft to 7d. [default: 7d, for a draft 1d]
    #[arg(long, value_name = "TIME", value_parser = lifetime)]
    pub(crate) expires_in: Option<Lifetime>,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PreviewLinksCommand {
    /// List the links of a project, newest first. Some stay a while after they ended.
    #[command(after_help = "Example:\n  assay preview-links list 1000 --data ./data")]
    List(PreviewLinksListArguments),
    /// Revoke a link: it shows what visitors see from now on. Works while a server runs on the same data.
    #[command(
        after_help = "Example:\n  assay preview-links revoke 1000 0123456789abcdef --data ./data"
    )]
    Revoke(PreviewLinksRevokeArguments),
}

#[derive(Debug, Args)]
pub(crate) struct PreviewLinksListArguments {
    /// The id of the project.
    pub(crate) project: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PreviewLinksRevokeArguments {
    /// The id of the project.
    pub(crate) project: String,
    /// The id of the link; `assay preview-links list` shows it.
    pub(crate) link: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
