//! `GET /projects/{id}/history`: what was published when, by whom and why, newest first. From here members compare revisions, and restore one
//! into the draft.

mod compare;
mod edits;
mod restore;

use app::App;
use app::drafts::find_readable_draft;
use app::revisions::list_revision_lines;
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use domain::ProjectId;
use oauth::Moment;
use storage::{ListRange, RevisionLine};
use web::FormTargets;

use crate::address::Path;
use crate::caller::PageCaller;
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::message::Messages;
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::projects::kilobytes;
use crate::refusal::Refusal;

/// Revisions on a page: what a member can look through.
const PER_PAGE: u32 = 50;

/// What the page says after an act.
const MESSAGES: Messages = Messages {
    done: &[("restored", "Restored into the draft. Visitors get it when the draft is published.")],
    problems: &[],
};

#[derive(Template)]
#[template(path = "history/list.html")]
struct HistoryPage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    revisions: Vec<ShownRevision>,
    total: u64,
    earlier: Option<u32>,
    later: Option<u32>,
}

/// A revision as people read it.
struct ShownRevision {
    number: u32,
    published_machine: String,
    published_words: String,
    author: String,
    message: String,
    restored_from: Option<u32>,
    size: String,
    /// Whether visitors get it.
    is_live: bool,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/history", get(show))
        .route("/projects/{id}/history/changes", get(edits::show))
        .route("/projects/{id}/history/compare", get(compare::show))
        .route("/projects/{id}/history/{number}", get(restore::show))
        .route("/projects/{id}/history/{number}/restore", post(restore::submit))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let message = MESSAGES.named(query.as_deref());
    let query = Fields::read(query.unwrap_or_default().as_bytes());
    let number = query.ok_or(Refusal::UnreadableForm)?.get("page").parse().unwrap_or(1).max(1);
    let live = find_readable_draft(&app, &actor, id).await?.head().live_revision;
    let wanted = ListRange { page: number, per_page: PER_PAGE };
    let (lines, total) = list_revision_lines(&app, &actor, id, wanted).await?;
    let has_earlier = u64::from(number) * u64::from(PER_PAGE) < total;
    let template = HistoryPage {
        frame: Frame::new(&session, NavigationTab::Projects).with_message_of(id, message),
        project: ProjectFrame::of(&app, &actor, id, Tab::History).await?,
        path: path(id),
        revisions: lines.into_iter().map(|line| ShownRevision::of(line, live)).collect(),
        total,
        earlier: has_earlier.then(|| number.saturating_add(1)),
        later: (number > 1).then(|| number - 1),
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

impl ShownRevision {
    fn of(line: RevisionLine, live_number: Option<u32>) -> Self {
        let at = Moment::from(line.created_at);
        Self {
            number: line.number,
            published_machine: at.machine(),
            published_words: at.words(),
            author: line.author,
            message: line.message,
            restored_from: line.restored_from,
            size: kilobytes(line.brotli_bytes as usize),
            is_live: live_number == Some(line.number),
        }
    }
}

/// The address of a project's history.
fn path(id: ProjectId) -> String {
    format!("/projects/{id}/history")
}
