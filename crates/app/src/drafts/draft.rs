//! The draft of a project, read and understood.

use std::sync::Arc;

use domain::{Fault, Project, ProjectId, SharedDocument};
use sha2::{Digest as _, Sha256};
use storage::{DraftDocument, ProjectHead, StorageError, StoredDraft};

use crate::App;
use crate::documents::{CheckedProject, read_stored};

/// A valid draft. Its large parts never change, and are shared.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Where the project stands.
    pub head: ProjectHead,
    /// What the document says.
    pub project: Arc<Project>,
    /// What its authors may want to know.
    pub warnings: Vec<Fault>,
    /// The document with ids for references, every default written out.
    pub document: Arc<SharedDocument>,
    /// What the store has, or is to have: the document as text.
    text: Arc<str>,
    /// Tells this draft from all others of the project: an entity tag, in its quotes.
    pub tag: String,
}

impl Draft {
    /// The draft of a project that stands at `head`.
    pub(crate) fn new(head: ProjectHead, checked: CheckedProject) -> Self {
        let document = SharedDocument::of_project(&checked.project);
        let text = text_of(&document);
        Self::with(head, checked, document, text)
    }

    /// What the store has. Its tag is that of the stored text, whoever wrote it.
    fn stored(stored: StoredDraft) -> Result<Self, StorageError> {
        let StoredDraft { head, document: text } = stored;
        let checked = read_stored(&text)?;
        let document = SharedDocument::of_project(&checked.project);
        Ok(Self::with(head, checked, document, text))
    }

    /// What comes after this one, read from an edited copy of its document.
    pub(crate) fn next(&self, edited: &SharedDocument, checked: CheckedProject) -> Self {
        let document = SharedDocument::of_edited(&checked.project, edited, &self.document);
        let text = text_of(&document);
        let mut head = self.head;
        head.draft_version += 1;
        Self::with(head, checked, document, text)
    }

    fn with(
        head: ProjectHead,
        checked: CheckedProject,
        document: SharedDocument,
        text: String,
    ) -> Self {
        let CheckedProject { project, warnings } = checked;
        let tag = tag_of(&text);
        let (project, document) = (Arc::new(project), Arc::new(document));
        Self { head, project, warnings, document, text: text.into(), tag }
    }

    /// The same draft, of a project that stands elsewhere by now.
    pub(super) fn standing_at(&self, head: ProjectHead) -> Self {
        Self { head, ..self.clone() }
    }

    /// How long its text is.
    pub(super) fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// What is stored of it.
    pub(crate) fn to_store(&self) -> DraftDocument {
        DraftDocument {
            key: self.project.key.to_string(),
            name: self.project.name.clone(),
            is_archived: self.project.archived,
            document: self.text.to_string(),
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
    // Many may miss one draft at the same moment: those who come first read it for all.
    let turn = app.heavy_work().reading_turn().await;
    if let Some(draft) = app.drafts().find(id, head) {
        return Ok(Some(draft));
    }
    let Some(stored) = app.store().find_draft(id).await? else { return Ok(None) };
    // Large documents take milliseconds of pure computation: not on the async threads. The turn travels with the work: a caller that
    // goes away makes no room for more.
    let work = move || (Draft::stored(stored), turn);
    let (draft, _turn) = match tokio::task::spawn_blocking(work).await {
        Ok((draft, turn)) => (draft?, turn),
        Err(panic) => return Err(StorageError::corrupt(format!("draft: {panic}"))),
    };
    Ok(Some(app.drafts().put(draft)))
}

fn text_of(document: &SharedDocument) -> String {
    serde_json::to_string(document).expect("a document is always JSON")
}

/// 128 bits of a hash: no two drafts of a project ever have the same.
fn tag_of(text: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(text).into();
    let (first, _) = hash.split_first_chunk().expect("the tag is shorter than the hash");
    format!("\"{:032x}\"", u128::from_be_bytes(*first))
}
