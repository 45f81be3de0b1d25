//! What the draft of a project changes, and what this member may do with it.

use std::cmp::Ordering;
use std::sync::Arc;

use app::App;
use app::Work;
use app::drafts::{Draft, located_warnings_at_publication, readable_draft};
use app::publishing::RevisionDocument;
use app::revisions::{
    ForPage, Side, compare_documents, find_revision_line, snippet_bytes_for_page,
};
use app::roles::{Actor, Permission, Rights, rights_of};
use domain::ProjectId;
use storage::ManagedBy;
use web::Session;

use crate::changes::Changes;
use crate::home::ended::EndedExperiment;
use crate::live::live_project;
use crate::projects::kilobytes;
use crate::refusal::Refusal;
use crate::warnings::ShownWarning;

const OF_FILE: &str = "A project file manages this project: members change that file, and the server publishes what it says.";

pub(super) struct DraftPanel {
    /// Tells whether another member has changed the draft since.
    pub(super) tag: String,
    pub(super) changes: Changes,
    /// The experiments that end once it is published.
    pub(super) ended: Vec<EndedExperiment>,
    /// Warnings of it.
    pub(super) warnings: Vec<ShownWarning>,
    /// How much larger or smaller it makes the snippet, once that is known.
    pub(super) size: Option<String>,
    /// Why this member does not publish, if so.
    pub(super) no_publishing: Option<&'static str>,
    /// Why this member does not discard it, if so.
    pub(super) no_discarding: Option<&'static str>,
}

impl DraftPanel {
    pub(super) async fn read(
        app: &App,
        session: &Session,
        actor: &Actor,
        id: ProjectId,
    ) -> Result<(Arc<Draft>, Self), Refusal> {
        // Read before the comparison: a change in between makes the tag too old, never the comparison.
        let draft = readable_draft(app, actor, id).await?;
        let rights = rights_of(app, session.member.id).await?;
        let no_discarding = no_discarding(&rights, id, draft.head.managed_by);
        let no_publishing = no_publishing(&rights, id, draft.head.managed_by);
        let live = live_project(app, actor, &draft).await?;
        let changes = changes(app, actor, &draft, live.as_deref()).await?;
        let ended = live.map(|live| EndedExperiment::all(&live.project, &draft.project));
        let ended = ended.unwrap_or_default();
        let size = if changes.is_nothing { None } else { size(app, actor, id, &draft).await? };
        let tag = draft.tag.clone();
        let warnings = located_warnings_at_publication(app, &draft).await?;
        let warnings = ShownWarning::all(&draft.project, &warnings);
        let panel = Self { tag, changes, ended, warnings, size, no_publishing, no_discarding };
        Ok((draft, panel))
    }
}

/// Why this member does not publish the draft, if so.
pub(super) fn no_publishing(
    rights: &Rights,
    id: ProjectId,
    managed_by: ManagedBy,
) -> Option<&'static str> {
    match managed_by {
        ManagedBy::File => Some(OF_FILE),
        ManagedBy::Store => (!rights.include(Some(id), Permission::Publish)).then_some(
            "Your role does not allow publishing. A publisher or an admin of this project can.",
        ),
    }
}

/// Why this member does not discard the draft, if so.
pub(super) fn no_discarding(
    rights: &Rights,
    id: ProjectId,
    managed_by: ManagedBy,
) -> Option<&'static str> {
    match managed_by {
        ManagedBy::File => Some(OF_FILE),
        ManagedBy::Store => (!rights.include(Some(id), Permission::WriteDraft))
            .then_some("Your role does not allow discarding. An editor of this project can."),
    }
}

/// What the draft makes of the snippet's size; `None` as long as that is not known.
async fn size(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    draft: &Draft,
) -> Result<Option<String>, Refusal> {
    let ForPage::Known(bytes) = snippet_bytes_for_page(app, actor, id, Side::Draft).await? else {
        return Ok(None);
    };
    let Some(number) = draft.head.live_revision else { return Ok(Some(kilobytes(bytes))) };
    let live = find_revision_line(app, actor, id, number).await?.brotli_bytes as usize;
    Ok(Some(match bytes.cmp(&live) {
        Ordering::Equal => "as large as now".to_owned(),
        Ordering::Greater => format!("{}, that is {} B more", kilobytes(bytes), bytes - live),
        Ordering::Less => format!("{}, that is {} B less", kilobytes(bytes), live - bytes),
    }))
}

/// What the draft changes in what is live.
async fn changes(
    app: &App,
    actor: &Actor,
    draft: &Draft,
    live: Option<&RevisionDocument>,
) -> Result<Changes, Refusal> {
    let _turn = app.turn(Work::Document).await.map_err(|_| Refusal::Busy)?;
    let id = draft.project.id;
    let comparison = compare_documents(app, actor, id, (Side::Live, Side::Draft)).await?;
    let mut documents = vec![&*draft.document];
    documents.extend(live.map(RevisionDocument::document));
    Ok(Changes::of(id, &comparison, &documents))
}
