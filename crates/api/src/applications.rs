//! `/v1/applications`: the OAuth clients that act for members. What a change may be is decided in `app::applications`.

mod secrets;

use app::App;
use app::applications::{
    APPLICATION_BYTES_AT_MOST, AddApplicationError, ApplicationAction, ApplicationActionRequest,
    ApplicationDto, ApplicationPatch, ApplicationRequest, ChangeApplicationError,
    RemoveApplicationError, add_application, application_json, change_application,
    count_applications, disable_application, enable_application, find_application,
    page_of_applications, remove_application,
};
use app::roles::Actor;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::{Client, Scope};
use secrecy::ExposeSecret as _;
use serde_json::Value;
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
pub(crate) use secrets::AddedSecretDto;

const PATH: &str = "/v1/applications";

app::dto! {
    /// A new application, with its secret.
    pub(crate) struct AddedApplicationDto: "added_client" {
        ..application: ApplicationDto,
        /// The secret's id; null for a public application.
        secret_id: Option<String>,
        /// The secret; null for a public application. Assay shows it once.
        client_secret: Option<String>,
    }
}

pub(crate) fn routes() -> Routes {
    Routes::under("Applications")
        .at(
            PATH,
            [
                get(
                    list,
                    asked("list_applications", "List the applications").answers_pages_of("client"),
                ),
                post(
                    add,
                    asked("add_application", "Register an application")
                        .takes_request::<ApplicationRequest>()
                        .answers_dto::<AddedApplicationDto>(201)
                        .with_header(201, "Location"),
                ),
            ],
        )
        .at(
            "/v1/applications/{id}",
            [
                get(
                    show,
                    asked("get_application", "Read an application")
                        .answers_tagged(200, "client")
                        .with_shared("if_none_match_or_not")
                        .answers_not_modified(),
                ),
                patch(
                    change,
                    asked("change_application", "Change an application by a merge patch")
                        .if_match()
                        .takes_request::<ApplicationPatch>()
                        .answers_tagged(200, "client")
                        .may_be(&[409]),
                ),
                delete(
                    remove,
                    asked("remove_application", "Remove an application with its tokens")
                        .if_match_is_heeded()
                        .answers_nothing()
                        .may_be(&[409]),
                ),
            ],
        )
        .at(
            "/v1/applications/{id}/actions",
            [post(
                act,
                asked("act_on_application", "Switch an application off, or on again")
                    .if_match_is_heeded()
                    .takes_request::<ApplicationActionRequest>()
                    .answers_tagged(200, "client"),
            )],
        )
        .merge(secrets::routes())
        .with_bodies_of_at_most(APPLICATION_BYTES_AT_MOST)
}

fn asked(id: &str, summary: &str) -> Operation {
    Operation::new(id, summary).needs(Scope::MembersWrite, "admin of the server")
}

async fn list(State(app): State<App>, caller: Caller, paging: Paging) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let applications = page_of_applications(&app, &by, paging.to_page()).await?;
    let total = count_applications(&app, &by).await?;
    let body: Value = applications.iter().map(application_json).collect();
    Ok(answer_page(&app, paging, PATH, total, body))
}

async fn add(
    State(app): State<App>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let wanted: ApplicationRequest = sent(request).await?;
    let added = add_application(&app, &by, wanted.into()).await.map_err(|error| match error {
        AddApplicationError::Fault(fault) => Problem::faults(&[fault.placed()]),
        AddApplicationError::Role(error) => error.into(),
        AddApplicationError::Storage(error) => error.into(),
    })?;
    let registered = ApplicationDto::from(&known(&app, &by, added.client_id.as_str()).await?);
    let client_secret = added.client_secret.map(|secret| secret.expose_secret().to_owned());
    let body =
        AddedApplicationDto { application: registered, secret_id: added.secret_id, client_secret };
    Ok(located(answer(StatusCode::CREATED, body), &app, &format!("{PATH}/{}", added.client_id)))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_none_match: IfNoneMatch,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    Ok(answer_unless_known(&if_none_match, application_json(&known(&app, &by, &id).await?)))
}

async fn change(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Result<IfMatch, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let client = known(&app, &by, &id).await?;
    if_match?.check(&application_json(&client))?;
    let patch: ApplicationPatch = sent(request).await?;
    let outcome = change_application(&app, &by, &client, patch.into()).await;
    let now = application_json(&known(&app, &by, &id).await?);
    outcome.map_err(|error| match error {
        ChangeApplicationError::OtherApplication => changed_meanwhile(&now),
        ChangeApplicationError::Declared => declared(&error),
        ChangeApplicationError::Fault(fault) => Problem::faults(&[fault.placed()]),
        ChangeApplicationError::Role(error) => error.into(),
        ChangeApplicationError::Storage(error) => error.into(),
    })?;
    Ok(answer_tagged(StatusCode::OK, now))
}

async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Option<IfMatch>,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let client = known(&app, &by, &id).await?;
    check_if_told(if_match, &application_json(&client))?;
    remove_application(&app, &by, &client).await.map_err(|error| match error {
        RemoveApplicationError::UnknownApplication => Problem::not_found(),
        RemoveApplicationError::Declared => declared(&error),
        RemoveApplicationError::BuiltIn => {
            Problem::new(ProblemCode::BuiltInApplication, error.to_string())
        }
        RemoveApplicationError::Role(error) => error.into(),
        RemoveApplicationError::Storage(error) => error.into(),
    })?;
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
    let client = known(&app, &by, &id).await?;
    check_if_told(if_match, &application_json(&client))?;
    let ApplicationActionRequest { action } = sent(request).await?;
    match action {
        ApplicationAction::Disable => disable_application(&app, &by, &client.client_id).await?,
        ApplicationAction::Enable => enable_application(&app, &by, &client.client_id).await?,
    };
    Ok(answer_tagged(StatusCode::OK, application_json(&known(&app, &by, &id).await?)))
}

async fn known(app: &App, actor: &Actor, id: &str) -> Result<Client, Problem> {
    let id = id.parse().map_err(|_| Problem::not_found())?;
    find_application(app, actor, &id).await?.ok_or_else(Problem::not_found)
}

/// What a project file says would come back at the next publish.
fn declared(why: &impl std::fmt::Display) -> Problem {
    Problem::new(ProblemCode::DeclaredInProjectFile, why.to_string())
}
