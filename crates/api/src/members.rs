//! `/v1/members`: who is a member, and what they may do. What a change may be is decided in `app::members`.

use app::App;
use app::members::{
    AddMemberError, ChangeRolesError, LostError, MEMBER_BYTES_AT_MOST, MemberAction, MemberRequest,
    add_member, change_roles, find_member, list_members, member_json, read_roles, remove_member,
    remove_passkeys, reset_password,
};
use app::roles::Actor;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Fault, Pointer};
use oauth::Scope;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use storage::{Counted, MemberLine};
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::{answer, answer_done, answer_page, located};
use crate::conditional::{IfMatch, answer_tagged, changed_meanwhile};
use crate::editing::Caller;
use crate::json_body::json_text;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, delete, get, patch, post};

const PATH: &str = "/v1/members";

pub(crate) fn routes() -> Routes {
    let asked = |id, summary| Operation::new(id, summary).needs(Scope::MembersWrite, "admin");
    Routes::under("Members")
        .at(
            PATH,
            [
                get(list, asked("list_members", "The members").answers_pages_of("member")),
                post(
                    add,
                    asked("add_member", "Make somebody a member")
                        .takes("member_to_add")
                        .answers(201, "added_member")
                        .with_header(201, "Location")
                        .may_be(&[409]),
                ),
            ],
        )
        .at(
            "/v1/members/{id}",
            [
                get(show, asked("get_member", "A member").answers_tagged(200, "member")),
                patch(
                    change,
                    asked("change_member", "Change what a member may do")
                        .if_match()
                        .takes_patch("member_patch")
                        .answers_tagged(200, "member")
                        .may_be(&[409]),
                ),
                delete(
                    remove,
                    asked("remove_member", "Remove a member")
                        .answers_nothing()
                        .may_be(&[409, 412, 422]),
                ),
            ],
        )
        .at(
            "/v1/members/{id}/actions",
            [post(
                act,
                asked("act_on_member", "Help somebody who lost their way in")
                    .takes("member_action")
                    .answers(200, "member_acted"),
            )],
        )
        .with_bodies_of_at_most(MEMBER_BYTES_AT_MOST)
}

async fn list(State(app): State<App>, caller: Caller, paging: Paging) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let members = list_members(&app, &by, paging.to_page()).await?;
    let total = app.store().count(Counted::Members).await?;
    let body: Value = members.iter().map(member_json).collect();
    Ok(answer_page(&app, paging, PATH, total, body))
}

async fn add(
    State(app): State<App>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let text = json_text(request).await?;
    let written = MemberRequest::read(&text).map_err(|faults| Problem::faults(&faults))?;
    let added = add_member(&app, &by, &written.email, written.role).await;
    let added = added.map_err(problem_of_adding)?;
    let member = find_member(&app, &by, added.id).await?.ok_or_else(Problem::not_found)?;
    let mut body = member_json(&member);
    body["password"] = added.password.expose_secret().into();
    Ok(located(answer(StatusCode::CREATED, body), &app, &format!("{PATH}/{}", added.id)))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    Ok(answer_tagged(StatusCode::OK, member_json(&known(&app, &by, &id).await?)))
}

async fn change(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    seen: Result<IfMatch, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let member = known(&app, &by, &id).await?;
    seen?.check(&member_json(&member))?;
    let text = json_text(request).await?;
    let roles = read_roles(&text).map_err(|faults| Problem::faults(&faults))?;
    if let Some(roles) = roles {
        let changed = change_roles(&app, &by, &member, roles).await;
        problem_of(&app, &by, &id, changed).await?;
    }
    Ok(answer_tagged(StatusCode::OK, member_json(&known(&app, &by, &id).await?)))
}

async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let member = known(&app, &by, &id).await?;
    problem_of(&app, &by, &id, remove_member(&app, &by, &member).await).await?;
    Ok(answer_done())
}

async fn act(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let member = known(&app, &by, &id).await?;
    let text = json_text(request).await?;
    let action = MemberAction::read(&text).map_err(|faults| Problem::faults(&faults))?;
    let done = match action {
        MemberAction::ResetPassword => {
            let password = reset_password(&app, &by, &member).await.map_err(problem_of_losing)?;
            json!({"password": password.expose_secret()})
        }
        MemberAction::RemovePasskeys => {
            let removed = remove_passkeys(&app, &by, &member).await.map_err(problem_of_losing)?;
            json!({"passkeys_removed": removed})
        }
    };
    Ok(answer(StatusCode::OK, done))
}

pub(crate) async fn known(app: &App, actor: &Actor, id: &str) -> Result<MemberLine, Problem> {
    let id = id.parse().map_err(|_| Problem::not_found())?;
    find_member(app, actor, id).await?.ok_or_else(Problem::not_found)
}

/// Somebody who was overtaken gets to see how the member is now.
async fn problem_of(
    app: &App,
    actor: &Actor,
    id: &str,
    changed: Result<(), ChangeRolesError>,
) -> Result<(), Problem> {
    Err(match changed {
        Ok(()) => return Ok(()),
        Err(ChangeRolesError::Role(error)) => error.into(),
        Err(ChangeRolesError::Faults(faults)) => Problem::faults(&faults),
        Err(ChangeRolesError::UnknownMember) => Problem::not_found(),
        Err(ChangeRolesError::OtherRoles) => {
            changed_meanwhile(&member_json(&known(app, actor, id).await?))
        }
        Err(error @ ChangeRolesError::LastOwner) => {
            Problem::new(ProblemCode::LastOwner, error.to_string())
        }
        Err(ChangeRolesError::Storage(error)) => error.into(),
    })
}

fn problem_of_adding(error: AddMemberError) -> Problem {
    match error {
        AddMemberError::UnusableEmail => {
            let place = Pointer::root().field("email");
            Problem::faults(&[Fault::error("unusable_email", place, error.to_string())])
        }
        AddMemberError::EmailTaken => Problem::new(ProblemCode::EmailTaken, error.to_string()),
        AddMemberError::Role(error) => error.into(),
        AddMemberError::UnknownProject(fault) => Problem::faults(&[*fault]),
        AddMemberError::Busy(_) => Problem::unavailable(),
        AddMemberError::Storage(error) => error.into(),
    }
}

fn problem_of_losing(error: LostError) -> Problem {
    match error {
        LostError::Role(error) => error.into(),
        LostError::Busy(_) => Problem::unavailable(),
        LostError::Storage(error) => error.into(),
    }
}
