//! Publishes a whole document, which also becomes the draft: that of a project file, or of the demo.

use std::sync::Arc;

use domain::{Fault, Project, ProjectId, Severity, SharedDocument, breaking_changes};
use serde_json::Value;
use snippet::CompileError;
use storage::{
    ActorKind, AuditEvent, DraftChanges, ManagedBy, NewAuditEntry, Precondition, ProjectChange,
    ProjectHead, RevisionLine, StorageError,
};
use thiserror::Error;

use crate::App;
use crate::authors;
use crate::computation::compute;
use crate::documents::{Live, apply_done, changes_between, check_shared, late_moments};
use crate::drafts::open_draft;
use crate::publishing::{DraftAfter, PublishRequest, publish_with_retry, read_live_if_readable};
use crate::roles::Author;

/// A live revision.
#[derive(Debug)]
pub struct Published {
    /// Its number within the project, from 1. Publishing the live document again gives the same number.
    pub revision: u32,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The snippet's size as most browsers receive it.
    pub brotli_bytes: usize,
    /// Its breaking changes to experiments that had begun: the file's owner decides, but should know.
    pub breaking: Vec<Fault>,
    /// What its schedules do at once, or never, since their moments are past.
    pub late: Vec<Fault>,
}

/// Why nothing was published. The live revision stays live.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The project does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// Members' unpublished work on the project would be lost.
    #[error(
        "members have unpublished changes of project {0} in the store, which would be lost: publish or discard them, \
         or write them into the project file (`assay export {0}`)"
    )]
    UnpublishedDraft(ProjectId),
    /// A project with this id was deleted.
    #[error(
        "a project with the id {0} was deleted, and no other one gets its id: pages may still load its snippet; \
         hint: write an `id` of its own under `project`"
    )]
    Deleted(ProjectId),
    /// The revision could not be stored.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The origin of a whole document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A project file, which is authoritative while it is served.
    ProjectFile,
    /// An operator hands the project to the store, for members to continue.
    Handed {
        /// The publisher, in words for people.
        by: &'a str,
    },
}

/// Publishes `project`. What a schedule has done stays done, whatever status the project says.
///
/// # Errors
/// See [`PublishError`].
pub async fn publish_project(
    app: &App,
    project: Project,
    origin: Origin<'_>,
) -> Result<Published, PublishError> {
    let project = &project;
    let prepare = || async move {
        let head = app.store().find_project(project.id).await?;
        let (project, late) = with_done(app, project.clone()).await?;
        let (precondition, breaking) = match head {
            None if app.store().was_deleted(project.id, app.now()).await? => {
                return Err(PublishError::Deleted(project.id));
            }
            None => (Precondition { live: Some(0), draft: None }, Vec::new()),
            Some(head) => (Precondition::of(head), breaking(app, head, &project, origin).await?),
        };
        let request = request(app, precondition, project, origin).await?;
        Ok::<_, PublishError>(Some((request, (breaking, late))))
    };
    let published = publish_with_retry(app, prepare).await?;
    let (live, (breaking, late)) = published.ok_or(StorageError::Busy)?;
    Ok(Published { breaking, late, ..Published::from(live.line) })
}

/// A project file's project, with the ids that its keys have in the live project where the file has no ids: `written` is the document as
/// its author wrote it (`domain::Parsed::as_written`). An id made from a key depends on the rest of the file, but visitors keep their
/// variations by id.
///
/// # Errors
/// If the store does not answer.
pub async fn with_live_ids(
    app: &App,
    project: Project,
    written: Value,
) -> Result<Project, StorageError> {
    let Some(head) = app.store().find_project(project.id).await? else { return Ok(project) };
    let live = read_live_if_readable(app, project.id, head).await?;
    let Some(live) = live.filter(|live| live.project.key == project.key) else {
        return Ok(project);
    };
    let work = move || {
        let Ok(mut document) = SharedDocument::of(written) else { return project };
        if !document.adopt_ids(live.document()) {
            return project;
        }
        check_shared(&document).map_or(project, |checked| checked.project)
    };
    Ok(compute("adopt_ids", work).await?)
}

/// Applies what the schedule has already done to a project: a file, or an older project, still has the old status. Also tells what is past otherwise.
async fn with_done(app: &App, mut project: Project) -> Result<(Project, Vec<Fault>), StorageError> {
    let known = app.store().list_moments(project.id).await?;
    apply_done(&mut project, &known);
    let late = late_moments(&project, &known, app.wall_time());
    Ok((project, late))
}

/// The breaking changes to experiments that have begun; an error if members' work would be lost.
async fn breaking(
    app: &App,
    head: ProjectHead,
    project: &Project,
    origin: Origin<'_>,
) -> Result<Vec<Fault>, PublishError> {
    let live = read_live_if_readable(app, project.id, head).await?;
    let live = live.as_ref().map(|live| &*live.project);
    if origin == Origin::ProjectFile && head.managed_by == ManagedBy::Store {
        let draft = open_draft(app, project.id).await?;
        if draft.is_some_and(|draft| ![live, Some(project)].contains(&Some(&draft.project))) {
            return Err(PublishError::UnpublishedDraft(project.id));
        }
    }
    let breaking = live.map(|live| breaking_changes(live, project)).unwrap_or_default();
    let warning = |fault| Fault { severity: Severity::Warning, ..fault };
    Ok(breaking.into_iter().map(warning).collect())
}

async fn request(
    app: &App,
    precondition: Precondition,
    project: Project,
    origin: Origin<'_>,
) -> Result<PublishRequest, PublishError> {
    let (author, managed_by, by) = match origin {
        Origin::ProjectFile => (authors::PROJECT_FILE, ManagedBy::File, ActorKind::ProjectFile),
        Origin::Handed { by } => (by, ManagedBy::Store, ActorKind::Command),
    };
    let entry = entry(app, by, &project);
    let project = Arc::new(project);
    let changes = changes(app, Arc::clone(&project), author.to_owned()).await?;
    Ok(PublishRequest {
        draft: DraftAfter::Published(changes),
        managed_by,
        ..PublishRequest::new(project, precondition, author.to_owned(), entry)
    })
}

/// How the draft's resources change when it becomes this project.
async fn changes(
    app: &App,
    project: Arc<Project>,
    by: String,
) -> Result<DraftChanges, PublishError> {
    let author = Author { at: app.now(), by };
    let before = match open_draft(app, project.id).await {
        // A draft that an earlier version accepted, but we do not, counts as absent.
        Err(StorageError::Document(_)) => None,
        opened => opened?,
    };
    let work = move || {
        let (nothing, document) = (SharedDocument::default(), SharedDocument::of_project(&project));
        let before = before.as_deref().map_or(&nothing, |before| &*before.document);
        changes_between(before, &document, Live::Follows, author)
    };
    Ok(compute("find_changes", work).await.map_err(StorageError::from)?)
}

fn entry(app: &App, by: ActorKind, project: &Project) -> NewAuditEntry {
    NewAuditEntry {
        event: AuditEvent::RevisionPublished,
        act: app.act(by, None),
        member: None,
        client_id: None,
        detail: String::new(),
        project: Some(ProjectChange {
            id: project.id,
            entity: String::new(),
            change: String::new(),
            request_id: String::new(),
        }),
    }
}

impl From<RevisionLine> for Published {
    fn from(revision: RevisionLine) -> Self {
        Self {
            revision: revision.number,
            snippet_hash: revision.snippet_hash,
            brotli_bytes: revision.brotli_bytes as usize,
            breaking: Vec::new(),
            late: Vec::new(),
        }
    }
}
