//! The draft of a project, parsed and validated.

use std::sync::Arc;

use domain::{Fault, Project, ProjectId, SharedDocument};
use oauth::Timestamp;
use storage::{DraftChanges, DraftDocument, ProjectHead, ResourceStamp, StorageError, StoredDraft};

use crate::App;
use crate::computation::compute;
use crate::documents::{
    CheckedProject, Live, ResourceKind, Stamps, changes_between, read_stored, tag_of,
};
use crate::drafts::EditError;
use crate::roles::Author;

/// A valid draft. Its large parts are immutable and shared.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The project's versions and live revision.
    pub head: ProjectHead,
    /// The parsed document.
    pub project: Arc<Project>,
    /// Warnings for its authors.
    pub warnings: Vec<Fault>,
    /// The document with ids for references and all defaults written out.
    pub document: Arc<SharedDocument>,
    /// The document as text, as the store has it or will get it.
    text: Arc<str>,
    /// An entity tag that identifies this draft of the project, in its quotes.
    pub tag: String,
    stamps: Arc<Stamps>,
    /// What it changes in the draft before it; empty once stored.
    changes: DraftChanges,
}

impl Draft {
    /// The first draft of a project at `head`.
    pub(crate) fn new(head: ProjectHead, checked: CheckedProject, author: Author) -> Self {
        let document = SharedDocument::of_project(&checked.project);
        let nothing = SharedDocument::default();
        let changes = changes_between(&nothing, &document, Live::Nothing, author);
        Self::with(head, checked, document, (&Stamps::default(), changes))
    }

    /// Parses a stored draft. Its tag is that of the stored text, whichever server version wrote it.
    fn stored(stored: StoredDraft) -> Result<Self, StorageError> {
        let StoredDraft { head, document: text, stamps } = stored;
        let CheckedProject { project, warnings } = read_stored(&text)?;
        let document = Arc::new(SharedDocument::of_project(&project));
        let (tag, stamps) = (tag_of(&text), Arc::new(Stamps::stored(stamps)));
        let (project, text, changes) = (Arc::new(project), text.into(), no_changes());
        Ok(Self { head, project, warnings, document, text, tag, stamps, changes })
    }

    /// The next draft, when an author changes this one to this project while `live` is live.
    pub(crate) fn next(
        &self,
        mut checked: CheckedProject,
        (live, author): (Live<'_>, Author),
    ) -> Self {
        checked.project.share_campaigns_with(&self.project);
        let document = self.document_beside(&checked.project);
        let changes = changes_between(&self.document, &document, live, author);
        let mut head = self.head;
        head.draft_version += 1;
        Self::with(head, checked, document, (&self.stamps, changes))
    }

    /// The document of another state of the project.
    pub(crate) fn document_beside(&self, other: &Project) -> SharedDocument {
        SharedDocument::of_project_beside(other, (&self.project, &self.document))
    }

    fn with(
        head: ProjectHead,
        checked: CheckedProject,
        document: SharedDocument,
        (before, changes): (&Stamps, DraftChanges),
    ) -> Self {
        let CheckedProject { project, warnings } = checked;
        let text = serde_json::to_string(&document).expect("a document is always JSON");
        let (tag, stamps) = (tag_of(&text), Arc::new(before.after(&changes)));
        let (project, document, text) = (Arc::new(project), Arc::new(document), text.into());
        Self { head, project, warnings, document, text, tag, stamps, changes }
    }

    /// When the resource of this kind with this id was created and last changed, if that is known.
    pub(crate) fn stamp_of(&self, kind: ResourceKind, id: &str) -> Option<ResourceStamp> {
        self.stamps.of(kind, id)
    }

    /// The same for the project itself, which changes with everything in it.
    pub(crate) fn stamp_of_project(&self) -> Option<ResourceStamp> {
        self.stamps.of_project()
    }

    /// Refuses what starts or goes live while the project is archived.
    pub(crate) fn refuse_if_archived(&self) -> Result<(), EditError> {
        if self.project.archived { Err(EditError::Archived) } else { Ok(()) }
    }

    /// The same draft, marked as stored.
    pub(super) fn kept(self) -> Self {
        Self { changes: no_changes(), ..self }
    }

    /// The same draft, with the project's new head.
    pub(super) fn standing_at(&self, head: ProjectHead) -> Self {
        Self { head, ..self.clone() }
    }

    /// The length of its text.
    pub(super) fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// The part of it that the store saves.
    pub(crate) fn to_store(&self) -> DraftDocument {
        DraftDocument {
            key: self.project.key.to_string(),
            name: self.project.name.clone(),
            is_archived: self.project.archived,
            document: self.text.to_string(),
            changes: self.changes.clone(),
        }
    }
}

/// The draft of project `id`; `None` if there is no such project.
///
/// # Errors
/// If the store does not answer.
pub async fn open_draft(app: &App, id: ProjectId) -> Result<Option<Arc<Draft>>, StorageError> {
    let Some(head) = app.store().find_project(id).await? else { return Ok(None) };
    if let Some(draft) = app.drafts().find(id, head) {
        return Ok(Some(draft));
    }
    // Many requests may need one draft at the same moment: the first few read it for all.
    let turn = app.heavy_work().reading_turn().await;
    if let Some(draft) = app.drafts().find(id, head) {
        return Ok(Some(draft));
    }
    let Some(stored) = app.store().find_draft(id).await? else { return Ok(None) };
    // Large documents take milliseconds of computation, so they stay off the async threads. The turn travels with the work: a caller that
    // disconnects does not free its turn early.
    let work = move || (Draft::stored(stored), turn);
    let (draft, _turn) = match compute("read_draft", work).await {
        Ok((draft, turn)) => (draft?, turn),
        Err(panic) => return Err(StorageError::corrupt(format!("draft: {panic}"))),
    };
    Ok(Some(app.drafts().put(draft)))
}

fn no_changes() -> DraftChanges {
    DraftChanges { at: Timestamp::from_milliseconds(0), by: String::new(), changes: Vec::new() }
}
