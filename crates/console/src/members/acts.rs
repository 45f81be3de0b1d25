//! What a visitor does on a member's page. Each form names the state that the visitor saw: a change of another member in between is shown
//! first.

use app::App;
use app::members::{
    ChangeRolesError, LostError, Unproved, change_roles, find_member, remove_member,
    remove_passkeys, reset_password,
};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use secrecy::ExposeSecret as _;
use storage::{MemberId, MemberLine, Role, RoleGrant};

use crate::address::Path;
use crate::caller::FormCaller;
use crate::members::member::{Feedback, RoleForm, answer, tag};
use crate::members::places::place_named;
use crate::members::{PATH, path_of};
use crate::refusal::Refusal;
use crate::words::sentence;

/// The field with the state that the visitor saw.
const SEEN: &str = "seen";

const CHANGED: &str =
    "Another member has changed these roles meanwhile. Look at them, and try again.";

/// `POST /members/{id}/give-role`: it replaces the role in the same place.
pub(super) async fn submit_role(
    State(app): State<App>,
    Path(id): Path<MemberId>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let Some(member) = find_member(&app, &caller.actor, id).await? else { return Ok(gone()) };
    let (place, role) = (caller.fields.get("project"), caller.fields.get("role"));
    let form = RoleForm { place: Some(place), role, has_code: caller.fields.has("code") };
    let (project, role) = (place_named(place)?, Role::named(role));
    let role = role.ok_or(Refusal::UnreadableForm)?;
    let is_code_allowed = form.has_code || role >= Role::Admin;
    let mut after = without(&member, |grant| grant.project == project);
    after.push(RoleGrant { project, role, is_code_allowed });
    after.sort_unstable();
    change(&app, &caller, &member, Some(after), (form, "role-given")).await
}

/// `POST /members/{id}/withdraw-role`
pub(super) async fn submit_withdrawal(
    State(app): State<App>,
    Path(id): Path<MemberId>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let Some(member) = find_member(&app, &caller.actor, id).await? else { return Ok(gone()) };
    let place = place_named(caller.fields.get("project"))?;
    let after = without(&member, |grant| grant.project == place);
    change(&app, &caller, &member, Some(after), (RoleForm::default(), "role-withdrawn")).await
}

/// `POST /members/{id}/remove`
pub(super) async fn submit_removal(
    State(app): State<App>,
    Path(id): Path<MemberId>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let Some(member) = find_member(&app, &caller.actor, id).await? else { return Ok(gone()) };
    change(&app, &caller, &member, None, (RoleForm::default(), "removed")).await
}

/// `POST /members/{id}/reset-password`: the answer shows the password, once.
pub(super) async fn submit_reset(
    State(app): State<App>,
    Path(id): Path<MemberId>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let Some(member) = find_member(&app, &caller.actor, id).await? else { return Ok(gone()) };
    let password = reset_password(&app, &caller.actor, &member).await.map_err(refusal_of)?;
    let feedback = Feedback { password: Some(password.expose_secret()), ..Feedback::default() };
    answer((&app, &caller.session, &caller.actor), &member, StatusCode::OK, feedback).await
}

/// `POST /members/{id}/remove-passkeys`
pub(super) async fn submit_passkeys(
    State(app): State<App>,
    Path(id): Path<MemberId>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let Some(member) = find_member(&app, &caller.actor, id).await? else { return Ok(gone()) };
    remove_passkeys(&app, &caller.actor, &member).await.map_err(refusal_of)?;
    Ok(Redirect::to(&format!("{}?done=passkeys-removed", path_of(member.id))).into_response())
}

/// Gives the member these roles, or removes them; `done` names the message.
async fn change(
    app: &App,
    caller: &FormCaller,
    member: &MemberLine,
    after: Option<Vec<RoleGrant>>,
    (form, done): (RoleForm<'_>, &str),
) -> Result<Response, Refusal> {
    let changed = if tag(member) == caller.fields.get(SEEN) {
        match after {
            Some(after) => change_roles(app, &caller.actor, member, after).await,
            None => remove_member(app, &caller.actor, member).await,
        }
    } else {
        Err(ChangeRolesError::OtherRoles)
    };
    let (status, alert) = match changed {
        Ok(()) => {
            // Who has no role any more in the visitor's projects has no page there.
            let now = find_member(app, &caller.actor, member.id).await?;
            let page = now.map_or_else(|| PATH.to_owned(), |member| path_of(member.id));
            return Ok(Redirect::to(&format!("{page}?done={done}")).into_response());
        }
        Err(ChangeRolesError::UnknownMember) => return Ok(gone()),
        Err(ChangeRolesError::Role(error)) => return Err(error.into()),
        Err(ChangeRolesError::Storage(error)) => return Err(error.into()),
        Err(ChangeRolesError::OtherRoles) => (StatusCode::CONFLICT, CHANGED.to_owned()),
        Err(error @ ChangeRolesError::LastOwner) => {
            (StatusCode::CONFLICT, sentence(&error.to_string()))
        }
        Err(ChangeRolesError::Unproved(error)) => {
            let (why, cure) = (sentence(&error.to_string()), sentence(Unproved::HINT));
            (StatusCode::CONFLICT, format!("{why} {cure}"))
        }
        Err(error @ ChangeRolesError::Faults(_)) => {
            (StatusCode::UNPROCESSABLE_ENTITY, sentence(&error.to_string()))
        }
    };
    let Some(member) = find_member(app, &caller.actor, member.id).await? else { return Ok(gone()) };
    let feedback = Feedback { alert: Some(alert), form, ..Feedback::default() };
    answer((app, &caller.session, &caller.actor), &member, status, feedback).await
}

fn without(member: &MemberLine, is_withdrawn: impl Fn(&RoleGrant) -> bool) -> Vec<RoleGrant> {
    member.roles.iter().filter(|grant| !is_withdrawn(grant)).copied().collect()
}

/// Leads to the list: the member is no longer there.
fn gone() -> Response {
    Redirect::to(&format!("{PATH}?problem=gone")).into_response()
}

fn refusal_of(error: LostError) -> Refusal {
    match error {
        LostError::Role(error) => error.into(),
        LostError::Busy(_) => Refusal::Busy,
        LostError::Storage(error) => error.into(),
    }
}
