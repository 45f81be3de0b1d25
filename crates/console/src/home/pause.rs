//! `/projects/{id}/pause`: a member is asked before every campaign that runs is paused, and takes back the starts of those that are scheduled.

use app::App;
use app::campaigns::{
    ActedOnCampaigns, CampaignsAction, ScheduledStart, act_on_all_campaigns,
    list_running_campaigns, list_scheduled_starts,
};
use app::resources::ActionError;
use app::roles::Actor;
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, Pointer, ProjectId};
use oauth::Moment;
use web::{FormTargets, Session};

use crate::address::Path;
use crate::caller::{FormCaller, PageCaller};
use crate::edit::refused;
use crate::frame::{Frame, NavigationTab};
use crate::home::draft::DraftPanel;
use crate::home::path;
use crate::message::{Message, Messages};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

/// What the page says. Where no campaign starts all the same, the project's home says what was paused.
const MESSAGES: Messages = Messages {
    done: &[
        ("paused", "Paused. Visitors see the site without these campaigns from now on."),
        ("none-ran", "No campaign ran any more, so nothing was paused."),
        ("unscheduled", "Taken back. Campaigns start only when a member starts or schedules them."),
        ("none-started", "No start was to come any more, so nothing was taken back."),
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
    /// Why this member does neither, if so.
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
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let message = MESSAGES.named(query.as_deref());
    answer((&app, &session, &actor), id, StatusCode::OK, (message, &[])).await
}

pub(super) async fn submit(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    act(&app, id, caller, CampaignsAction::Pause).await
}

pub(super) async fn unschedule(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    act(&app, id, caller, CampaignsAction::Unschedule).await
}

async fn act(
    app: &App,
    id: ProjectId,
    FormCaller { session, actor, .. }: FormCaller,
    action: CampaignsAction,
) -> Result<Response, Refusal> {
    let (status, faults) = match act_on_all_campaigns(app, &actor, id, action).await {
        Ok(acted) => return Ok(Redirect::to(&place_after(action, id, &acted)).into_response()),
        Err(ActionError::Edit(error)) => refused(error)?,
        Err(
            error @ (ActionError::InvalidTransition { .. }
            | ActionError::InUse(_)
            | ActionError::Compile(_)),
        ) => {
            let fault = Fault::error("not_done", Pointer::root(), error.to_string());
            (StatusCode::CONFLICT, vec![fault])
        }
    };
    answer((app, &session, &actor), id, status, (None, &faults)).await
}

/// The page that says what is done, and what is still to do.
fn place_after(action: CampaignsAction, id: ProjectId, acted: &ActedOnCampaigns) -> String {
    let done = match (action, acted.revision) {
        (CampaignsAction::Pause, Some(_)) => "paused",
        (CampaignsAction::Pause, None) => "none-ran",
        (CampaignsAction::Unschedule, Some(_)) => "unscheduled",
        (CampaignsAction::Unschedule, None) => "none-started",
    };
    let page = match action {
        CampaignsAction::Pause if acted.scheduled_starts.is_empty() => "",
        CampaignsAction::Pause | CampaignsAction::Unschedule => "/pause",
    };
    format!("{}{page}?done={done}", path(id))
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
        frame: Frame::new(session, NavigationTab::Projects).with_message(message),
        project: ProjectFrame::of(app, actor, id, Tab::Overview).await?,
        path: path(id),
        running: list_running_campaigns(app, actor, id).await?,
        starts: starts.into_iter().map(line).collect(),
        no_publishing: panel.no_publishing,
        faults,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}
