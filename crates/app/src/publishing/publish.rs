//! The last step of every publication: compiles a project, stores it as a revision and serves it.

use std::sync::Arc;

use domain::Project;
use serde_json::Value;
use snippet::CompileError;
use storage::{
    Announcement, AuditEvent, DraftChanges, DraftDocument, DraftUpdate, ManagedBy, NewAuditEntry,
    NewRevision, Precondition, Publication, PublishOutcome, RevisionLine, ScheduledMoment,
    StorageError,
};

use crate::App;
use crate::documents::{Announcer, PublicationNote, announcements, moments_of};
use crate::publishing::compile::{Compiled, compile};
use crate::publishing::deltas::prepare_deltas_and_wait;
use crate::publishing::{DeliveredSnippet, VisitorCookie, read_revision};
use crate::roles::Actor;

/// A publication fails only if other processes or schedules are faster this many times in a row.
const TRIES: usize = 32;

/// What goes live, and how that changes the project.
pub(crate) struct PublishRequest {
    /// The project to make live. It is valid.
    pub(crate) project: Arc<Project>,
    /// The publisher, in words for people.
    pub(crate) author: String,
    /// Their message.
    pub(crate) message: String,
    /// The revision that this one restores.
    pub(crate) restored_from: Option<u32>,
    /// The state it was made from.
    pub(crate) precondition: Precondition,
    /// The due moments that it carries out.
    pub(crate) settled: Vec<ScheduledMoment>,
    /// What happens to the draft.
    pub(crate) draft: DraftAfter,
    /// Who may change the project from now on.
    pub(crate) managed_by: ManagedBy,
    /// Its entry in the audit log.
    pub(crate) entry: NewAuditEntry,
}

/// What happens to the draft when a project goes live.
pub(crate) enum DraftAfter {
    /// It stays unchanged.
    Kept,
    /// It becomes this.
    Replaced(DraftDocument),
    /// It becomes what goes live; these are the changes.
    Published(DraftChanges),
}

/// A live revision, and whether it was made now or was live already.
pub(crate) struct LiveRevision {
    pub(crate) line: RevisionLine,
    pub(crate) is_new: bool,
}

impl PublishRequest {
    /// A request of `actor` to publish `project`, made from `precondition`. The draft stays unchanged.
    pub(crate) async fn by(
        app: &App,
        actor: &Actor,
        precondition: Precondition,
        project: Arc<Project>,
    ) -> Result<Self, StorageError> {
        let changed = (project.id, "revision");
        let entry = actor.entry(app, AuditEvent::RevisionPublished, changed, &Value::Null);
        Ok(Self::new(project, precondition, actor.author(app).await?, entry))
    }

    /// A request to publish `project`, made from `precondition`. The draft stays unchanged.
    pub(crate) fn new(
        project: Arc<Project>,
        precondition: Precondition,
        author: String,
        entry: NewAuditEntry,
    ) -> Self {
        Self {
            project,
            author,
            message: String::new(),
            restored_from: None,
            precondition,
            settled: Vec::new(),
            draft: DraftAfter::Kept,
            managed_by: ManagedBy::Store,
            entry,
        }
    }
}

/// Publishes what `prepare` makes of the current project, and returns what it reported. If another editor or process changes the project in
/// between, it calls `prepare` again. `None` if that finds nothing to publish.
pub(crate) async fn publish_with_retry<T, E, P>(
    app: &App,
    prepare: impl Fn() -> P + Send,
) -> Result<Option<(LiveRevision, T)>, E>
where
    P: Future<Output = Result<Option<(PublishRequest, T)>, E>> + Send,
    E: From<CompileError> + From<StorageError>,
{
    for _ in 0..TRIES {
        let Some((request, told)) = prepare().await? else { return Ok(None) };
        if let Some(live) = publish::<E>(app, request).await? {
            return Ok(Some((live, told)));
        }
    }
    Err(StorageError::Busy.into())
}

/// Publishes if the project is still in the state the request was made from; `None` if another editor or process was faster. When it
/// returns, this process serves the revision.
pub(crate) async fn publish<E>(
    app: &App,
    request: PublishRequest,
) -> Result<Option<LiveRevision>, E>
where
    E: From<CompileError> + From<StorageError>,
{
    let compiled = compile(app, Arc::clone(&request.project)).await?;
    let (project, document_bytes) = (Arc::clone(&compiled.project), compiled.document.len());
    let announcements = announced(app, &request).await?;
    let publication = publication(app, compiled, (request, announcements));
    let outcome = app.store().publish_revision(publication).await?;
    let (revision, is_new) = match outcome {
        PublishOutcome::Published(revision) => (revision, true),
        PublishOutcome::Unchanged(revision) => (revision, false),
        PublishOutcome::LiveChanged | PublishOutcome::DraftChanged => return Ok(None),
    };
    let line = RevisionLine::from(&*revision);
    let snippet =
        app.caches().snippets.put(DeliveredSnippet::new(*revision, VisitorCookie::of(&project)));
    app.caches().revisions.keep((project.id, line.number), project, document_bytes);
    prepare_deltas_and_wait(app, snippet).await;
    Ok(Some(LiveRevision { line, is_new }))
}

/// What webhooks hear of it, if this server sends to any: what differs from the revision that the precondition makes sure is live when it is committed.
async fn announced(app: &App, request: &PublishRequest) -> Result<Vec<Announcement>, StorageError> {
    if !app.sends_webhooks() {
        return Ok(Vec::new());
    }
    let project = &request.project;
    let before = match request.precondition.live {
        Some(number) if number > 0 => match read_revision(app, project.id, number).await {
            Err(StorageError::Document(_)) => None,
            read => read?,
        },
        Some(_) | None => None,
    };
    let before = before.as_ref().map(|before| &*before.project);
    let note = PublicationNote {
        by: &request.author,
        message: &request.message,
        restored_from: request.restored_from,
    };
    Ok(announcements(&announcer(app), (before, project), &note))
}

/// Announces at this moment.
pub(crate) fn announcer(app: &App) -> Announcer {
    let console = app.public_url().join("");
    let console = console.trim_end_matches('/').to_owned();
    Announcer { at: app.wall_time(), random: app.random(), console }
}

fn publication(
    app: &App,
    compiled: Compiled,
    (request, announcements): (PublishRequest, Vec<Announcement>),
) -> Publication {
    let Compiled { project, document, document_hash, snippet, brotli, gzip } = compiled;
    let draft = match request.draft {
        DraftAfter::Kept => DraftUpdate::Keep,
        DraftAfter::Replaced(draft) => DraftUpdate::Replace(draft),
        DraftAfter::Published(changes) => DraftUpdate::Replace(DraftDocument {
            key: project.key.to_string(),
            name: project.name.clone(),
            is_archived: project.archived,
            document: document.clone(),
            changes,
        }),
    };
    let revision = NewRevision {
        project_id: project.id,
        document_hash,
        document,
        snippet_hash: snippet.hash,
        javascript: snippet.javascript,
        brotli,
        gzip,
        author: request.author,
        message: request.message,
        restored_from: request.restored_from,
        created_at: app.now(),
        moments: moments_of(&project),
    };
    let PublishRequest { precondition, settled, managed_by, entry, .. } = request;
    Publication { revision, precondition, settled, draft, managed_by, announcements, entry }
}
