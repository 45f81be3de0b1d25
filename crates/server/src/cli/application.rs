//! `assay application`: what can be asked about OAuth clients. All of it works while a server runs on the same data, and holds from
//! its next request on.

use clap::{Args, Subcommand};

use crate::data_place::DataPlace;

#[derive(Debug, Subcommand)]
pub(crate) enum ApplicationCommand {
    /// Register an OAuth client; its secret is shown once. Works while a server runs on the same data.
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
    /// Give a client another secret, shown once, beside the one it has. Both are good until one is removed.
    #[command(
        after_help = "Example, for a new secret without an outage:\n  assay application add-secret hk4m8vtp2c9xwq3e7ndj --note 2027\n  (let the application use it, and wait until `show` tells that the old one is not used any more)\n  assay application remove-secret hk4m8vtp2c9xwq3e7ndj 7kd2mfqa"
    )]
    AddSecret(ApplicationAddSecretArguments),
    /// Remove a secret of a client, by its id. From now on it proves nothing.
    #[command(
        after_help = "Example:\n  assay application remove-secret hk4m8vtp2c9xwq3e7ndj 7kd2mfqa"
    )]
    RemoveSecret(ApplicationRemoveSecretArguments),
    /// Switch a client off: nobody gets tokens for it, and those it has open nothing, until it is enabled again.
    #[command(after_help = "Example:\n  assay application disable hk4m8vtp2c9xwq3e7ndj")]
    Disable(ApplicationArguments),
    /// Switch a client on again. Tokens that are not over yet are good again.
    #[command(after_help = "Example:\n  assay application enable hk4m8vtp2c9xwq3e7ndj")]
    Enable(ApplicationArguments),
    /// Remove a client for ever, with its secrets, what members allowed it, and its tokens.
    #[command(after_help = "Example:\n  assay application remove hk4m8vtp2c9xwq3e7ndj")]
    Remove(ApplicationArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ApplicationAddArguments {
    /// The name members see when they are asked for consent.
    pub(crate) name: String,
    /// Where members are sent back to, matched exactly. Repeat for several.
    #[arg(long = "redirect-uri", value_name = "URI", required = true)]
    pub(crate) redirect_uris: Vec<String>,
    /// A client that cannot keep a secret, such as a command line tool: it gets none and must use PKCE.
    #[arg(long)]
    pub(crate) public: bool,
    /// What it asks for when a request names no scope, and beyond which it may not ask, such as "config:read publish", or all. If this is left
    /// out, it asks for config:read, and may ask for anything by name.
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
    /// A redirect URI that it has from now on, in place of those it had. Repeat for several.
    #[arg(long = "redirect-uri", value_name = "URI")]
    pub(crate) redirect_uris: Vec<String>,
    /// What it asks for when a request names no scope, and beyond which it may not ask: names of scopes, or all.
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
    /// The id of the secret, as `show` tells it.
    pub(crate) secret_id: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
