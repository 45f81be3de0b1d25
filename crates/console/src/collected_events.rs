//! `/projects/{id}/collected-events`: how many events of a project are kept, what is kept of one visitor, and the end of either. For members
//! who may delete them; `/projects/{id}/events` is the list of the events that the project names.

mod acts;

use app::App;
use app::events::{KeptEvents, count_events};
use app::numerals::quantity;
use app::roles::Actor;
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use domain::ProjectId;
use oauth::Moment;
use storage::EventWeight;
use web::{FormTargets, Session};

use crate::address::Path;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::message::{Message, Messages};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "collected_events.html")]
struct CollectedEventsPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    /// How many there are.
    events: String,
    newest: Option<Moment>,
    days: Option<u32>,
    feedback: Feedback<'a>,
}

const MESSAGES: Messages = Messages {
    done: &[
        ("deleted", "These events are deleted. The audit log says how many they were."),
        ("none", "There were no such events."),
    ],
    problems: &[],
};

/// What the answer to a form adds to the page.
#[derive(Default)]
struct Feedback<'a> {
    message: Option<Message>,
    /// Why nothing, or not all, was done.
    alert: Option<String>,
    /// The visitor and the day as the member typed them.
    visitor: &'a str,
    is_number: bool,
    before: &'a str,
    /// Whether the form that deletes events of all visitors was refused.
    is_deletion: bool,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/collected-events", get(show))
        .route("/projects/{id}/collected-events/download", post(acts::submit_download))
        .route("/projects/{id}/collected-events/forget", post(acts::submit_forget))
        .route("/projects/{id}/collected-events/delete", post(acts::submit_deletion))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let feedback = Feedback { message: MESSAGES.named(query.as_deref()), ..Feedback::default() };
    answer((&app, &session, &actor), id, (StatusCode::OK, feedback)).await
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    id: ProjectId,
    (status, feedback): (StatusCode, Feedback<'_>),
) -> Result<Response, Refusal> {
    let project = ProjectFrame::of(app, actor, id, Tab::Settings).await?;
    let KeptEvents { weight: EventWeight { events, newest_at }, days } =
        count_events(app, actor, id).await?;
    let template = CollectedEventsPage {
        frame: Frame::new(session, NavigationTab::Projects).with_message(feedback.message),
        project,
        path: path(id),
        events: quantity(events, "event", "events"),
        newest: newest_at.map(Moment::from),
        days,
        feedback,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}

/// The address of the page.
pub(crate) fn path(id: ProjectId) -> String {
    format!("/projects/{id}/collected-events")
}
