//! `/projects/{id}/discard`: a member is asked before the draft becomes what is live.

use app::App;
use app::drafts::{ExpectedVersion, discard_draft};
use app::roles::Actor;
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
use crate::frame::{Frame, Place};
use crate::home::draft::DraftPanel;
use crate::home::path;
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

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
    let (draft, panel) = DraftPanel::read(app, session, actor, id).await?;
    let template = DiscardPage {
        frame: Frame::new(session, Place::Projects),
        project: ProjectFrame::of(app, actor, id, Tab::Overview).await?,
        path: path(id),
        is_live: draft.head.live_revision.is_some(),
        draft: panel,
        faults,
    };
    Ok(page(status, &template, FormTargets::OwnPages))
}
