//! The command line: the commands, each of whose arguments are in a file of its name.

mod application;
mod audit;
mod backup;
mod check;
mod compile;
mod decide;
mod doctor;
mod event_keeping;
mod events;
mod groups;
mod identity;
mod import;
mod init;
mod login;
mod mail;
mod manual;
mod member;
mod network;
mod plan;
mod preview_link;
mod project;
mod ready;
mod remote;
mod results;
mod role;
mod serve;
mod simulate;
mod token;
mod tokens;
mod values;
mod webhooks;

use clap::{Parser, Subcommand};

pub(crate) use application::{
    ApplicationAddArguments, ApplicationAddSecretArguments, ApplicationArguments,
    ApplicationCommand, ApplicationListArguments, ApplicationRemoveSecretArguments,
    ApplicationSetArguments,
};
pub(crate) use audit::{AuditArguments, AuditCommand, AuditExportArguments, AuditVerifyArguments};
pub(crate) use backup::{BackupArguments, RestoreArguments};
pub(crate) use check::{CheckArguments, Color, FindingsFormat};
pub(crate) use compile::{CompileArguments, CompiledCharset, SizeFormat};
pub(crate) use decide::DecideArguments;
pub(crate) use doctor::DoctorArguments;
pub(crate) use event_keeping::{EventFolder, EventKeepingArguments, KeptDays};
pub(crate) use events::{
    EventFormat, EventKind, EventsCommand, EventsDeleteArguments, EventsExportArguments,
    EventsForgetArguments, EventsGiveUpArguments, EventsImportArguments,
};
pub(crate) use groups::command;
pub(crate) use identity::IdentityArguments;
pub(crate) use import::{ImportArguments, ReportFormat};
pub(crate) use init::InitArguments;
pub(crate) use login::{LoginArguments, LogoutArguments};
pub(crate) use mail::{MailArguments, MailCommand, MailTestArguments};
pub(crate) use manual::{CompletionsArguments, ManArguments};
pub(crate) use member::{
    MemberAddArguments, MemberArguments, MemberCommand, MemberInviteArguments, MemberListArguments,
    MemberRevokeInvitationArguments, MemberRoleArguments, MemberSetRoleArguments, RoleArguments,
};
pub(crate) use network::Network;
pub(crate) use plan::{Figure, PlanArguments};
pub(crate) use preview_link::{
    PreviewLinkArguments, PreviewLinksCommand, PreviewLinksListArguments,
    PreviewLinksRevokeArguments,
};
pub(crate) use project::{
    ProjectArguments, ProjectCommand, ProjectDeleteArguments, ProjectListArguments,
};
pub(crate) use ready::ReadyArguments;
pub(crate) use remote::{ApplyArguments, DiffArguments, ExportArguments, RemoteArguments};
pub(crate) use results::ResultsArguments;
pub(crate) use role::Role;
pub(crate) use serve::ServeArguments;
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
    #[command(after_help = serve::EXAMPLES)]
    Serve(Box<ServeArguments>),
    /// Write a first project file, with comments, and say what to do next.
    #[command(after_help = init::EXAMPLES)]
    Init(InitArguments),
    /// Compile a project file into one self-contained snippet, without server or network.
    #[command(after_help = compile::EXAMPLES)]
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
    #[command(override_usage = decide::USAGE, after_help = decide::EXAMPLES)]
    Decide(DecideArguments),
    /// Tell who won, from exported exposures and events of a warehouse, an analytics tool or a shop; no server is needed.
    #[command(after_help = results::EXAMPLES)]
    Results(ResultsArguments),
    /// Estimate how many visitors and days an experiment needs, before it starts.
    #[command(after_help = plan::EXAMPLES)]
    Plan(PlanArguments),
    /// Send a running server made-up visitors, who are decided by the rules of the page: to try results, and to see that no variation wins where all
    /// variations are alike.
    #[command(after_help = simulate::EXAMPLES)]
    Simulate(SimulateArguments),
    /// Convert an Optimizely export into a project file. This keeps ids, and with them the visitors' variations, and reports what it
    /// cannot carry over, with the reason and what to do.
    #[command(after_help = import::EXAMPLES)]
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
    #[command(after_help = preview_link::EXAMPLES)]
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

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn command_line_is_consistent() {
        command().debug_assert();
    }
}
