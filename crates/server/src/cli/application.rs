//! `assay application`: manages OAuth clients. All commands work while a server runs on the same data, and take effect from
//! its next request on.

use clap::{Args, Subcommand};

use crate::data_place::DataPlace;

#[derive(Debug, Subcommand)]
pub(crate) enum ApplicationCommand {
    /// Register an OAuth client and show its secret once. Works while a server runs on the same data.
    #[command(
        after_help = "Example:\n  assay application add Reports --redirect-uri https://reports.example.com/callback"
    )]
    Add(ApplicationAddArguments),
    /// List the registered clients.
    #[command(after_help = "Example:\n  assay application list --data ./data")]
    List(ApplicationListArguments),
    /// Show a client: its redirect URIs, its secrets by id, and when each was last used.
    #[command(after_help = "Example:\n  assay application show hk4m8vtp2c9xwq3e7ndj --data ./data")]
    Show(ApplicationArguments),
    /// Change the name or the redirect URIs of a client.
    #[command(
        after_help = "Example:\n  assay application set hk4m8vtp2c9xwq3e7ndj --redirect-uri https://reports.example.com/callback --redirect-uri https://new.example.com/callback"
    )]
    Set(ApplicationSetArguments),
    /// Give a client a second secret, shown once. Both are valid until you remove one.
    #[command(
        after_help = "Example, for a new secret without an outage:\n  assay application add-secret hk4m8vtp2c9xwq3e7ndj --note 2027\n  (give it to the application, and wait until `show` says that the old one is no longer used)\n  assay application remove-secret hk4m8vtp2c9xwq3e7ndj 7kd2mfqa"
    )]
    AddSecret(ApplicationAddSecretArguments),
    /// Remove a secret of a client, by its id. It is invalid from now on.
    #[command(
        after_help = "Example:\n  assay application remove-secret hk4m8vtp2c9xwq3e7ndj 7kd2mfqa"
    )]
    RemoveSecret(ApplicationRemoveSecretArguments),
    /// Disable a client: it gets no tokens, and its existing tokens give no access, until you enable it again.
    #[command(after_help = "Example:\n  assay application disable hk4m8vtp2c9xwq3e7ndj")]
    Disable(ApplicationArguments),
    /// Enable a client again. Its unexpired tokens are valid again.
    #[command(after_help = "Example:\n  assay application enable hk4m8vtp2c9xwq3e7ndj")]
    Enable(ApplicationArguments),
    /// Remove a client for ever, with its secrets, consents and tokens.
    #[command(after_help = "Example:\n  assay application remove hk4m8vtp2c9xwq3e7ndj")]
    Remove(ApplicationArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ApplicationAddArguments {
    /// The name that members read on the consent page.
    pub(crate) name: String,
    /// The address to which members return, matched exactly. Repeat for several.
    #[arg(long = "redirect-uri", value_name = "URI", required = true)]
    pub(crate) redirect_uris: Vec<String>,
    /// Register a client that cannot keep a secret, such as a command line tool: it gets none and must use PKCE.
    #[arg(long)]
    pub(crate) public: bool,
    /// The most it may ask for, and what it asks for if a request names no scope, such as "config:read publish", or all. By default it
    /// asks for config:read, and may ask for anything by name.
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ApplicationListArguments {
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ApplicationArguments {
    /// The client id.
    pub(crate) client_id: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ApplicationSetArguments {
    /// The client id.
    pub(crate) client_id: String,
    /// Its new name.
    #[arg(long, value_name = "NAME", required_unless_present_any = ["redirect_uris", "scope"])]
    pub(crate) name: Option<String>,
    /// A redirect URI; replaces all earlier ones. Repeat for several.
    #[arg(long = "redirect-uri", value_name = "URI")]
    pub(crate) redirect_uris: Vec<String>,
    /// The most it may ask for, and what it asks for if a request names no scope: names of scopes, or all.
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ApplicationAddSecretArguments {
    /// The client id.
    pub(crate) client_id: String,
    /// What you want to remember about the secret.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) note: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ApplicationRemoveSecretArguments {
    /// The client id.
    pub(crate) client_id: String,
    /// The id of the secret, from `show`.
    pub(crate) secret_id: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
