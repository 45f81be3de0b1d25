//! An owner or admin changes a member's roles, or removes the member.

use domain::{Fault, Pointer};
use storage::{ChangeRoles, ChangeRolesOutcome, MemberLine, RoleGrant, StorageError};
use thiserror::Error;

use crate::App;
use crate::members::Sight;
use crate::members::voucher::{Unproved, find_unproved};
use crate::roles::{Actor, RoleError};

/// Why the member's roles were not changed.
#[derive(Debug, Error)]
pub enum ChangeRolesError {
    /// The actor lacks a role that they would give, or is below a role that they would take.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// Some roles are in unknown projects.
    #[error("{}", .0.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join("; "))]
    Faults(Vec<Fault>),
    /// Another person may have the member's password, and would gain by the role.
    #[error(transparent)]
    Unproved(Box<Unproved>),
    /// The member no longer exists.
    #[error("there is no such member")]
    UnknownMember,
    /// Another request has just changed the roles.
    #[error("the roles of this member have just been changed; look at them again")]
    OtherRoles,
    /// The server would have no owner.
    #[error("this is the last owner of the server; make another member an owner first")]
    LastOwner,
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Replaces the roles of `member` that the actor sees, if they are still as the actor saw them: at most one for each place. Those that the
/// actor does not see stay.
///
/// # Errors
/// See [`ChangeRolesError`].
pub async fn change_roles(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
    after: Vec<RoleGrant>,
) -> Result<(), ChangeRolesError> {
    let different = |grants: &[RoleGrant], others: &[RoleGrant]| -> Vec<RoleGrant> {
        grants.iter().filter(|grant| !others.contains(grant)).copied().collect()
    };
    let (taken, given) = (different(&member.roles, &after), different(&after, &member.roles));
    // An unchanged role does not belong in the audit log.
    if taken.is_empty() && given.is_empty() {
        return Ok(());
    }
    actor.require_decision(app, &[taken, given.clone()].concat()).await?;
    check_projects(app, &after, &given).await?;
    let Present { before, unseen, line, sight } = Present::of(app, actor, member).await?;
    if let Some(unproved) = find_unproved(app, &line, &given).await? {
        return Err(ChangeRolesError::Unproved(Box::new(unproved.seen_by(&sight))));
    }
    let mut after = [after, unseen].concat();
    after.sort_unstable();
    carry_out(app, actor, member, (before, Some(after))).await
}

/// Removes `member`, if their roles are still as the actor saw them, with their sessions, tokens and consents; the audit log keeps its
/// entries about them.
///
/// # Errors
/// See [`ChangeRolesError`].
pub async fn remove_member(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
) -> Result<(), ChangeRolesError> {
    actor.require_power_over(app, member.id).await?;
    let Present { before, .. } = Present::of(app, actor, member).await?;
    // A role that came in between is one to have power over, too.
    actor.require_power_over(app, member.id).await?;
    carry_out(app, actor, member, (before, None)).await
}

/// All roles that a member has now.
struct Present {
    before: Vec<RoleGrant>,
    /// Those that the actor does not see.
    unseen: Vec<RoleGrant>,
    /// The member with all of them, and with who vouches for the address.
    line: MemberLine,
    sight: Sight,
}

impl Present {
    async fn of(app: &App, actor: &Actor, member: &MemberLine) -> Result<Self, ChangeRolesError> {
        let sight = Sight::of(app, actor).await?;
        let found = app.store().lookup_member_line(member.id).await?;
        let line = found.ok_or(ChangeRolesError::UnknownMember)?;
        let before = line.roles.clone();
        let seen = sight.of_roles(member.id, &before);
        if seen != member.roles {
            return Err(ChangeRolesError::OtherRoles);
        }
        let unseen = before.iter().filter(|grant| !seen.contains(grant)).copied().collect();
        Ok(Self { before, unseen, line, sight })
    }
}

/// A role in an unknown project would apply to a later project with this id. That of a deleted one is never given again.
async fn check_projects(
    app: &App,
    all: &[RoleGrant],
    given: &[RoleGrant],
) -> Result<(), ChangeRolesError> {
    let mut faults = Vec::new();
    for (index, grant) in all.iter().enumerate().filter(|(_, grant)| given.contains(grant)) {
        let pointer = Pointer::root().field("grants").element(index).field("project");
        faults.extend(fault_of_project(app, grant, pointer).await?);
    }
    if faults.is_empty() { Ok(()) } else { Err(ChangeRolesError::Faults(faults)) }
}

/// The fault of a role's project, if any.
pub(crate) async fn fault_of_project(
    app: &App,
    grant: &RoleGrant,
    pointer: Pointer,
) -> Result<Option<Fault>, StorageError> {
    let Some(project) = grant.project else { return Ok(None) };
    if app.store().has_project(project).await? {
        return Ok(None);
    }
    let message = format!("there is no project {project} on this server");
    let fault = Fault::error("unknown_project", pointer, message);
    Ok(Some(fault.hint("publish it once, or give the role for the whole server")))
}

async fn carry_out(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
    (before, after): (Vec<RoleGrant>, Option<Vec<RoleGrant>>),
) -> Result<(), ChangeRolesError> {
    let change = ChangeRoles {
        member: member.id,
        before,
        after,
        through: actor.through(),
        act: actor.act(app),
    };
    match app.store().change_roles(change).await? {
        ChangeRolesOutcome::Changed => Ok(()),
        ChangeRolesOutcome::UnknownMember => Err(ChangeRolesError::UnknownMember),
        ChangeRolesOutcome::OtherRoles => Err(ChangeRolesError::OtherRoles),
        ChangeRolesOutcome::LastOwner => Err(ChangeRolesError::LastOwner),
    }
}
