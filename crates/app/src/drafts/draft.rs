//! The draft of a project, parsed and validated.

use std::mem;
use std::sync::Arc;

use domain::{Fault, Project, ProjectId, SharedDocument};
use oauth::Timestamp;
use serde_json::Value;
use storage::{DraftChanges, DraftDocument, ProjectHead, ResourceStamp, StorageError, StoredDraft};

use crate::App;
use crate::computation::compute;
use crate::documents::{
    CheckedProject, Live, ResourceKind, Stamps, StoredDocument, changes_between, patch_between,
    read_stored, tag_of,
};
use crate::drafts::{EditError, UnreadableDraft};
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
    /// Whether it stands in for a draft that cannot be read.
    is_stand_in: bool,
}

/// The draft of a project, as the store has it.
#[derive(Debug, Clone)]
pub enum OpenedDraft {
    /// It can be read.
    Read(Arc<Draft>),
    /// It cannot.
    Unreadable(Box<UnreadableDraft>),
}

impl OpenedDraft {
    /// The project's versions and live revision.
    #[must_use]
    pub fn head(&self) -> ProjectHead {
        match self {
            Self::Read(draft) => draft.head,
            Self::Unreadable(draft) => draft.head(),
        }
    }

    /// The entity tag of the draft, in its quotes.
    #[must_use]
    pub fn tag(&self) -> &str {
        match self {
            Self::Read(draft) => &draft.tag,
            Self::Unreadable(draft) => &draft.tag,
        }
    }

    /// The draft; the reason if it cannot be read.
    fn read(self) -> Result<Arc<Draft>, StorageError> {
        match self {
            Self::Read(draft) => Ok(draft),
            Self::Unreadable(draft) => Err(StorageError::Document(draft.why)),
        }
    }
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
    fn stored(id: ProjectId, stored: &mut StoredDraft) -> Result<Self, StorageError> {
        let checked = read_stored(StoredDocument::Draft(id), &stored.document)?;
        let (text, stamps) = (mem::take(&mut stored.document), mem::take(&mut stored.stamps));
        let tag = tag_of(&text);
        Ok(Self::of_parts(stored.head, checked, (text, tag), Stamps::stored(stamps)))
    }

    /// Another state of the project, with the head, the tag and the stamps of a stored draft that cannot be read.
    pub(super) fn standing_in(project: Project, stored: StoredDraft, tag: String) -> Self {
        let StoredDraft { head, document: text, stamps, .. } = stored;
        let checked = CheckedProject { project, warnings: Vec::new() };
        let draft = Self::of_parts(head, checked, (text, tag), Stamps::stored(stamps));
        Self { is_stand_in: true, ..draft }
    }

    fn of_parts(
        head: ProjectHead,
        CheckedProject { project, warnings }: CheckedProject,
        (text, tag): (String, String),
        stamps: Stamps,
    ) -> Self {
        let document = Arc::new(SharedDocument::of_project(&project));
        let (project, text, changes) = (Arc::new(project), text.into(), no_changes());
        let (stamps, is_stand_in) = (Arc::new(stamps), false);
        Self { head, project, warnings, document, text, tag, stamps, changes, is_stand_in }
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
        let is_stand_in = false;
        Self { head, project, warnings, document, text, tag, stamps, changes, is_stand_in }
    }

    /// The patch from this draft to the next one. One that cannot be read is replaced by all of it.
    pub(super) fn patch_to(&self, next: &SharedDocument) -> Value {
        let nothing = SharedDocument::default();
        patch_between(if self.is_stand_in { &nothing } else { &self.document }, next)
    }

    /// Whether a resource of this kind had this id in this draft or an earlier one. All that was ever published was.
    pub(super) fn had(&self, kind: ResourceKind, id: u64) -> bool {
        self.stamp_of(kind, &id.to_string()).is_some()
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
/// If the store does not answer, or the draft cannot be read.
pub async fn open_draft(app: &App, id: ProjectId) -> Result<Option<Arc<Draft>>, StorageError> {
    open_or_find_unreadable(app, id).await?.map(OpenedDraft::read).transpose()
}

/// The same for one who can do something about a draft that cannot be read.
pub(crate) async fn open_or_find_unreadable(
    app: &App,
    id: ProjectId,
) -> Result<Option<OpenedDraft>, StorageError> {
    let Some(head) = app.store().find_project(id).await? else { return Ok(None) };
    if let Some(draft) = app.caches().drafts.find(id, head) {
        return Ok(Some(OpenedDraft::Read(draft)));
    }
    // Many requests may need one draft at the same moment: the first few read it for all.
    let turn = app.heavy_work().reading_turn().await;
    if let Some(draft) = app.caches().drafts.find(id, head) {
        return Ok(Some(OpenedDraft::Read(draft)));
    }
    let Some(mut stored) = app.store().find_draft(id).await? else { return Ok(None) };
    // Large documents take milliseconds of computation, so they stay off the async threads. The turn travels with the work: a caller that
    // disconnects does not free its turn early.
    let work = move || (Draft::stored(id, &mut stored), stored, turn);
    let (draft, stored, _turn) = compute("read_draft", work)
        .await
        .map_err(|stopped| StoredDocument::Draft(id).stopped(stopped))?;
    Ok(Some(match draft {
        Ok(draft) => OpenedDraft::Read(app.caches().drafts.put(draft)),
        Err(error) => {
            let draft = UnreadableDraft::new(id, stored, error.to_string());
            OpenedDraft::Unreadable(Box::new(draft))
        }
    }))
}

fn no_changes() -> DraftChanges {
    DraftChanges { at: Timestamp::from_milliseconds(0), by: String::new(), changes: Vec::new() }
}
