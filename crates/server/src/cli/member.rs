//! `assay member`: manages the people who use the console and the API. All commands work while a server runs on the same
//! data, and take effect there within a second.

use app::PublicUrl;
use clap::builder::{StringValueParser, TypedValueParser as _};
use clap::{Args, Subcommand};

use crate::data_place::DataPlace;

#[derive(Debug, Subcommand)]
pub(crate) enum MemberCommand {
    /// Add a member with a generated password, shown once. Works while a server runs on the same data.
    #[command(
        after_help = "Examples:\n  assay member add ada@example.com --data ./data\n  assay member add bob@example.com --role editor --project 1000 --code"
    )]
    Add(MemberAddArguments),
    /// Invite a person: print a link with which they choose a password and become a member. It is shown once, works once, and for seven days.
    #[command(
        after_help = "Example:\n  assay member invite bob@example.com --role editor --project 1000 --public-url https://experiments.example --data ./data"
    )]
    Invite(MemberInviteArguments),
    /// List the invitations that wait, newest first. Expired ones stay for 30 days.
    #[command(after_help = "Example:\n  assay member invitations --data ./data")]
    Invitations(MemberListArguments),
    /// Revoke an invitation: its link stops working.
    #[command(
        after_help = "Example:\n  assay member revoke-invitation c0ffee0123456789c0ffee01 --data ./data"
    )]
    RevokeInvitation(MemberRevokeInvitationArguments),
    /// List the members and their roles.
    #[command(after_help = "Example:\n  assay member list --data ./data")]
    List(MemberListArguments),
    /// Show when a member was added, and their roles.
    #[command(after_help = "Example:\n  assay member show ada@example.com --data ./data")]
    Show(MemberArguments),
    /// Give a member a role, for the whole server or in one project; it replaces the one they have there.
    #[command(
        after_help = "Examples:\n  assay member set-role bob@example.com publisher --project 1000\n  assay member set-role ada@example.com owner"
    )]
    SetRole(MemberSetRoleArguments),
    /// Take away a member's role for the whole server or in one project.
    #[command(after_help = "Example:\n  assay member remove-role bob@example.com --project 1000")]
    RemoveRole(MemberRoleArguments),
    /// Remove a member for ever, with their sessions, tokens and consents. The audit log stays.
    #[command(after_help = "Example:\n  assay member remove bob@example.com --data ./data")]
    Remove(MemberArguments),
    /// Give a member who lost the password a new one, shown once, and sign them out everywhere.
    #[command(after_help = "Example:\n  assay member reset-password ada@example.com --data ./data")]
    ResetPassword(MemberArguments),
    /// Remove all passkeys of a member who lost a device, and sign them out everywhere. The password stays.
    #[command(
        after_help = "Example:\n  assay member remove-passkeys ada@example.com --data ./data"
    )]
    RemovePasskeys(MemberArguments),
}

#[derive(Debug, Args)]
pub(crate) struct MemberAddArguments {
    #[command(flatten)]
    pub(crate) member: MemberArguments,
    /// The role: viewer, analyst, editor, publisher, admin or owner.
    #[arg(long, value_name = "ROLE", default_value = "owner")]
    pub(crate) role: String,
    #[command(flatten)]
    pub(crate) counting: RoleArguments,
}

#[derive(Debug, Args)]
pub(crate) struct MemberInviteArguments {
    #[command(flatten)]
    pub(crate) member: MemberArguments,
    /// The role: viewer, analyst, editor, publisher, admin or owner.
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: String,
    #[command(flatten)]
    pub(crate) counting: RoleArguments,
    /// The address of the server for browsers, with which the link begins.
    #[arg(long, env = "ASSAY_PUBLIC_URL", value_name = "URL", value_parser = PublicUrl::parse)]
    pub(crate) public_url: PublicUrl,
}

#[derive(Debug, Args)]
pub(crate) struct MemberRevokeInvitationArguments {
    /// The id of the invitation; `assay member invitations` shows it.
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MemberSetRoleArguments {
    #[command(flatten)]
    pub(crate) member: MemberArguments,
    /// The role: viewer, analyst, editor, publisher, admin or owner.
    pub(crate) role: String,
    #[command(flatten)]
    pub(crate) counting: RoleArguments,
}

#[derive(Debug, Args)]
pub(crate) struct MemberRoleArguments {
    #[command(flatten)]
    pub(crate) member: MemberArguments,
    /// The id of the project in which they have the role. [default: the whole server]
    #[arg(long, value_name = "ID")]
    pub(crate) project: Option<String>,
}

/// Where a role applies, and the right to write code.
#[derive(Debug, Args)]
pub(crate) struct RoleArguments {
    /// The id of the project in which the role applies. [default: the whole server, with all projects]
    #[arg(long, value_name = "ID")]
    pub(crate) project: Option<String>,
    /// Allow the member to write custom code and redirects, as admins and owners always may.
    #[arg(long)]
    pub(crate) code: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MemberListArguments {
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MemberArguments {
    /// The member's e-mail address.
    #[arg(value_parser = StringValueParser::new().map(|text| text.trim().to_owned()))]
    pub(crate) email: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
