//! An admin decides what a member may do, or removes the member.

use domain::{Fault, Pointer};
use storage::{ChangeRoles, ChangeRolesOutcome, MemberLine, RoleGrant, StorageError};
use thiserror::Error;

use crate::App;
use crate::roles::{Actor, RoleError};

/// Why a member may do what they could before.
#[derive(Debug, Error)]
pub enum ChangeRolesError {
    /// The actor does not have what they would give, or is below what they would take.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// Roles are to be given in projects that are not there.
    #[error("{}", .0.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join("; "))]
    Faults(Vec<Fault>),
    /// There is no such member any more.
    #[error("there is no such member")]
    UnknownMember,
    /// Another admin has just decided otherwise.
    #[error("the roles of this member have just been changed; look at them again")]
    OtherRoles,
    /// The server would have no owner any more.
    #[error("this is the last owner of the server; make another member an owner first")]
    LastOwner,
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Gives `member`, as they were seen, these roles in place of those they have: at most one for each place, in order.
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
    // What stays as it was is no change, and not to be read of in the audit log.
    if taken.is_empty() && given.is_empty() {
        return Ok(());
    }
    actor.require_decision(app, &[taken, given.clone()].concat()).await?;
    check_projects(app, &after, &given).await?;
    carry_out(app, actor, member, Some(after)).await
}

/// Removes `member`, as they were seen: sessions, tokens and what they allowed applications go with them; what the audit log tells of
/// them stays.
///
/// # Errors
/// See [`ChangeRolesError`].
pub async fn remove_member(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
) -> Result<(), ChangeRolesError> {
    actor.require_power_over(app, &member.roles).await?;
    carry_out(app, actor, member, None).await
}

/// A role in a project that is not there would be given to the member who makes one with this id. Projects never go.
async fn check_projects(
    app: &App,
    all: &[RoleGrant],
    given: &[RoleGrant],
) -> Result<(), ChangeRolesError> {
    let mut faults = Vec::new();
    for (index, grant) in all.iter().enumerate().filter(|(_, grant)| given.contains(grant)) {
        let place = Pointer::root().field("grants").element(index).field("project");
        faults.extend(fault_of_project(app, grant, place).await?);
    }
    if faults.is_empty() { Ok(()) } else { Err(ChangeRolesError::Faults(faults)) }
}

/// What is wrong with the project of a role, if anything.
pub(super) async fn fault_of_project(
    app: &App,
    grant: &RoleGrant,
    place: Pointer,
) -> Result<Option<Fault>, StorageError> {
    let Some(project) = grant.project else { return Ok(None) };
    if app.store().has_project(project).await? {
        return Ok(None);
    }
    let message = format!("there is no project {project} on this server");
    let fault = Fault::error("unknown_project", place, message);
    Ok(Some(fault.hint("publish it once, or give the role for the whole server")))
}

async fn carry_out(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
    after: Option<Vec<RoleGrant>>,
) -> Result<(), ChangeRolesError> {
    let change = ChangeRoles {
        member: member.id,
        before: member.roles.clone(),
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
