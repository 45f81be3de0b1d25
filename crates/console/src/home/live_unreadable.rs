//! A project's home where what is live cannot be read, as after a change of the rules: the draft, or an earlier revision, takes its place. Nothing
//! tells what that changes.

use app::App;
use app::drafts::readable_draft;
use app::roles::{Actor, rights_of};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use web::{FormTargets, Session};

use crate::frame::{Frame, NavigationTab};
use crate::home::draft::no_publishing;
use crate::home::{Feedback, path};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::words::sentence;

#[derive(Template)]
#[template(path = "live_unreadable.html")]
struct UnreadablePage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    why: String,
    /// Tells whether another member has changed the draft since.
    tag: &'a str,
    /// Why this member does not publish, if so.
    no_publishing: Option<&'static str>,
    feedback: &'a Feedback<'a>,
}

/// Where the draft cannot be read either, the refusal says so.
pub(super) async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    (id, why): (ProjectId, String),
    status: StatusCode,
    feedback: &Feedback<'_>,
) -> Result<Response, Refusal> {
    let draft = readable_draft(app, actor, id).await?;
    let rights = rights_of(app, session.member.id).await?;
    let template = UnreadablePage {
        frame: Frame::new(session, NavigationTab::Projects),
        project: ProjectFrame::of(app, actor, id, Tab::Overview).await?,
        path: path(id),
        why: sentence(&why),
        tag: &draft.tag,
        no_publishing: no_publishing(&rights, id, draft.head.managed_by),
        feedback,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}
