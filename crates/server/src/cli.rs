//! What can be asked on the command line. Every flag of `serve` is also an environment variable.

use std::net::SocketAddr;
use std::path::PathBuf;

use app::PublicUrl;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Self-hosted web experimentation: one binary, one small snippet.
#[derive(Debug, Parser)]
#[command(name = "assay", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve snippets, the console and the OAuth endpoints.
    #[command(
        after_help = "Example:\n  assay serve shop.yaml --data ./data --public-url https://experiments.example.com"
    )]
    Serve(ServeArguments),
    /// Compile a project file into one self-contained snippet; no server, no network.
    #[command(after_help = "Example:\n  assay compile shop.yaml -o shop.js --report text")]
    Compile(CompileArguments),
    /// Check a project file: every fault with its place, what was expected and the nearest known name.
    #[command(after_help = "Example:\n  assay check shop.yaml")]
    Check(CheckArguments),
    /// People who use the console and the API.
    #[command(subcommand)]
    Member(MemberCommand),
    /// OAuth 2.0 clients.
    #[command(subcommand)]
    Application(ApplicationCommand),
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// The project file to serve. It is watched: each valid change is published, a faulty one leaves the last good revision live.
    pub(crate) project_file: Option<PathBuf>,
    /// Serve an embedded project with a demo shop at /demo/, a ready member and OAuth application, and temporary data unless
    /// --data or --database is given.
    #[arg(long, env = "ASSAY_DEMO", conflicts_with = "project_file")]
    pub(crate) demo: bool,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Address to listen on. Port 0 takes a free one.
    #[arg(long, env = "ASSAY_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// How browsers and programs reach this server, as scheme, host and port. Links and the OAuth issuer are made of it.
    /// [default: http:// and the address listened on]
    #[arg(long, env = "ASSAY_PUBLIC_URL", value_name = "URL", value_parser = PublicUrl::parse)]
    pub(crate) public_url: Option<PublicUrl>,
    /// Once ready, write addresses and the demo's credentials to this file as JSON (readable by you alone).
    #[arg(long, env = "ASSAY_READY_FILE", value_name = "FILE")]
    pub(crate) ready_file: Option<PathBuf>,
}

/// Where the data is.
#[derive(Debug, Clone, Args)]
pub(crate) struct DataPlace {
    /// Directory of the embedded database. [default: ./assay-data]
    #[arg(long, env = "ASSAY_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The database instead: sqlite:PATH.
    #[arg(long, env = "ASSAY_DATABASE", value_name = "sqlite:PATH", conflicts_with = "data", value_parser = sqlite_path)]
    pub(crate) database: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompileArguments {
    /// The project file.
    pub(crate) project_file: PathBuf,
    /// Where to write the snippet. [default: standard output, or nowhere with --report]
    #[arg(short, long, value_name = "OUT.js")]
    pub(crate) output: Option<PathBuf>,
    /// Write a source map beside the snippet, as OUT.js.map.
    #[arg(long, requires = "output")]
    pub(crate) source_map: bool,
    /// Print what the snippet weighs and carries.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) report: Option<ReportFormat>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ReportFormat {
    Json,
    Text,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The project file.
    pub(crate) project_file: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemberCommand {
    /// Add a member with a generated password, shown once. Works while a server runs on the same data.
    #[command(after_help = "Example:\n  assay member add ada@example.com --data ./data")]
    Add(MemberAddArguments),
}

#[derive(Debug, Args)]
pub(crate) struct MemberAddArguments {
    /// The member's e-mail address.
    pub(crate) email: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ApplicationCommand {
    /// Register an OAuth client; its secret is shown once. Works while a server runs on the same data.
    #[command(
        after_help = "Example:\n  assay application add Reports --redirect-uri https://reports.example.com/callback"
    )]
    Add(ApplicationAddArguments),
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
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

fn sqlite_path(text: &str) -> Result<PathBuf, String> {
    match text.strip_prefix("sqlite:") {
        Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
        _ => Err("expected `sqlite:` and the path of the database file".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_consistent() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }
}
