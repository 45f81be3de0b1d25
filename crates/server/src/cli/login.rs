//! The arguments of `assay login` and `assay logout`.

use clap::Args;

pub(super) const EXAMPLES: &str = "Examples:
  assay login --server https://assay.example
  assay login --server https://assay.example --scope 'config:read results:read' --no-browser

Pipelines have no browser: make them a token with `assay token add`, and put it into ASSAY_TOKEN.";

#[derive(Debug, Args)]
pub(crate) struct LoginArguments {
    /// The server's address: https, or http on this machine.
    #[arg(long, env = "ASSAY_SERVER", value_name = "URL")]
    pub(crate) server: String,
    /// What commands may do for you. The consent page shows it.
    #[arg(
        long,
        value_name = "SCOPES",
        default_value = "config:read config:write publish results:read"
    )]
    pub(crate) scope: String,
    /// Only print the address to open; the browser must be on this machine.
    #[arg(long)]
    pub(crate) no_browser: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LogoutArguments {
    /// The server's address. [default: that of the last login]
    #[arg(long, env = "ASSAY_SERVER", value_name = "URL")]
    pub(crate) server: Option<String>,
}
