//! `assay member invite`, `invitations` and `revoke-invitation`: people who are to become members.

use app::dto::json_of;
use app::invitations::{
    InvitationDto, InvitationState, InviteError, invite, list_invitations, revoke_invitation,
};
use app::roles::Actor;
use oauth::Moment;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use storage::{Invitation, ListRange, roles_in_words};

use super::roles;
use crate::cli::{MemberInviteArguments, MemberListArguments, MemberRevokeInvitationArguments};
use crate::failure::Failure;
use crate::{offline, output};

/// All that may wait, and as many that expired lately.
const LISTED_AT_MOST: u32 = 2_000;

/// Invites a person and shows the link, once.
pub(super) fn invite_person(arguments: &MemberInviteArguments) -> Result<(), Failure> {
    let MemberInviteArguments { member, role, counting, public_url } = arguments;
    let grant = roles::grant(role, counting)?;
    let made = offline::run_at(&member.place, public_url.clone(), async |app| {
        let inviting = invite(app, &Actor::Command, &member.email, grant);
        inviting.await.map_err(|error| match error {
            wrong @ (InviteError::UnusableEmail
            | InviteError::EmailTaken
            | InviteError::Role(_)
            | InviteError::TooMany
            | InviteError::TooManyToProject) => Failure::input(wrong),
            InviteError::UnknownProject(fault) => roles::unknown_project(&[*fault]),
            failed @ InviteError::Storage(_) => Failure::environment(failed),
        })
    })?;
    let (email, link) = (&made.kept.email, made.link.expose_secret());
    if member.json {
        output::print(json!({"id": made.kept.id, "email": email, "link": link}));
    } else {
        let until = Moment::from(made.kept.expires_at).words();
        output::print(format_args!(
            "invited  {email}\nlink     {link}\nuntil    {until}\n\nThe link is shown only once."
        ));
    }
    Ok(())
}

pub(super) fn list(arguments: &MemberListArguments) -> Result<(), Failure> {
    let all = ListRange { page: 1, per_page: LISTED_AT_MOST };
    let invitations = offline::look(&arguments.place, async |app| {
        list_invitations(app, &Actor::Command, all).await.map_err(Failure::environment)
    })?;
    if arguments.json {
        let dto = |(kept, state): &(_, _)| json_of(&InvitationDto::from((kept, *state)));
        output::print(invitations.iter().map(dto).collect::<Value>());
    } else if !invitations.is_empty() {
        output::print(invitations.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    Ok(())
}

fn line((kept, state): &(Invitation, InvitationState)) -> String {
    let Invitation { id, email, role, made_by, expires_at, .. } = kept;
    let (role, until) = (roles_in_words(&[*role]), Moment::from(*expires_at).words());
    format!("{id}  {:<9} until {until}  {email}  {role}  by {made_by}", state.word())
}

pub(super) fn revoke(arguments: &MemberRevokeInvitationArguments) -> Result<(), Failure> {
    let id = &arguments.id;
    let is_known = offline::run(&arguments.place, async |app| {
        revoke_invitation(app, &Actor::Command, id).await.map_err(Failure::environment)
    })?;
    if !is_known {
        return Err(Failure::input(format_args!(
            "invitation `{id}`: there is no such invitation\n  hint: `assay member invitations` shows all"
        )));
    }
    if arguments.json {
        output::print(json!({"id": id, "state": "revoked"}));
    } else {
        output::print(format_args!("revoked invitation {id}"));
    }
    Ok(())
}
