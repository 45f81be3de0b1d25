//! `assay member`: people who use the console and the API. Their roles are in `member/roles.rs`, lost passwords and devices
//! in `member/lost.rs`, invitations in `member/invitations.rs`.

mod invitations;
mod lost;
mod roles;

pub(super) use roles::{grant, unknown_project};

use app::App;
use app::members::{
    AddMemberError, ChangeRolesError, Unproved, add_member, all_members, find_member_by_email,
    member_json, remove_member, voucher_in_words,
};
use app::roles::Actor;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use storage::{MemberLine, roles_in_words};

use crate::cli::{MemberAddArguments, MemberArguments, MemberCommand, MemberListArguments};
use crate::failure::Failure;
use crate::{offline, output};

pub(crate) fn run(command: &MemberCommand) -> Result<(), Failure> {
    match command {
        MemberCommand::Add(arguments) => add(arguments),
        MemberCommand::Invite(arguments) => invitations::invite_person(arguments),
        MemberCommand::Invitations(arguments) => invitations::list(arguments),
        MemberCommand::RevokeInvitation(arguments) => invitations::revoke(arguments),
        MemberCommand::List(arguments) => list(arguments),
        MemberCommand::Show(arguments) => show(arguments),
        MemberCommand::SetRole(arguments) => roles::set(arguments),
        MemberCommand::RemoveRole(arguments) => roles::remove(arguments),
        MemberCommand::Remove(arguments) => remove(arguments),
        MemberCommand::ResetPassword(arguments) => lost::reset(arguments),
        MemberCommand::RemovePasskeys(arguments) => lost::remove_all_passkeys(arguments),
    }
}

/// Adds a member and shows the generated password, once.
fn add(arguments: &MemberAddArguments) -> Result<(), Failure> {
    let MemberAddArguments { member, role, counting } = arguments;
    let grant = roles::grant(role, counting)?;
    let added = offline::run(&member.place, async |app| {
        let adding = add_member(app, &Actor::Command, &member.email, grant);
        adding.await.map_err(|error| match error {
            wrong @ (AddMemberError::UnusableEmail
            | AddMemberError::EmailTaken
            | AddMemberError::Role(_)) => Failure::input(wrong),
            AddMemberError::UnknownProject(fault) => roles::unknown_project(&[*fault]),
            failed @ (AddMemberError::Busy(_) | AddMemberError::Storage(_)) => {
                Failure::environment(failed)
            }
        })
    })?;
    show_password(member, &added.password);
    Ok(())
}

fn list(arguments: &MemberListArguments) -> Result<(), Failure> {
    let members = offline::run(&arguments.place, async |app| {
        all_members(app, &Actor::Command).await.map_err(Failure::environment)
    })?;
    if arguments.json {
        output::print(members.iter().map(member_json).collect::<Value>());
    } else if !members.is_empty() {
        output::print(table(&members));
    }
    Ok(())
}

/// All members, one per line.
fn table(members: &[MemberLine]) -> String {
    let width = members.iter().map(|member| member.email.chars().count()).max().unwrap_or(0);
    let line = |member: &MemberLine| {
        let (email, roles) = (&member.email, roles_in_words(&member.roles));
        format!("{email:<width$}  {roles}")
    };
    members.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn show(arguments: &MemberArguments) -> Result<(), Failure> {
    let member = offline::run(&arguments.place, async |app| known(app, &arguments.email).await)?;
    print_member(arguments, &member);
    Ok(())
}

fn print_member(arguments: &MemberArguments, member: &MemberLine) {
    if arguments.json {
        output::print(member_json(member));
        return;
    }
    let since = oauth::Moment::from(member.added_at).words();
    output::print(format_args!("member  {}\nsince   {since}", member.email));
    if member.roles.is_empty() {
        output::print("role    none");
    }
    for grant in &member.roles {
        output::print(format_args!("role    {}", roles_in_words(&[*grant])));
    }
    if let Some(voucher) = &member.vouched_by {
        let voucher = voucher_in_words(voucher);
        output::print(format_args!(
            "address not proved: {voucher} handed over the invitation or the password"
        ));
    }
}

fn remove(arguments: &MemberArguments) -> Result<(), Failure> {
    offline::run(&arguments.place, async |app| {
        let member = known(app, &arguments.email).await?;
        remove_member(app, &Actor::Command, &member).await.map_err(failure)
    })?;
    if arguments.json {
        output::print(json!({"email": arguments.email, "status": "removed"}));
    } else {
        output::print(format_args!("removed member {}", arguments.email));
    }
    Ok(())
}

/// The named member.
pub(super) async fn known(app: &App, email: &str) -> Result<MemberLine, Failure> {
    let found =
        find_member_by_email(app, &Actor::Command, email).await.map_err(Failure::environment)?;
    found.ok_or_else(|| {
        Failure::input(
            "there is no member with this e-mail address
  hint: `assay member list` shows all",
        )
    })
}

fn show_password(arguments: &MemberArguments, password: &SecretString) {
    let password = password.expose_secret();
    if arguments.json {
        output::print(json!({"email": arguments.email, "password": password}));
    } else {
        output::print(format_args!(
            "member    {}\npassword  {password}\n\nThe password is shown only once.",
            arguments.email
        ));
    }
}

fn failure(error: ChangeRolesError) -> Failure {
    match error {
        ChangeRolesError::Faults(faults) => roles::unknown_project(&faults),
        wrong @ (ChangeRolesError::Role(_)
        | ChangeRolesError::UnknownMember
        | ChangeRolesError::OtherRoles
        | ChangeRolesError::LastOwner) => Failure::input(wrong),
        ChangeRolesError::Unproved(error) => {
            let hint = Unproved::HINT;
            Failure::input(format_args!(
                "{error}\n  hint: {hint} (`assay member reset-password EMAIL`)"
            ))
        }
        ChangeRolesError::Storage(error) => Failure::environment(error),
    }
}
