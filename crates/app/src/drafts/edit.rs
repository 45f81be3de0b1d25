//! A change of a draft: read, change one resource, check the whole, store it if no other process was faster. Those who change the same
//! project at the same moment come one after the other (`queue.rs`), each on what the one before has left.

use std::sync::Arc;

use domain::{Fault, Pointer, ProjectId, SharedDocument, breaking_changes};
use serde_json::Value;
use snippet::CompileError;
use storage::{AuditEvent, ChangeDraft, ManagedBy, StorageError};
use thiserror::Error;

use crate::App;
use crate::documents::{Live, Place, check_shared, patch_between, seen_from};
use crate::drafts::{Draft, EditTurn, edit_turn, open_draft};
use crate::heavy_work::Overloaded;
use crate::publishing::{RevisionDocument, read_live};
use crate::roles::{Actor, Author, Permission, RoleError};

/// So many other processes would have to be faster, one after the other.
const TRIES: usize = 32;

/// Whether what is there is what whoever asks has seen.
pub type Seen = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

/// Why a draft was not changed. Nothing of the change stays.
#[derive(Debug, Error)]
pub enum EditError {
    /// There is no such project.
    #[error("there is no such project")]
    UnknownProject,
    /// The project has no such resource.
    #[error("the project has no such resource")]
    NotFound,
    /// What would come out is not right.
    #[error("what would come out is not right")]
    Faults(Vec<Fault>),
    /// It would change what visitors of a running experiment are drawn from, or take away what visitors get.
    #[error("visitors take part in what it would change")]
    Running(Vec<Fault>),
    /// The resource is not as whoever asks has seen it.
    #[error("it has changed since it was read")]
    Changed(Box<ChangedMeanwhile>),
    /// This is not possible in the state in which the resource is.
    #[error("{action} is not possible while it is {state}")]
    InvalidTransition {
        /// What was asked for.
        action: &'static str,
        /// The state.
        state: &'static str,
        /// What is possible.
        allowed: Vec<&'static str>,
    },
    /// There is such a project already.
    #[error("there is a project with this id already")]
    Taken,
    /// Nothing of the project is live.
    #[error("nothing of the project is live yet; publish it first")]
    NotPublished,
    /// A project file is the truth.
    #[error("the project is managed by a project file")]
    ManagedByFile,
    /// It does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The member may not do this.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// There is more to do than can be done soon.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Both states of a resource that somebody else has changed.
#[derive(Debug)]
pub struct ChangedMeanwhile {
    /// How it is now.
    pub current: Value,
    /// How it would be with what was asked for.
    pub yours: Option<Value>,
}

impl EditError {
    /// The resource is like this now; with what was asked for it would be `yours`.
    pub(crate) fn changed(current: Value, yours: Option<Value>) -> Self {
        Self::Changed(Box::new(ChangedMeanwhile { current, yours }))
    }
}

/// What a change has made of the document, and where.
pub(crate) struct Edit {
    /// The changed document, not checked yet.
    pub(crate) document: SharedDocument,
    /// What was changed.
    pub(crate) changed: Pointer,
    /// What kind of resource that is, in a word.
    pub(crate) word: &'static str,
}

/// Changes the draft of project `id`, and gives the new one with the place of what was changed. `change` may be called several times.
pub(crate) async fn edit_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    change: impl Fn(&Draft) -> Result<Edit, EditError> + Send + Sync + 'static,
) -> Result<(Arc<Draft>, Pointer), EditError> {
    let turn = edit_turn(app, actor, id, Permission::WriteDraft).await?;
    edit_in_turn(app, actor, id, &turn, change).await
}

/// The same, by somebody whose turn it is already.
pub(crate) async fn edit_in_turn(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    turn: &EditTurn<'_>,
    change: impl Fn(&Draft) -> Result<Edit, EditError> + Send + Sync + 'static,
) -> Result<(Arc<Draft>, Pointer), EditError> {
    let change = Arc::new(change);
    let author = actor.as_author(app).await?;
    for _ in 0..TRIES {
        let draft = editable_draft(app, actor, id, turn.permission()).await?;
        let next = next_of(app, &draft, Arc::clone(&change), author.clone()).await?;
        if next.has_new_code {
            actor.require_role(app, Some(id), Permission::WriteCode).await?;
        }
        if next.has_other_applications {
            actor.require_role(app, None, Permission::ManageApplications).await?;
        }
        let entry = actor.entry(app, AuditEvent::DraftChanged, (id, &next.entity), &next.patch);
        let stored = ChangeDraft {
            project_id: id,
            version: draft.head.draft_version,
            draft: next.draft.to_store(),
            entry,
        };
        if app.store().change_draft(stored).await?.is_some() {
            return Ok((app.drafts().put(next.draft), next.changed));
        }
    }
    Err(EditError::Storage(StorageError::Busy))
}

