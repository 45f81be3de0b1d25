//! `GET /projects/{id}`: a project's home: what is live, what the draft changes, and its campaigns. From here members publish and discard.

mod campaigns;
mod discard;
mod draft;
mod ended;
mod live;
mod live_unreadable;
mod pause;
mod publish;

use app::App;
use app::campaigns::{list_running_campaigns, list_scheduled_starts};
use app::drafts::ReadError;
use app::roles::{Actor, Permission};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use domain::{Fault, ProjectId};
use web::{FormTargets, Session};

use crate::address::Path;
use crate::caller::PageCaller;
use crate::first_steps::FirstSteps;
use crate::frame::{Frame, NavigationTab};
use crate::home::campaigns::CampaignRows;
use crate::home::draft::DraftPanel;
use crate::home::live::LivePanel;
use crate::message::{Message, Messages};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab, may};
use crate::refusal::Refusal;

/// What the page says after an act.
const MESSAGES: Messages = Messages {
    done: &[
        ("published", "Published. Visitors get it from now on."),
        (
            "published-with-warnings",
            "Published. Visitors may not get all of it: what is doubtful is told below.",
        ),
        ("already", "This is live already, so there was nothing to publish."),
        ("discarded", "Discarded. The draft is what is live."),
        ("paused", "Paused. Visitors see the site without these campaigns from now on."),
        ("none-ran", "No campaign ran any more, so nothing was paused."),
    ],
    problems: &[],
};

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    first_steps: FirstSteps,
    live: Option<LivePanel>,
    draft: DraftPanel,
    campaigns: CampaignRows<'a>,
    /// Whether any runs or starts by its schedule, and this member may hold it.
    may_pause: bool,
    may_read_results: bool,
    feedback: Feedback<'a>,
}

/// What the page says about a publication that was refused.
#[derive(Default)]
struct Feedback<'a> {
    faults: &'a [Fault],
    /// The message that the member typed.
    message: &'a str,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}", get(show))
        .route("/projects/{id}/publish", post(publish::submit))
        .route("/projects/{id}/discard", get(discard::show).post(discard::submit))
        .route("/projects/{id}/pause", get(pause::show).post(pause::submit))
        .route("/projects/{id}/pause/unschedule", post(pause::unschedule))
}

/// The address of a project's home.
pub(crate) fn path(id: ProjectId) -> String {
    format!("/projects/{id}")
}

/// Where on it the draft is published.
pub(crate) fn publishing_path(id: ProjectId) -> String {
    format!("{}#draft", path(id))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let message = MESSAGES.named(query.as_deref());
    answer((&app, &session, &actor), id, StatusCode::OK, (message, Feedback::default())).await
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    id: ProjectId,
    status: StatusCode,
    (message, feedback): (Option<Message>, Feedback<'_>),
) -> Result<Response, Refusal> {
    let (draft, panel) = match DraftPanel::read(app, session, actor, id).await {
        Err(Refusal::UnreadableDocument(why)) => {
            return live_unreadable::answer((app, session, actor), (id, why), status, &feedback)
                .await;
        }
        read => read?,
    };
    let template = HomePage {
        frame: Frame::new(session, NavigationTab::Projects).with_message(message),
        project: ProjectFrame::of(app, actor, id, Tab::Overview).await?,
        path: path(id),
        first_steps: FirstSteps::of(app, actor, id).await?,
        live: LivePanel::read(app, actor, (id, draft.head.live_revision)).await?,
        may_pause: panel.no_publishing.is_none() && has_to_pause(app, actor, id).await?,
        may_read_results: may(app, actor, id, Permission::ReadResults).await?,
        draft: panel,
        campaigns: CampaignRows::of(&draft.project),
        feedback,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}

/// Whether visitors meet a campaign, or will by its schedule.
async fn has_to_pause(app: &App, actor: &Actor, id: ProjectId) -> Result<bool, ReadError> {
    Ok(!list_running_campaigns(app, actor, id).await?.is_empty()
        || !list_scheduled_starts(app, actor, id).await?.is_empty())
}
