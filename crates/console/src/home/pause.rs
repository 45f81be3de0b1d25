//! `/projects/{id}/pause`: a member is asked before every campaign that runs is paused.

use app::App;
use app::campaigns::{
    ScheduledStart, list_running_campaigns, list_scheduled_starts, pause_all_campaigns,
};
use app::resources::ActionError;
use app::roles::Actor;
use askama::Template;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, Pointer, ProjectId};
use oauth::Moment;
use web::{FormTargets, Session};

use crate::caller::{FormCaller, PageCaller};
use crate::edit::refused;
use crate::frame::{Frame, Place};
use crate::home::draft::DraftPanel;
use crate::home::path;
use crate::message::{Message, Messages};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

/// What the page says where campaigns start all the same; else the project's home says it.
const MESSAGES: Messages = Messages {
    done: &[
        ("paused", "Paused. Visitors see the site without these campaigns from now on."),
        ("none-ran", "No campaign ran any more, so nothing was paused."),
    ],
    problems: &[],
};

#[derive(Template)]
#[template(path = "pause.html")]
struct PausePage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    /// The titles of those that run.
    running: Vec<String>,
    /// What starts all the same.
    starts: Vec<StartLine>,
    /// Why this member does not pause them, if so.
    no_publishing: Option<&'static str>,
    faults: &'a [Fault],
}

struct StartLine {
    path: String,
    title: String,
    at: Moment,
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let id: ProjectId = id.parse().map_err(|_| Refusal::NoSuchPage)?;
    let message = MESSAGES.named(query.as_deref());
    answer((&app, &session, &actor), id, StatusCode::OK, (message, &[])).await
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
            let page = if paused.scheduled_starts.is_empty() { "" } else { "/pause" };
            return Ok(Redirect::to(&format!("{}{page}?done={done}", path(id))).into_response());
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
    answer((&app, &session, &actor), id, status, (None, &faults)).await
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    id: ProjectId,
    status: StatusCode,
    (message, faults): (Option<Message>, &[Fault]),
) -> Result<Response, Refusal> {
    let (_, panel) = DraftPanel::read(app, session, actor, id).await?;
    let line = |start: ScheduledStart| StartLine {
        path: format!("{}/campaigns/{}", path(id), start.campaign),
        title: start.title,
        at: Moment::from(start.starts_at),
    };
    let starts = list_scheduled_starts(app, actor, id).await?;
    let template = PausePage {
        frame: Frame::new(session, Place::Projects).with_message(message),
        project: ProjectFrame::of(app, actor, id, Tab::Overview).await?,
        path: path(id),
        running: list_running_campaigns(app, actor, id).await?,
        starts: starts.into_iter().map(line).collect(),
        no_publishing: panel.no_publishing,
        faults,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}