/// The draft that a change would make, which is not stored.
pub(super) async fn next_draft_of(
    app: &App,
    actor: &Actor,
    draft: &Arc<Draft>,
    change: Arc<impl Fn(&Draft) -> Result<Edit, EditError> + Send + Sync + 'static>,
) -> Result<Draft, EditError> {
    let author = actor.as_author(app).await?;
    Ok(next_of(app, draft, change, author).await?.draft)
}

/// Large documents take milliseconds of pure computation: not on the async threads.
async fn next_of(
    app: &App,
    draft: &Arc<Draft>,
    change: Arc<impl Fn(&Draft) -> Result<Edit, EditError> + Send + Sync + 'static>,
    author: Author,
) -> Result<NextDraft, EditError> {
    let live = read_live(app, draft.project.id, draft.head).await?;
    let before = Arc::clone(draft);
    tokio::task::spawn_blocking(move || next_draft(&before, live.as_deref(), &*change, author))
        .await?
}

/// The draft of a project that this actor may change in this way. Roles change while an editor waits: each try asks again.
pub(crate) async fn editable_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    permission: Permission,
) -> Result<Arc<Draft>, EditError> {
    actor.require(app, Some(id), permission).await?;
    let draft = open_draft(app, id).await?.ok_or(EditError::UnknownProject)?;
    match draft.head.managed_by {
        ManagedBy::Store => Ok(draft),
        ManagedBy::File => Err(EditError::ManagedByFile),
    }
}

/// The draft of a project that this member may read.
///
/// # Errors
/// [`EditError::UnknownProject`], [`EditError::Role`] or [`EditError::Storage`].
pub async fn readable_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Arc<Draft>, EditError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    open_draft(app, id).await?.ok_or(EditError::UnknownProject)
}

/// A draft that is right, but not stored yet.
struct NextDraft {
    draft: Draft,
    changed: Pointer,
    entity: String,
    patch: Value,
    has_new_code: bool,
    has_other_applications: bool,
}

fn next_draft(
    before: &Draft,
    live: Option<&RevisionDocument>,
    change: &(dyn Fn(&Draft) -> Result<Edit, EditError> + Send + Sync),
    author: Author,
) -> Result<NextDraft, EditError> {
    let Edit { document, changed, word } = change(before)?;
    let checked =
        check_shared(&document).map_err(|faults| EditError::Faults(seen_from(&changed, faults)))?;
    let project = &checked.project;
    if project.id != before.project.id {
        return Err(EditError::Faults(vec![other_project(before)]));
    }
    if let Some(live) = live {
        let dangers = breaking_changes(&live.project, project);
        if !dangers.is_empty() {
            return Err(EditError::Running(seen_from(&changed, dangers)));
        }
    }
    let has_new_code = !project.privileged().is_subset(&before.project.privileged());
    let has_other_applications = project.applications != before.project.applications;
    let live = live.map(|live| live.document_or(|live| before.document_beside(live)));
    let live = live.map_or(Live::Nothing, Live::Is);
    let draft = before.next(checked, (live, author));
    let resource = Place::of(&changed).map(|place| place.get(&draft.document));
    let id = resource.and_then(|resource| resource["id"].as_str());
    let entity = id.map_or_else(|| word.to_owned(), |id| format!("{word} {id}"));
    let patch = patch_between(&before.document, &draft.document);
    Ok(NextDraft { draft, changed, entity, patch, has_new_code, has_other_applications })
}

fn other_project(draft: &Draft) -> Fault {
    let pointer = Pointer::root().field("project").field("id");
    let fault = Fault::error("other_project", pointer, "this is the document of another project");
    fault.expected(format!("`\"{}\"`", draft.project.id))
}
