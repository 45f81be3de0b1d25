//! Edits a draft: read it, change one resource, check the whole, store it unless another process was faster. Edits of the same project wait
//! for each other (`queue.rs`), and each builds on the one before.

use std::sync::Arc;

use domain::{Fault, Kind, Pointer, ProjectId, SharedDocument, breaking_changes};
use serde_json::Value;
use storage::{AuditEvent, ChangeDraft, ManagedBy, StorageError};

use crate::App;
use crate::computation::compute;
use crate::documents::{
    CheckedProject, Live, ResourceKind, ResourcePath, check_shared, check_shared_anew, seen_from,
};
use crate::drafts::queue::Extent;
use crate::drafts::unreadable::open_to_replace;
use crate::drafts::{
    Draft, EditError, EditTurn, OpenedDraft, ReadError, edit_turn, open_draft,
    open_or_find_unreadable,
};
use crate::publishing::{RevisionDocument, read_live_if_readable};
use crate::roles::{Actor, Author, Permission};

/// An edit fails only if other processes are faster this many times in a row.
const TRIES: usize = 32;

/// The result of a change of the document, and its place.
pub(crate) struct Edit {
    /// The changed document, not yet checked.
    pub(crate) document: SharedDocument,
    /// The place of the change.
    pub(crate) changed: Pointer,
    /// The kind of the changed resource, in a word.
    pub(crate) word: &'static str,
}

/// Edits the draft of project `id`; returns the new draft with the place of the change. It may call `change` several times.
pub(crate) async fn edit_draft<E: From<EditError> + Send + 'static>(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    change: impl Fn(&Draft) -> Result<Edit, E> + Send + Sync + 'static,
) -> Result<(Arc<Draft>, Pointer), E> {
    let turn = edit_turn(app, actor, id, Permission::WriteDraft).await?;
    edit_in_turn(app, actor, id, &turn, change).await
}

/// The same, for an actor who already has the edit turn.
pub(crate) async fn edit_in_turn<E: From<EditError> + Send + 'static>(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    turn: &EditTurn<'_>,
    change: impl Fn(&Draft) -> Result<Edit, E> + Send + Sync + 'static,
) -> Result<(Arc<Draft>, Pointer), E> {
    let change = Arc::new(change);
    for _ in 0..TRIES {
        let permission = turn.permission();
        let draft = match turn.extent() {
            Extent::Part => editable_draft(app, actor, id, permission).await?,
            Extent::Whole => replaceable_draft(app, actor, id, permission).await?,
        };
        let next = next_of(app, actor, (&draft, turn.extent()), Arc::clone(&change)).await?;
        if let Some(stored) = store(app, actor, &draft, next).await? {
            return Ok(stored);
        }
    }
    Err(EditError::from(StorageError::Busy).into())
}

/// Checks whether the draft of project `id` can be edited so; nothing is stored.
pub(crate) async fn check_edit(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    change: impl Fn(&Draft) -> Result<Edit, EditError> + Send + Sync + 'static,
) -> Result<(), EditError> {
    let draft = editable_draft(app, actor, id, Permission::WriteDraft).await?;
    next_draft_of(app, actor, (&draft, Extent::Part), Arc::new(change)).await.map(|_| ())
}

/// The draft that a change would produce; it is not stored.
pub(super) async fn next_draft_of(
    app: &App,
    actor: &Actor,
    (draft, extent): (&Arc<Draft>, Extent),
    change: Arc<impl Fn(&Draft) -> Result<Edit, EditError> + Send + Sync + 'static>,
) -> Result<Draft, EditError> {
    Ok(next_of(app, actor, (draft, extent), change).await?.draft)
}

/// Large documents take milliseconds of computation, so they stay off the async threads.
async fn next_of<E: From<EditError> + Send + 'static>(
    app: &App,
    actor: &Actor,
    (draft, extent): (&Arc<Draft>, Extent),
    change: Arc<impl Fn(&Draft) -> Result<Edit, E> + Send + Sync + 'static>,
) -> Result<NextDraft, E> {
    let (author, live) = what_it_takes(app, actor, draft).await?;
    let before = Arc::clone(draft);
    let work = move || {
        let edit = change(&before)?;
        next_draft((&before, extent), live.as_deref(), edit, author).map_err(E::from)
    };
    compute("edit_draft", work).await.map_err(EditError::from)?
}

/// The author of the change, and what is live meanwhile.
async fn what_it_takes(
    app: &App,
    actor: &Actor,
    draft: &Draft,
) -> Result<(Author, Option<Arc<RevisionDocument>>), EditError> {
    let author = actor.as_author(app).await?;
    Ok((author, read_live_if_readable(app, draft.project.id, draft.head).await?))
}

