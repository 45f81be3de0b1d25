//! The command line. Every flag of `serve` is also an environment variable.

mod application;
mod audit;
mod backup;
mod check;
mod doctor;
mod event_keeping;
mod events;
mod groups;
mod identity;
mod init;
mod login;
mod mail;
mod manual;
mod member;
mod network;
mod plan;
mod project;
mod ready;
mod remote;
mod results;
mod role;
mod simulate;
mod token;
mod tokens;
mod webhooks;

use std::path::PathBuf;

use app::{EVENTS_PER_MINUTE, HEAVY_READS_PER_MINUTE, WRITES_PER_MINUTE};
use clap::{Args, Parser, Subcommand, ValueEnum};
use oauth::Lifetime;

use crate::data_place::DataPlace;
use crate::logging::LogFormat;
pub(crate) use application::{
    ApplicationAddArguments, ApplicationAddSecretArguments, ApplicationArguments,
    ApplicationCommand, ApplicationListArguments, ApplicationRemoveSecretArguments,
    ApplicationSetArguments,
};
pub(crate) use audit::{AuditArguments, AuditCommand, AuditExportArguments, AuditVerifyArguments};
pub(crate) use backup::{BackupArguments, RestoreArguments};
pub(crate) use check::{CheckArguments, Color, FindingsFormat};
pub(crate) use doctor::DoctorArguments;
pub(crate) use event_keeping::{EventFolder, EventKeepingArguments, KeptDays};
pub(crate) use events::{
    EventFormat, EventKind, EventsCommand, EventsDeleteArguments, EventsExportArguments,
    EventsForgetArguments, EventsImportArguments,
};
pub(crate) use groups::command;
pub(crate) use identity::IdentityArguments;
pub(crate) use init::InitArguments;
pub(crate) use login::{LoginArguments, LogoutArguments};
pub(crate) use mail::{MailArguments, MailCommand, MailTestArguments};
pub(crate) use manual::{CompletionsArguments, ManArguments};
pub(crate) use member::{
    MemberAddArguments, MemberArguments, MemberCommand, MemberInviteArguments, MemberListArguments,
    MemberRevokeInvitationArguments, MemberRoleArguments, MemberSetRoleArguments, RoleArguments,
};
pub(crate) use network::Network;
pub(crate) use plan::PlanArguments;
pub(crate) use project::{
    ProjectArguments, ProjectCommand, ProjectDeleteArguments, ProjectListArguments,
};
pub(crate) use ready::ReadyArguments;
pub(crate) use remote::{ApplyArguments, DiffArguments, ExportArguments, RemoteArguments};
pub(crate) use results::ResultsArguments;
pub(crate) use role::Role;
pub(crate) use simulate::SimulateArguments;
pub(crate) use token::{TokenAddArguments, TokenCommand, TokenListArguments, TokenRemoveArguments};
pub(crate) use tokens::{TokensCommand, TokensEndAllArguments};
pub(crate) use webhooks::WebhookArguments;

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
        after_help = "Example:\n  assay serve shop.yaml --data ./data --public-url https://experiments.example.com --trusted-proxy 127.0.0.1"
    )]
    Serve(Box<ServeArguments>),
    /// Write a first project file, with comments, and say what to do next.
    #[command(after_help = init::EXAMPLES)]
    Init(InitArguments),
    /// Compile a project file into one self-contained snippet, without server or network.
    #[command(after_help = "Example:\n  assay compile shop.yaml -o shop.js --report text")]
    Compile(CompileArguments),
    /// Check project files: report every fault with its location, what was expected and the nearest known name.
    #[command(after_help = check::EXAMPLES)]
    Check(CheckArguments),
    /// Print the JSON Schema of the project file, with which editors complete and check it.
    #[command(after_help = "Example:\n  assay schema > project.schema.json")]
    Schema,
    /// Print the OpenAPI description of the REST API, for client generators.
    #[command(after_help = "Example:\n  assay openapi > openapi.json")]
    Openapi,
    /// Explain what visitors get: every step of every decision, as the page would make it, without server or browser.
    #[command(override_usage = DECIDE_USAGE, after_help = DECIDE_EXAMPLES)]
    Decide(DecideArguments),
    /// Tell who won, from exported exposures and events of a warehouse, an analytics tool or a shop; no server is needed.
    #[command(after_help = results::EXAMPLES)]
    Results(ResultsArguments),
    /// Estimate how many visitors and days an experiment needs, before it starts.
    #[command(after_help = plan::EXAMPLES)]
    Plan(PlanArguments),
    /// Send a running server made-up visitors, who are decided by the rules of the page: to try results, and to see that nobody wins where all
    /// variations are alike.
    #[command(after_help = simulate::EXAMPLES)]
    Simulate(SimulateArguments),
    /// Convert an Optimizely export into a project file. This keeps ids, and with them the visitors' variations, and reports what it
    /// cannot carry over, with the reason and what to do.
    #[command(
        after_help = "Example:\n  assay import export.json -o shop.yaml && assay check shop.yaml"
    )]
    Import(ImportArguments),
    /// Sign in to a running server in the browser, so that commands act for you until you sign out.
    #[command(after_help = login::EXAMPLES)]
    Login(LoginArguments),
    /// Sign out of a running server: it ends the token, and the command line forgets it.
    #[command(after_help = "Example:\n  assay logout --server https://assay.example")]
    Logout(LogoutArguments),
    /// Show what applying a project file would change on a running server.
    #[command(after_help = remote::DIFF_EXAMPLES)]
    Diff(DiffArguments),
    /// Replace a running server's draft with a project file, and optionally publish it.
    #[command(
        after_help = "Example:\n  assay apply shop.yaml --server https://assay.example --publish --message 'Hero test'"
    )]
    Apply(ApplyArguments),
    /// Write a running server's project to a project file.
    #[command(
        after_help = "Example:\n  assay export 1000 --server https://assay.example -o shop.yaml"
    )]
    Export(ExportArguments),
    /// List, archive, restore and delete the projects of a running server.
    #[command(subcommand)]
    Project(ProjectCommand),
    /// Make a link to a page that shows variations before visitors see them. Works while a server runs on the same data.
    #[command(after_help = PREVIEW_LINK_EXAMPLES)]
    PreviewLink(PreviewLinkArguments),
    /// List and revoke preview links.
    #[command(subcommand)]
    PreviewLinks(PreviewLinksCommand),
    /// Test the server's mail settings.
    #[command(subcommand)]
    Mail(MailCommand),
    /// Manage members, the people who use the console and the API.
    #[command(subcommand)]
    Member(MemberCommand),
    /// Manage OAuth 2.0 clients.
    #[command(subcommand)]
    Application(ApplicationCommand),
    /// Read, verify or export the audit log: who did what to whom, when and from where, newest first.
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Example:\n  assay audit --since 7d --data ./data --json > audit.jsonl"
    )]
    Audit(AuditArguments),
    /// Make, list and remove tokens for pipelines: personal ones, and those of services.
    #[command(subcommand)]
    Token(TokenCommand),
    /// Manage the tokens of applications and the sessions of browsers.
    #[command(subcommand)]
    Tokens(TokensCommand),
    /// Import events that were measured elsewhere, export those of a project, and delete those of a visitor. Works while servers run on the same data.
    #[command(subcommand)]
    Events(EventsCommand),
    /// Look for what would go wrong with a server: data, disk, clock, certificate, public address, proxy. Say how to cure it.
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(DoctorArguments),
    /// Ask the server on this machine whether it is ready: the health check of a container.
    #[command(after_help = ready::EXAMPLES)]
    Ready(ReadyArguments),
    /// Print a script with which a shell completes commands and flags with the tab key.
    #[command(after_help = manual::COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArguments),
    /// Write the manual as man pages: one for each command.
    #[command(after_help = manual::MAN_EXAMPLES)]
    Man(ManArguments),
    /// Write the whole database, as it is at this moment, to one file, and the files of events into a folder beside it. Works while servers run
    /// on the same data.
    #[command(after_help = "Example:\n  assay backup assay.backup --data ./data")]
    Backup(BackupArguments),
    /// Restore a backup of either kind of database into an empty or new one. This ends all that `assay tokens end-all` ends, because the backup
    /// does not know what was revoked since.
    #[command(after_help = "Example:\n  assay restore assay.backup --data ./new-data")]
    Restore(RestoreArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// The project file to serve. Assay watches it and publishes each valid change; after a faulty one the last good revision stays live.
    pub(crate) project_file: Option<PathBuf>,
    /// Serve an embedded project with a demo shop at /demo/, a ready member and OAuth application, and temporary data unless
    /// --data or --database is given.
    #[arg(long, env = "ASSAY_DEMO", conflicts_with = "project_file")]
    pub(crate) demo: bool,
    /// Publish this project file once, if there is no project with its id yet, or a project file has managed it so far. From then on the
    /// store is the truth: the server never overwrites changes of members and programs.
    #[arg(long, env = "ASSAY_SEED", value_name = "FILE", conflicts_with_all = ["project_file", "demo"])]
    pub(crate) seed: Option<PathBuf>,
    /// What this process does, where several share a PostgreSQL database.
    #[arg(
        long,
        env = "ASSAY_ROLE",
        value_enum,
        default_value = "all",
        conflicts_with_all = ["project_file", "demo", "seed", "copy_events", "sink"]
    )]
    pub(crate) role: Role,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) network: Network,
    #[command(flatten)]
    pub(crate) mail: MailArguments,
    #[command(flatten)]
    pub(crate) identity: IdentityArguments,
    #[command(flatten)]
    pub(crate) events: EventKeepingArguments,
    #[command(flatten)]
    pub(crate) webhooks: WebhookArguments,
    /// How long to keep entries of the audit log, in days. [default: 400]
    #[arg(long, env = "ASSAY_AUDIT_DAYS", value_name = "DAYS", value_parser = days)]
    pub(crate) audit_days: Option<Lifetime>,
    /// How many changes an application may make over REST for one member, per minute.
    #[arg(long, env = "ASSAY_WRITES_PER_MINUTE", value_name = "NUMBER", default_value_t = WRITES_PER_MINUTE)]
    pub(crate) writes_per_minute: u32,
    /// How many reads of a whole document (a comparison, a document) an application may make over REST for one member, per
    /// minute.
    #[arg(long, env = "ASSAY_HEAVY_READS_PER_MINUTE", value_name = "NUMBER", default_value_t = HEAVY_READS_PER_MINUTE)]
    pub(crate) heavy_reads_per_minute: u32,
    /// How many events of a project pages and apps may send, per minute; what comes with a token is not counted. Each process counts for
    /// itself.
    #[arg(long, env = "ASSAY_EVENTS_PER_MINUTE", value_name = "NUMBER", default_value_t = EVENTS_PER_MINUTE, value_parser = clap::value_parser!(u32).range(500..))]
    pub(crate) events_per_minute: u32,
    /// For how many seconds the server goes on after SIGTERM, while `/readyz` is 503, so that a balancer sends requests elsewhere. A second
    /// signal ends that.
    #[arg(long, env = "ASSAY_DRAIN", value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=3600))]
    pub(crate) drain: u32,
    /// How each line of the log is written. The variable `ASSAY_LOG` sets what is logged, such as `info`.
    #[arg(long, env = "ASSAY_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub(crate) log_format: LogFormat,
    /// Once ready, write addresses and the demo's credentials to this file as JSON (readable by you alone), and remove it at the end.
    #[arg(long, env = "ASSAY_READY_FILE", value_name = "FILE")]
    pub(crate) ready_file: Option<PathBuf>,
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
    /// Print the size of the snippet and of its parts; as HTML, a page with charts.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) report: Option<SizeFormat>,
    /// Which characters to write. ASCII works in a page of any encoding; UTF-8 is shorter, but the server must declare the charset.
    #[arg(long, value_enum, default_value = "ascii")]
    pub(crate) charset: CompiledCharset,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CompiledCharset {
    Ascii,
    #[value(name = "utf-8")]
    Utf8,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SizeFormat {
    Json,
    Text,
    Html,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ReportFormat {
    Json,
    Text,
}

const DECIDE_USAGE: &str = "assay decide <PROJECT_FILE> --visitor <ID> --url <URL> [OPTIONS]
       assay decide <PROJECT_FILE> --visits <FILE> [--json]";

const DECIDE_EXAMPLES: &str = "Examples:
  assay decide shop.yaml --visitor ada --url https://shop.example/
  assay decide shop.yaml --visitor ada --url https://shop.example/ --attribute plan=pro --stored hero=short
  assay decide shop.yaml --visits visits.jsonl --json > answers.jsonl

A line of visits.jsonl: {\"visitor_id\": \"ada\", \"url\": \"https://shop.example/\", \"attributes\": {\"plan\": \"pro\"}}";

#[derive(Debug, Args)]
pub(crate) struct DecideArguments {
    /// The project file.
    pub(crate) project_file: PathBuf,
    /// The visitor's id: the value of the visitor cookie.
    #[arg(long, value_name = "ID", required_unless_present = "visits", conflicts_with = "visits")]
    pub(crate) visitor: Option<String>,
    /// The address of the page.
    #[arg(long, value_name = "URL", required_unless_present = "visits", conflicts_with = "visits")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) details: VisitDetails,
    /// Read visits from a file instead, one JSON object per line; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "VisitDetails")]
    pub(crate) visits: Option<PathBuf>,
    /// Print JSON, one answer per line. A line that is no visit is answered with its number and an `error`.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Further facts about a visit. A condition on a fact that is left out is unknown.
#[derive(Debug, Args)]
#[group(multiple = true)]
pub(crate) struct VisitDetails {
    /// The address the visitor came from.
    #[arg(long, value_name = "URL")]
    pub(crate) referrer: Option<String>,
    /// A cookie, as the browser shows it. Repeat for several.
    #[arg(long = "cookie", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) cookies: Vec<(String, String)>,
    /// A custom attribute of the visitor, by key or id. Repeat for several.
    #[arg(long = "attribute", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) attributes: Vec<(String, String)>,
    /// The browser's user agent.
    #[arg(long, value_name = "TEXT")]
    pub(crate) user_agent: Option<String>,
    /// How many touch points the screen has. A Macintosh with more than one is an iPad.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) touch_points: Option<u32>,
    /// The browser's language, such as en-US.
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// The visitor's local time.
    #[arg(long, value_name = "YYYY-MM-DDTHH:MM")]
    pub(crate) local_time: Option<String>,
    /// The visitor's location: country, region, city, continent and market area, or part of it, such as US|CA.
    #[arg(long, value_name = "PLACE")]
    pub(crate) location: Option<String>,
    /// Whether this is the visitor's first session.
    #[arg(long, value_name = "true|false")]
    pub(crate) first_session: Option<bool>,
    /// The visitor's earlier variation of an experiment, both by key or id. Repeat for several.
    #[arg(long = "stored", value_name = "EXPERIMENT=VARIATION", value_parser = pair)]
    pub(crate) stored: Vec<(String, String)>,
    /// A variation to show, by key or id, as `?experimentation_x=` in the address does. Repeat for several.
    #[arg(long, value_name = "VARIATION")]
    pub(crate) force: Vec<String>,
    /// A page that the site itself activates, by key or id. Repeat for several.
    #[arg(long = "page", value_name = "PAGE")]
    pub(crate) pages: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The export: one JSON file with `projects`, `pages`, `experiments` and so on, or a folder with a file for each.
    pub(crate) export: PathBuf,
    /// The id of the project, if the export has several.
    #[arg(long, value_name = "ID")]
    pub(crate) project: Option<String>,
    /// Where to write the project file. [default: standard output]
    #[arg(short, long, value_name = "OUT.yaml")]
    pub(crate) output: Option<PathBuf>,
    /// How to report the differences, on standard error.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) report: ReportFormat,
}

const PREVIEW_LINK_EXAMPLES: &str = "Example:
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

/// From a day to a hundred years.
fn days(text: &str) -> Result<Lifetime, String> {
    let days = text.parse().ok().filter(|days| (1..=36_500).contains(days));
    let days: i64 = days.ok_or_else(|| "expected a number of days, 1 to 36500".to_owned())?;
    Ok(Lifetime::from_seconds(days * 86_400))
}

/// A name and a value; the value may hold further equals signs.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected a name, `=` and a value".to_owned()),
    }
}

/// A number and its unit. Whether it is long enough is not decided here.
fn lifetime(text: &str) -> Result<Lifetime, String> {
    let units = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)];
    let read = units.into_iter().find_map(|(unit, seconds)| {
        let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
        Some(Lifetime::from_seconds(i64::from(number) * seconds))
    });
    read.ok_or_else(|| "expected a number and `s`, `m`, `h` or `d`, such as `12h`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_is_a_number_and_its_unit() {
        assert_eq!(lifetime("90s"), Ok(Lifetime::from_seconds(90)));
        assert_eq!(lifetime("2d"), Ok(Lifetime::from_seconds(172_800)));
        for text in ["", "7", "d", "-1d", "1.5h", "1w", "99999999999s"] {
            assert!(lifetime(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_audit_log_is_kept_for_a_day_at_least() {
        assert_eq!(days("30"), Ok(Lifetime::from_seconds(2_592_000)));
        for text in ["", "0", "-1", "1.5", "36501", "7d"] {
            assert!(days(text).is_err(), "{text}");
        }
    }

    #[test]
    fn command_line_is_consistent() {
        command().debug_assert();
    }
}
