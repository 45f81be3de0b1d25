//! `/projects/{id}/pause`: a member is asked before every campaign that runs is paused.

use app::App;
use app::campaigns::{list_running_campaigns, pause_all_campaigns};
use app::resources::ActionError;
use app::roles::Actor;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, Pointer, ProjectId};
use web::{FormTargets, Session};

use crate::caller::{FormCaller, PageCaller};
use crate::edit::refused;
use crate::frame::{Frame, Place};
use crate::home::draft::DraftPanel;
use crate::home::path;
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "pause.html")]
struct PausePage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    /// The titles of those that run.
    running: Vec<String>,
    /// Why this member does not pause them, if so.
    no_publishing: Option<&'static str>,
    faults: &'a [Fault],
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let id: ProjectId = id.parse().map_err(|_| Refusal::NoSuchPage)?;
    answer((&app, &session, &actor), id, StatusCode::OK, &[]).await
}

pub(super) async fn submit(
    State(app): State<App>,
    Path(id): Path<String>,
    FormCaller { session, actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let id: ProjectId = id.parse().map_err(|_| Refusal::NoSuchPage)?;
    let (status, faults) = match pause_all_campaigns(&app, &actor, id).await {
        Ok(paused) => {
            let done = if paused.revision.is_some() { "paused" } else { "none-ran" };
            return Ok(Redirect::to(&format!("{}?done={done}", path(id))).into_response());
        }
        Err(ActionError::Edit(error)) => refused(error)?,
        Err(
            error @ (ActionError::InvalidTransition { .. }
            | ActionError::InUse(_)
            | ActionError::Compile(_)),
        ) => {
            let fault = Fault::error("not_paused", Pointer::root(), error.to_string());
            (StatusCode::CONFLICT, vec![fault])
        }
    };
    answer((&app, &session, &actor), id, status, &faults).await
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    id: ProjectId,
    status: StatusCode,
    faults: &[Fault],
) -> Result<Response, Refusal> {
    let (_, panel) = DraftPanel::read(app, session, actor, id).await?;
    let template = PausePage {
        frame: Frame::new(session, Place::Projects),
        project: ProjectFrame::of(app, actor, id, Tab::Overview).await?,
        path: path(id),
        running: list_running_campaigns(app, actor, id).await?,
        no_publishing: panel.no_publishing,
        faults,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}
