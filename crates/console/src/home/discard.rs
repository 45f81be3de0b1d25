//! `/projects/{id}/discard`: a member is asked before the draft becomes what is live.

use app::App;
use app::drafts::{
    ExpectedVersion, OpenedDraft, UnreadableDraft, discard_draft, find_readable_draft,
};
use app::roles::{Actor, rights_of};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, ProjectId};
use serde_json::Value;
use web::{FormTargets, Session};

use crate::address::Path;
use crate::caller::{FormCaller, PageCaller};
use crate::edit::refused;
use crate::frame::{Frame, NavigationTab};
use crate::home::draft::{DraftPanel, no_discarding};
use crate::home::path;
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::words::sentence;

#[derive(Template)]
#[template(path = "discard.html")]
struct DiscardPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    draft: DraftPanel,
    /// Whether anything is live.
    is_live: bool,
    faults: &'a [Fault],
}

/// The same where nothing can tell what the draft changes.
#[derive(Template)]
#[template(path = "discard_unreadable.html")]
struct UnreadablePage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    tag: &'a str,
    why: String,
    /// Why this member does not discard it, if so.
    no_discarding: Option<&'static str>,
    /// Whether anything is live.
    is_live: bool,
    faults: &'a [Fault],
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    answer((&app, &session, &actor), id, StatusCode::OK, &[]).await
}

pub(super) async fn submit(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let tag = Value::from(fields.get("draft"));
    let expected = ExpectedVersion::new(move |current| *current == tag);
    match discard_draft(&app, &actor, id, expected).await {
        Ok(()) => Ok(Redirect::to(&format!("{}?done=discarded", path(id))).into_response()),
        Err(error) => {
            let (status, faults) = refused(error)?;
            answer((&app, &session, &actor), id, status, &faults).await
        }
    }
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    id: ProjectId,
    status: StatusCode,
    faults: &[Fault],
) -> Result<Response, Refusal> {
    if let OpenedDraft::Unreadable(draft) = find_readable_draft(app, actor, id).await? {
        return answer_unreadable((app, session, actor), (id, &draft), status, faults).await;
    }
    let (draft, panel) = DraftPanel::read(app, session, actor, id).await?;
    let template = DiscardPage {
        frame: Frame::new(session, NavigationTab::Projects),
        project: ProjectFrame::of(app, actor, id, Tab::Overview).await?,
        path: path(id),
        is_live: draft.head.live_revision.is_some(),
        draft: panel,
        faults,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}

async fn answer_unreadable(
    (app, session, actor): (&App, &Session, &Actor),
    (id, draft): (ProjectId, &UnreadableDraft),
    status: StatusCode,
    faults: &[Fault],
) -> Result<Response, Refusal> {
    let rights = rights_of(app, session.member.id).await?;
    let template = UnreadablePage {
        frame: Frame::new(session, NavigationTab::Projects),
        project: ProjectFrame::of(app, actor, id, Tab::Overview).await?,
        path: path(id),
        tag: &draft.tag,
        why: sentence(&draft.why),
        no_discarding: no_discarding(&rights, id, draft.head().managed_by),
        is_live: draft.head().live_revision.is_some(),
        faults,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}
