//! `assay member set-role` and `remove-role`: what a member may do, and where.

use app::App;
use app::members::change_roles;
use app::roles::Actor;
use domain::{Fault, Pointer, ProjectId};
use storage::{MemberLine, Role, RoleGrant};

use super::{failure, known, print_member};
use crate::cli::{MemberArguments, MemberRoleArguments, MemberSetRoleArguments, RoleArguments};
use crate::failure::Failure;
use crate::offline;

/// Gives a member a role that replaces the one they have there, and shows their roles.
pub(super) fn set(arguments: &MemberSetRoleArguments) -> Result<(), Failure> {
    let given = grant(&arguments.role, &arguments.counting)?;
    change(&arguments.member, given.project, Some(given))
}

/// Takes away the role that a member has in a place, and shows their roles.
pub(super) fn remove(arguments: &MemberRoleArguments) -> Result<(), Failure> {
    change(&arguments.member, project(arguments.project.as_deref())?, None)
}

fn change(
    arguments: &MemberArguments,
    place: Option<ProjectId>,
    given: Option<RoleGrant>,
) -> Result<(), Failure> {
    let member = offline::run(&arguments.place, async |app| {
        let member = known(app, &arguments.email).await?;
        change_in(app, &member, place, given).await?;
        known(app, &arguments.email).await
    })?;
    print_member(arguments, &member);
    Ok(())
}

async fn change_in(
    app: &App,
    member: &MemberLine,
    place: Option<ProjectId>,
    given: Option<RoleGrant>,
) -> Result<(), Failure> {
    let elsewhere = member.roles.iter().filter(|grant| grant.project != place);
    let mut roles: Vec<RoleGrant> = elsewhere.copied().chain(given).collect();
    if given.is_none() && roles.len() == member.roles.len() {
        let place = place.map_or("for the whole server".to_owned(), |id| format!("in {id}"));
        return Err(Failure::input(format_args!(
            "{} has no role {place}\n  hint: `assay member show` lists the member's roles",
            member.email
        )));
    }
    roles.sort_unstable();
    change_roles(app, &Actor::Command, member, roles).await.map_err(failure)
}

/// The typed role.
pub(crate) fn grant(name: &str, counting: &RoleArguments) -> Result<RoleGrant, Failure> {
    let names = Role::ALL.map(Role::as_str);
    let role = Role::named(name).ok_or_else(|| {
        let fault = Fault::error("unknown_role", Pointer::root(), format!("unknown role `{name}`"));
        let fault = fault.expected(names.join(", ")).did_you_mean(name, names);
        Failure::Faults(vec![fault])
    })?;
    let is_code_allowed = counting.code || role >= Role::Admin;
    Ok(RoleGrant { project: project(counting.project.as_deref())?, role, is_code_allowed })
}

fn project(text: Option<&str>) -> Result<Option<ProjectId>, Failure> {
    let read = text.map(str::parse).transpose();
    read.map_err(|wrong| Failure::input(format_args!("--project: {wrong}")))
}

/// A role in a project that does not exist.
pub(crate) fn unknown_project(faults: &[Fault]) -> Failure {
    let faults = faults.iter().map(|fault| Fault { pointer: Pointer::root(), ..fault.clone() });
    Failure::Faults(faults.collect())
}
