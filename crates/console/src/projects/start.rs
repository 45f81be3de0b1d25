//! `/projects/new`: an owner of the server starts a project for a site, and goes on to install its snippet.

use app::App;
use app::projects::CreateProjectError;
use app::revisions::PublishDraftError;
use app::roles::{Permission, RoleError, rights_of};
use app::setup::{FirstProject, ProjectError, SetUpFault, StartProjectError, start_project};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use web::{FormTargets, Session};

use crate::caller::{FormCaller, PageCaller};
use crate::edit::refused;
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::refusal::Refusal;
use crate::set_up_faults::SetUpFaults;

#[derive(Template)]
#[template(path = "new_project.html")]
struct NewProjectPage<'a> {
    frame: Frame,
    form: FirstProject,
    faults: SetUpFaults<'a>,
    may_start: bool,
}

/// `GET /projects/new`
pub(super) async fn show(
    State(app): State<App>,
    PageCaller { session, .. }: PageCaller,
) -> Result<Response, Refusal> {
    let form = FirstProject { name: String::new(), key: String::new(), site: String::new() };
    answer(&app, &session, StatusCode::OK, (form, Vec::new())).await
}

/// `POST /projects/new/start`
pub(super) async fn submit(
    State(app): State<App>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let form = read(&fields);
    let (status, faults) = match start_project(&app, &actor, &form).await {
        Ok(id) => return Ok(Redirect::to(&format!("/projects/{id}/install")).into_response()),
        Err(StartProjectError::Invalid(faults)) => (StatusCode::UNPROCESSABLE_ENTITY, faults),
        Err(StartProjectError::Role(RoleError::Insufficient { .. } | RoleError::Scope(_))) => {
            (StatusCode::FORBIDDEN, Vec::new())
        }
        Err(
            StartProjectError::Role(RoleError::Storage(error)) | StartProjectError::Storage(error),
        ) => return Err(error.into()),
        Err(StartProjectError::Failed(error)) => return Err(failed(error)),
    };
    answer(&app, &session, status, (form, faults)).await
}

fn read(fields: &Fields) -> FirstProject {
    let field = |name| fields.get(name).to_owned();
    FirstProject { name: field("name"), key: field("key"), site: field("site") }
}

/// The form was right, so it is no fault of the member's.
fn failed(error: ProjectError) -> Refusal {
    let error = match error {
        ProjectError::Create(CreateProjectError::Edit(error))
        | ProjectError::Publish(PublishDraftError::Edit(error)) => error,
        ProjectError::Create(CreateProjectError::Taken(_) | CreateProjectError::Deleted(_))
        | ProjectError::Publish(PublishDraftError::Compile(_)) => return Refusal::Internal,
    };
    refused(error).err().unwrap_or(Refusal::Internal)
}

async fn answer(
    app: &App,
    session: &Session,
    status: StatusCode,
    (form, faults): (FirstProject, Vec<SetUpFault>),
) -> Result<Response, Refusal> {
    let rights = rights_of(app, session.member.id).await?;
    let template = NewProjectPage {
        frame: Frame::new(session, NavigationTab::Projects),
        form,
        faults: SetUpFaults(&faults),
        may_start: rights.include(None, Permission::CreateProjects),
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}