/// Stores the next draft; `None` if another process was faster. A change to what is there already stores nothing: a client that has seen
/// that has seen this.
async fn store(
    app: &App,
    actor: &Actor,
    draft: &Arc<Draft>,
    next: NextDraft,
) -> Result<Option<(Arc<Draft>, Pointer)>, EditError> {
    let id = draft.project.id;
    if next.patch.as_array().is_some_and(Vec::is_empty) {
        return Ok(Some((Arc::clone(draft), next.changed)));
    }
    if next.has_new_code {
        actor.require_role(app, Some(id), Permission::WriteCode).await?;
    }
    if next.has_other_applications {
        actor.require_role(app, None, Permission::ManageApplications).await?;
    }
    let entry = actor.entry(app, AuditEvent::DraftChanged, (id, &next.entity), &next.patch);
    let version = draft.head.draft_version;
    let stored = ChangeDraft { project_id: id, version, draft: next.draft.to_store(), entry };
    let is_stored = app.store().change_draft(stored).await?.is_some();
    Ok(is_stored.then(|| (app.caches().drafts.put(next.draft), next.changed)))
}

/// The draft of a project, if the actor may edit it in this way. Roles can change while an edit waits, so each try asks again.
pub(crate) async fn editable_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    permission: Permission,
) -> Result<Arc<Draft>, EditError> {
    actor.require(app, Some(id), permission).await?;
    in_store(open_draft(app, id).await?)
}

/// The same for an actor who replaces all of it; it may stand in for a draft that cannot be read.
pub(super) async fn replaceable_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    permission: Permission,
) -> Result<Arc<Draft>, EditError> {
    actor.require(app, Some(id), permission).await?;
    in_store(open_to_replace(app, id).await?)
}

fn in_store(draft: Option<Arc<Draft>>) -> Result<Arc<Draft>, EditError> {
    let draft = draft.ok_or(ReadError::UnknownProject)?;
    match draft.head.managed_by {
        ManagedBy::Store => Ok(draft),
        ManagedBy::File => Err(EditError::ManagedByFile),
    }
}

/// The draft of a project, if the member may read it.
///
/// # Errors
/// See [`ReadError`].
pub async fn readable_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Arc<Draft>, ReadError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    open_draft(app, id).await?.ok_or(ReadError::UnknownProject)
}

/// The same, also where it cannot be read.
///
/// # Errors
/// See [`ReadError`].
pub async fn find_readable_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<OpenedDraft, ReadError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    open_or_find_unreadable(app, id).await?.ok_or(ReadError::UnknownProject)
}

/// A valid draft that is not stored yet.
struct NextDraft {
    draft: Draft,
    changed: Pointer,
    entity: String,
    patch: Value,
    has_new_code: bool,
    has_other_applications: bool,
}

fn next_draft(
    (before, extent): (&Draft, Extent),
    live: Option<&RevisionDocument>,
    Edit { document, changed, word }: Edit,
    author: Author,
) -> Result<NextDraft, EditError> {
    let checked = checked(&document, before, extent)
        .map_err(|faults| EditError::Invalid(seen_from(&changed, faults)))?;
    let project = &checked.project;
    if project.id != before.project.id {
        return Err(EditError::Invalid(vec![other_project(before)]));
    }
    if let Some(live) = live {
        let dangers = breaking_changes(&live.project, project);
        if !dangers.is_empty() {
            return Err(EditError::Breaking(seen_from(&changed, dangers)));
        }
    }
    let has_new_code = !project.privileged().is_subset(&before.project.privileged());
    let has_other_applications = project.applications != before.project.applications;
    let live = live.map(|live| live.document_or(|live| before.document_beside(live)));
    let live = live.map_or(Live::Nothing, Live::Is);
    let draft = before.next(checked, (live, author));
    let resource = ResourcePath::of(&changed).map(|path| path.get(&draft.document));
    let id = resource.and_then(|resource| resource["id"].as_str());
    let entity = id.map_or_else(|| word.to_owned(), |id| format!("{word} {id}"));
    let patch = before.patch_to(&draft.document);
    Ok(NextDraft { draft, changed, entity, patch, has_new_code, has_other_applications })
}

/// What an edit of a part adds is new: visitors must not meet it with what they got of another one that had its key. In a whole document,
/// people mean the same one by the same key.
fn checked(
    document: &SharedDocument,
    before: &Draft,
    extent: Extent,
) -> Result<CheckedProject, Vec<Fault>> {
    let is_spent = |kind, id| match kind {
        Kind::Campaign => before.had(ResourceKind::Campaign, id),
        Kind::Experiment => before.had(ResourceKind::Experiment, id),
        Kind::Variation => before.had(ResourceKind::Variation, id),
        // No visitor is drawn by these.
        Kind::Project
        | Kind::Attribute
        | Kind::Page
        | Kind::Event
        | Kind::Metric
        | Kind::Audience
        | Kind::Group => false,
    };
    match extent {
        Extent::Part => check_shared_anew(document, &is_spent),
        Extent::Whole => check_shared(document),
    }
}

fn other_project(draft: &Draft) -> Fault {
    let pointer = Pointer::root().field("project").field("id");
    let fault = Fault::error("other_project", pointer, "this is the document of another project");
    fault.expected(format!("`\"{}\"`", draft.project.id))
}
