//! `/v1/members`: who is a member, and what they may do. What a change may be is decided in `app::members`.

use app::App;
use app::described::OptionalField;
use app::members::{
    AddMemberError, ChangeRolesError, LostError, MEMBER_BYTES_AT_MOST, MemberAction,
    MemberActionRequest, MemberDto, MemberPatch, MemberRequest, Unproved, add_member, change_roles,
    count_members, find_member, list_members, member_json, remove_member, remove_passkeys,
    reset_password,
};
use app::roles::Actor;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Fault, Pointer};
use oauth::Scope;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use storage::MemberLine;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::{answer, answer_done, answer_page, located};
use crate::conditional::{
    IfMatch, IfNoneMatch, answer_tagged, answer_unless_known, changed_meanwhile, check_if_told,
};
use crate::editing::Caller;
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, delete, get, patch, post};

const PATH: &str = "/v1/members";

app::dto! {
    /// A new member, with a password.
    pub(crate) struct AddedMemberDto: "added_member" {
        ..member: MemberDto,
        /// A password for the first sign-in. Assay shows it once.
        password: String,
    }

    /// What came of an action on a member.
    pub(crate) struct MemberActedDto: "member_acted" {
        /// After `reset_password`: a password for the next sign-in. Assay shows it once.
        password: OptionalField<String>,
        /// After `remove_passkeys`: how many passkeys the member had.
        passkeys_removed: OptionalField<usize>,
    }
}

pub(crate) fn routes() -> Routes {
    let asked = |id, summary| Operation::new(id, summary).needs(Scope::MembersWrite, "admin");
    let add = Operation::new("add_member", "Add a member")
        .needs(Scope::MembersWrite, "admin of the server")
        .takes_request::<MemberRequest>()
        .answers_dto::<AddedMemberDto>(201)
        .with_header(201, "Location")
        .may_be(&[409]);
    Routes::under("Members")
        .at(
            PATH,
            [
                get(list, asked("list_members", "List the members").answers_pages_of("member")),
                post(self::add, add),
            ],
        )
        .at(
            "/v1/members/{id}",
            [
                get(
                    show,
                    asked("get_member", "Read a member")
                        .answers_tagged(200, "member")
                        .with_shared("if_none_match_or_not")
                        .answers_not_modified(),
                ),
                patch(
                    change,
                    asked("change_member", "Change what a member may do")
                        .if_match()
                        .takes_request::<MemberPatch>()
                        .answers_tagged(200, "member")
                        .may_be(&[409]),
                ),
                delete(
                    remove,
                    asked("remove_member", "Remove a member")
                        .if_match_is_heeded()
                        .answers_nothing()
                        .may_be(&[409, 422]),
                ),
            ],
        )
        .at(
            "/v1/members/{id}/actions",
            [post(
                act,
                asked("act_on_member", "Reset a member's password, or remove their passkeys")
                    .if_match_is_heeded()
                    .takes_request::<MemberActionRequest>()
                    .answers_dto::<MemberActedDto>(200),
            )],
        )
        .with_bodies_of_at_most(MEMBER_BYTES_AT_MOST)
}

async fn list(State(app): State<App>, caller: Caller, paging: Paging) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let members = list_members(&app, &by, paging.to_page()).await?;
    let total = count_members(&app, &by).await?;
    let body: Value = members.iter().map(member_json).collect();
    Ok(answer_page(&app, paging, PATH, total, body))
}

async fn add(
    State(app): State<App>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let wanted: MemberRequest = sent(request).await?;
    let added = add_member(&app, &by, &wanted.email, wanted.grant()).await;
    let added = added.map_err(problem_of_adding)?;
    let member = find_member(&app, &by, added.id).await?.ok_or_else(Problem::not_found)?;
    let password = added.password.expose_secret().to_owned();
    let body = AddedMemberDto { member: MemberDto::from(&member), password };
    Ok(located(answer(StatusCode::CREATED, body), &app, &format!("{PATH}/{}", added.id)))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_none_match: IfNoneMatch,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    Ok(answer_unless_known(&if_none_match, member_json(&known(&app, &by, &id).await?)))
}

async fn change(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Result<IfMatch, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let member = known(&app, &by, &id).await?;
    if_match?.check(&member_json(&member))?;
    let patch: MemberPatch = sent(request).await?;
    if let Some(roles) = patch.grants().map_err(|faults| Problem::faults(&faults))? {
        let changed = change_roles(&app, &by, &member, roles).await;
        problem_of(&app, &by, &id, changed).await?;
    }
    let now = find_member(&app, &by, member.id).await?;
    // An admin of projects does not see a member any more who has no role there.
    let now = now.unwrap_or_else(|| MemberLine { roles: Vec::new(), ..member });
    Ok(answer_tagged(StatusCode::OK, member_json(&now)))
}

async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Option<IfMatch>,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let member = known(&app, &by, &id).await?;
    check_if_told(if_match, &member_json(&member))?;
    problem_of(&app, &by, &id, remove_member(&app, &by, &member).await).await?;
    Ok(answer_done())
}

async fn act(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let member = known(&app, &by, &id).await?;
    check_if_told(if_match, &member_json(&member))?;
    let MemberActionRequest { action } = sent(request).await?;
    let mut done =
        MemberActedDto { password: OptionalField(None), passkeys_removed: OptionalField(None) };
    match action {
        MemberAction::ResetPassword => {
            let password = reset_password(&app, &by, &member).await.map_err(problem_of_losing)?;
            done.password = OptionalField(Some(password.expose_secret().to_owned()));
        }
        MemberAction::RemovePasskeys => {
            let removed = remove_passkeys(&app, &by, &member).await.map_err(problem_of_losing)?;
            done.passkeys_removed = OptionalField(Some(removed));
        }
    }
    Ok(answer(StatusCode::OK, done))
}

pub(crate) async fn known(app: &App, actor: &Actor, id: &str) -> Result<MemberLine, Problem> {
    let id = id.parse().map_err(|_| Problem::not_found())?;
    find_member(app, actor, id).await?.ok_or_else(Problem::not_found)
}

/// A client that was overtaken gets to see how the member is now.
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
        Err(ChangeRolesError::Unproved(error)) => {
            let detail = format!("{error}; hint: {}", Unproved::HINT);
            Problem::new(ProblemCode::AddressUnproved, detail)
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
