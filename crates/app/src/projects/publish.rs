//! A whole document goes live as it is, and becomes the draft: that of a project file, or of the demo.

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
use crate::documents::{Live, apply_done, changes_between, check_shared};
use crate::drafts::open_draft;
use crate::publishing::{DraftAfter, PublishRequest, publish_with_retry, read_live};
use crate::roles::Author;

/// A revision that is live now.
#[derive(Debug)]
pub struct Published {
    /// Its number within the project, from 1. Publishing what is live already gives the same number again.
    pub revision: u32,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The snippet's size as most browsers receive it.
    pub brotli_bytes: usize,
    /// What it changes for visitors of experiments that had begun: whoever owns the file decides, but should know.
    pub breaking: Vec<Fault>,
}

/// Why nothing was published. What was live stays live.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The project does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// Members work on the project, and what they have not published yet would be lost.
    #[error(
        "members have changed project {0} in the store and not published it, and this would be lost: have it published or taken back, \
         or write it into the project file (`assay export {0}`)"
    )]
    UnpublishedDraft(ProjectId),
    /// The revision could not be stored.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Where a whole document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A project file, which is the truth as long as it is served.
    ProjectFile,
    /// Somebody who hands the project over to the store, for members to go on with.
    Handed {
        /// Who, in words for people.
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
        let project = with_done(app, project.clone()).await?;
        let (precondition, breaking) = match head {
            None => (Precondition { live: Some(0), draft: None }, Vec::new()),
            Some(head) => (Precondition::of(head), breaking(app, head, &project, origin).await?),
        };
        let request = request(app, precondition, project, origin).await?;
        Ok::<_, PublishError>(Some((request, breaking)))
    };
    let published = publish_with_retry(app, prepare).await?;
    let (live, breaking) = published.ok_or(StorageError::Busy)?;
    Ok(Published { breaking, ..Published::from(live.line) })
}

/// A project file's project with the ids that what is live has for the same keys, where the file says none: `written` is the document as
/// its author wrote it (`domain::Parsed::as_written`). What is made from keys depends on what else the file has, and visitors keep their
/// variations by it.
///
/// # Errors
/// If the store does not answer.
pub async fn with_live_ids(
    app: &App,
    project: Project,
    written: Value,
) -> Result<Project, StorageError> {
    let Some(head) = app.store().find_project(project.id).await? else { return Ok(project) };
    let live = match read_live(app, project.id, head).await {
        Err(StorageError::Corrupt(_)) => None,
        read => read?,
    };
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
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|panic| StorageError::corrupt(format!("project file: {panic}")))
}

/// A project in which what a schedule has done is done: one that comes from a file, or is older, still says what was before.
async fn with_done(app: &App, mut project: Project) -> Result<Project, StorageError> {
    let known = app.store().list_moments(project.id).await?;
    apply_done(&mut project, &known);
    Ok(project)
}

/// What would be breaking of experiments that have begun; an error if members' work would be lost.
async fn breaking(
    app: &App,
    head: ProjectHead,
    project: &Project,
    origin: Origin<'_>,
) -> Result<Vec<Fault>, PublishError> {
    // What an earlier version took, and we do not, is no reason not to publish something better.
    let live = match read_live(app, project.id, head).await {
        Err(StorageError::Corrupt(_)) => None,
        read => read?,
    };
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
        Origin::ProjectFile => ("project file", ManagedBy::File, ActorKind::ProjectFile),
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

/// What becomes of the draft's resources when it is this project.
async fn changes(
    app: &App,
    project: Arc<Project>,
    by: String,
) -> Result<DraftChanges, PublishError> {
    let author = Author { at: app.now(), by };
    let before = match open_draft(app, project.id).await {
        // What an earlier version took, and we do not, was something else.
        Err(StorageError::Corrupt(_)) => None,
        opened => opened?,
    };
    let work = move || {
        let (nothing, document) = (SharedDocument::default(), SharedDocument::of_project(&project));
        let before = before.as_deref().map_or(&nothing, |before| &*before.document);
        changes_between(before, &document, Live::Follows, author)
    };
    let changes = tokio::task::spawn_blocking(work).await;
    Ok(changes.map_err(|panic| StorageError::corrupt(format!("draft: {panic}")))?)
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
        }
    }
}
