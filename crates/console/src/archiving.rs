//! `/projects/{id}/archiving`: a member archives a project, or restores it; an owner of the server deletes an archived one for good.

mod acts;
mod note;

use app::App;
use app::drafts::readable_draft;
use app::projects::project_access;
use app::roles::{Actor, Permission};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use domain::ProjectId;
use web::{FormTargets, Session};

use crate::address::Path;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::message::{Message, Messages};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
pub(crate) use note::archived_note;

#[derive(Template)]
#[template(path = "archiving.html")]
struct ArchivingPage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    is_archived: bool,
    is_managed_by_file: bool,
    allowed: Allowed,
    feedback: Feedback,
}

/// What the member may do.
struct Allowed {
    to_write: bool,
    to_delete: bool,
}

const MESSAGES: Messages = Messages {
    done: &[
        (
            "archived",
            "The project is archived in the draft. Visitors get an empty snippet once that is published.",
        ),
        (
            "restored",
            "The project is restored in the draft. Visitors meet its campaigns again once that is published.",
        ),
    ],
    problems: &[],
};

/// What the answer to a form adds to the page.
#[derive(Default)]
struct Feedback {
    message: Option<Message>,
    /// Why nothing was done.
    alert: Option<String>,
    /// Whether the form that deletes the project was refused.
    is_deletion: bool,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/archiving", get(show))
        .route("/projects/{id}/archiving/archive", post(acts::submit_archive))
        .route("/projects/{id}/archiving/restore", post(acts::submit_restore))
        .route("/projects/{id}/archiving/delete", post(acts::submit_deletion))
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
    (status, feedback): (StatusCode, Feedback),
) -> Result<Response, Refusal> {
    let project = ProjectFrame::of(app, actor, id, Tab::Settings).await?;
    let draft = readable_draft(app, actor, id).await?;
    let access = project_access(app, session.member.id, id).await?.ok_or(Refusal::NoSuchPage)?;
    let template = ArchivingPage {
        frame: Frame::new(session, NavigationTab::Projects).with_message_of(id, feedback.message),
        project,
        path: path(id),
        is_archived: draft.project.archived,
        is_managed_by_file: access.is_managed_by_file(),
        allowed: Allowed {
            to_write: access.has(Permission::WriteDraft),
            to_delete: access.has(Permission::DeleteProjects),
        },
        feedback,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}

/// The address of the page.
pub(crate) fn path(id: ProjectId) -> String {
    format!("/projects/{id}/archiving")
}
