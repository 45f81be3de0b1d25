//! The last step of every publication: a compiled project is stored as a revision and served.

use storage::{
    DraftDocument, DraftUpdate, ManagedBy, NewAuditEntry, NewRevision, Precondition, Publication,
    PublishOutcome, ScheduledMoment, StorageError,
};

use crate::App;
use crate::documents::moments_of;
use crate::publishing::compile::{Compiled, document_hash};
use crate::publishing::{DeliveredSnippet, VisitorCookie};

/// How a project goes live.
pub(crate) struct Going {
    /// Who publishes, in words for people.
    pub(crate) author: String,
    /// What they say about it.
    pub(crate) message: String,
    /// The revision whose document this is again.
    pub(crate) restored_from: Option<u32>,
    /// What it was made from.
    pub(crate) precondition: Precondition,
    /// The moments whose time has come, which it does.
    pub(crate) settled: Vec<ScheduledMoment>,
    /// What becomes of the draft.
    pub(crate) draft: DraftUpdate,
    /// Who may change the project from now on.
    pub(crate) managed_by: ManagedBy,
    /// What the audit log tells of it.
    pub(crate) entry: NewAuditEntry,
}

/// Stores the revision. From the answer on, this process serves it if it is live.
pub(crate) async fn go_live(
    app: &App,
    compiled: Compiled,
    going: Going,
) -> Result<PublishOutcome, StorageError> {
    let Compiled { project, document, snippet, brotli, gzip } = compiled;
    let Going { author, message, restored_from, precondition, settled, draft, managed_by, entry } =
        going;
    let document_bytes = document.len();
    let revision = NewRevision {
        project_id: project.id,
        document_hash: document_hash(&document),
        document,
        snippet_hash: snippet.hash,
        javascript: snippet.javascript,
        brotli,
        gzip,
        author,
        message,
        restored_from,
        created_at: app.now(),
        moments: moments_of(&project),
    };
    let publication = Publication { revision, precondition, settled, draft, managed_by, entry };
    let outcome = app.store().publish_revision(publication).await?;
    if let PublishOutcome::Published(revision) | PublishOutcome::Unchanged(revision) = &outcome {
        let snippet = DeliveredSnippet::new((**revision).clone(), VisitorCookie::of(&project));
        app.snippets().put(snippet);
        app.revisions().keep((project.id, revision.number), project, document_bytes);
    }
    Ok(outcome)
}

/// The document of a compiled project as a draft.
pub(crate) fn as_draft(compiled: &Compiled) -> DraftDocument {
    DraftDocument {
        key: compiled.project.key.to_string(),
        name: compiled.project.name.clone(),
        is_archived: compiled.project.archived,
        document: compiled.document.clone(),
    }
}
