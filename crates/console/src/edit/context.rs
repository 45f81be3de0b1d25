//! Where a member edits: the project with its draft, and whether this member may change it.

use std::sync::Arc;

use app::App;
use app::drafts::{Draft, readable_draft};
use app::roles::{Actor, Permission, rights_of};
use domain::ProjectId;
use storage::ManagedBy;
use web::Session;

use crate::edit::Editor;
use crate::project_frame::ProjectFrame;
use crate::refusal::Refusal;

/// A project at which a member edits.
pub(crate) struct EditContext {
    pub(crate) id: ProjectId,
    pub(crate) draft: Arc<Draft>,
    /// Why the member only reads, if so.
    pub(crate) only_reads: Option<&'static str>,
}

/// The way to a page of an editor.
pub(super) struct At<'a> {
    pub(super) app: &'a App,
    pub(super) editor: &'static Editor,
    pub(super) session: &'a Session,
    pub(super) actor: &'a Actor,
    pub(super) context: &'a EditContext,
    /// The page's own address.
    pub(super) path: &'a str,
}

impl EditContext {
    pub(crate) async fn open(
        app: &App,
        session: &Session,
        actor: &Actor,
        id: ProjectId,
    ) -> Result<Self, Refusal> {
        let draft = readable_draft(app, actor, id).await?;
        let rights = rights_of(app, session.member.id).await?;
        let may_write = rights.include(Some(id), Permission::WriteDraft);
        let only_reads = match (draft.head.managed_by, may_write) {
            (ManagedBy::File, _) => Some(
                "A project file manages this project: members change that file, and the console shows what it says.",
            ),
            (ManagedBy::Store, false) => Some(
                "Your role lets you read this project. Its editors can change it, and an admin can make you one.",
            ),
            (ManagedBy::Store, true) => None,
        };
        Ok(Self { id, draft, only_reads })
    }

    pub(crate) async fn frame(
        &self,
        app: &App,
        actor: &Actor,
        editor: &Editor,
    ) -> Result<ProjectFrame, Refusal> {
        ProjectFrame::of(app, actor, self.id, editor.tab).await
    }
}
