//! `/projects/{id}/history/{number}`: a revision, and a form that puts it into the draft. Nothing of it is live before a member publishes.

use app::App;
use app::drafts::{
    EditError, ExpectedVersion, Removal, Replacement, find_readable_draft, replace_document,
};
use app::revisions::{find_revision_document, find_revision_line};
use app::roles::{Actor, Permission, rights_of};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, ProjectId};
use serde_json::Value;
use storage::ManagedBy;
use web::{FormTargets, Session};

use crate::address::Path;
use crate::caller::{FormCaller, PageCaller};
use crate::edit::refused;
use crate::frame::{Frame, NavigationTab};
use crate::history::{ShownRevision, path};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "history/revision.html")]
struct RevisionPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    revision: ShownRevision,
    /// The tag of the draft that the form replaces.
    tag: String,
    /// Why this member does not restore it, if so.
    no_restoring: Option<&'static str>,
    faults: &'a [Fault],
}

/// Who looks at which revision.
struct RestoreContext<'a> {
    app: &'a App,
    session: &'a Session,
    actor: &'a Actor,
    id: ProjectId,
    number: u32,
}

pub(super) async fn show(
    State(app): State<App>,
    Path((id, number)): Path<(ProjectId, u32)>,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let context = RestoreContext { app: &app, session: &session, actor: &actor, id, number };
    context.answer(StatusCode::OK, &[]).await
}

/// `POST /projects/{id}/history/{number}/restore`
pub(super) async fn submit(
    State(app): State<App>,
    Path((id, number)): Path<(ProjectId, u32)>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let context = RestoreContext { app: &app, session: &session, actor: &actor, id, number };
    match context.restore(fields.get("draft")).await {
        Ok(()) => Ok(Redirect::to(&format!("{}?done=restored", path(id))).into_response()),
        Err(error) => {
            let (status, faults) = refused(error)?;
            context.answer(status, &faults).await
        }
    }
}

impl RestoreContext<'_> {
    /// Replaces the draft that has this tag.
    async fn restore(&self, tag: &str) -> Result<(), EditError> {
        let Self { app, actor, id, number, .. } = *self;
        let revision = find_revision_document(app, actor, id, number).await?;
        let tag = Value::from(tag);
        let document = serde_json::to_value(&*revision.project);
        let replacement = Replacement {
            document: document.expect("a project is always JSON"),
            removal: Removal::Wanted,
            expected: ExpectedVersion::new(move |current| *current == tag),
        };
        replace_document(app, actor, id, replacement).await.map(drop)
    }

    async fn answer(&self, status: StatusCode, faults: &[Fault]) -> Result<Response, Refusal> {
        let Self { app, session, actor, id, number } = *self;
        let draft = find_readable_draft(app, actor, id).await?;
        let line = find_revision_line(app, actor, id, number).await?;
        let template = RevisionPage {
            frame: Frame::new(session, NavigationTab::Projects),
            project: ProjectFrame::of(app, actor, id, Tab::History).await?,
            path: path(id),
            revision: ShownRevision::of(line, draft.head().live_revision),
            tag: draft.tag().to_owned(),
            no_restoring: self.no_restoring(draft.head().managed_by).await?,
            faults,
        };
        Ok(page(status, &template, FormTargets::OwnPages))
    }

    async fn no_restoring(&self, managed_by: ManagedBy) -> Result<Option<&'static str>, Refusal> {
        if managed_by == ManagedBy::File {
            return Ok(Some(
                "A project file manages this project: members change that file, and the console shows what it says.",
            ));
        }
        let rights = rights_of(self.app, self.session.member.id).await?;
        let may = rights.include(Some(self.id), Permission::WriteDraft);
        Ok((!may)
            .then_some("Your role lets you read this project. Its editors can restore a revision."))
    }
}
