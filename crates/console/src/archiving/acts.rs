//! What members do on the page: they archive the project, restore it, or delete it for good.

use app::App;
use app::deleted_projects::{DeleteProjectError, delete_project};
use app::drafts::{EditError, ExpectedVersion};
use app::resources::{ActionError, Archiving, archive_project};
use app::roles::Actor;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::ProjectId;
use storage::StorageError;
use web::Session;

use super::{Feedback, answer, path};
use crate::address::Path;
use crate::caller::FormCaller;
use crate::edit;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::words::{fault_with_hint, sentence};

/// `POST /projects/{id}/archiving/archive`
pub(super) async fn submit_archive(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    act((&app, &session, &actor), id, (Archiving::Archive, "archived")).await
}

/// `POST /projects/{id}/archiving/restore`
pub(super) async fn submit_restore(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    act((&app, &session, &actor), id, (Archiving::Restore, "restored")).await
}

async fn act(
    (app, session, actor): (&App, &Session, &Actor),
    id: ProjectId,
    (archiving, done): (Archiving, &str),
) -> Result<Response, Refusal> {
    let (status, alert) =
        match archive_project(app, actor, id, archiving, ExpectedVersion::any()).await {
            // The transition is not possible after a double click, or where another member was faster.
            Ok(_) | Err(ActionError::InvalidTransition { .. }) => {
                return Ok(Redirect::to(&format!("{}?done={done}", path(id))).into_response());
            }
            Err(ActionError::Edit(error)) => refused(error)?,
            Err(error @ (ActionError::InUse(_) | ActionError::Compile(_))) => {
                (StatusCode::CONFLICT, sentence(&error.to_string()))
            }
        };
    let feedback = Feedback { alert: Some(alert), ..Feedback::default() };
    answer((app, session, actor), id, (status, feedback)).await
}

/// `POST /projects/{id}/archiving/delete`: leads to the list of projects, as the page is gone.
pub(super) async fn submit_deletion(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    // A member who may not read the project is not told whether there is one.
    ProjectFrame::of(&app, &actor, id, Tab::Settings).await?;
    let key = fields.get("key").trim();
    let (status, alert) =
        match delete_project(&app, &actor, id, (key, ExpectedVersion::any())).await {
            Ok(()) => return Ok(Redirect::to("/?done=deleted").into_response()),
            Err(DeleteProjectError::Edit(error)) => refused(error)?,
            Err(DeleteProjectError::OtherKey) => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "This is not the key of the project. Nothing was deleted.".to_owned(),
            ),
            Err(error @ DeleteProjectError::NotArchived) => {
                (StatusCode::CONFLICT, sentence(&error.to_string()))
            }
            Err(DeleteProjectError::Files(error)) => return Err(StorageError::from(error).into()),
        };
    let feedback = Feedback { alert: Some(alert), is_deletion: true, ..Feedback::default() };
    answer((&app, &session, &actor), id, (status, feedback)).await
}

/// Why the draft was not changed, in words.
fn refused(error: EditError) -> Result<(StatusCode, String), Refusal> {
    let (status, faults) = edit::refused(error)?;
    Ok((status, faults.iter().map(fault_with_hint).collect::<Vec<_>>().join(" ")))
}
