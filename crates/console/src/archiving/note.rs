//! What the top of each page of a project says where the project is archived.

use app::App;
use app::drafts::Draft;
use app::revisions::find_revision_line;
use app::roles::Actor;
use askama::Template;
use oauth::Moment;

use crate::home;
use crate::live::live_project;
use crate::project_frame::may_write;
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "archived.html")]
struct ArchivedNote {
    state: ArchivedState,
    may_write: bool,
    archiving_path: String,
    publishing_path: String,
}

/// How a project is archived.
enum ArchivedState {
    /// Visitors get an empty snippet since then.
    Live(Moment),
    /// Visitors get what is live until the draft is published.
    InDraft,
    /// Visitors never got anything.
    NeverPublished,
    /// Visitors get an empty snippet until the draft is published.
    RestoredInDraft,
}

/// The note as HTML; `None` if the project is in use.
pub(crate) async fn archived_note(
    app: &App,
    actor: &Actor,
    draft: &Draft,
) -> Result<Option<String>, Refusal> {
    let Some(state) = state(app, actor, draft).await? else { return Ok(None) };
    let id = draft.project.id;
    let (archiving_path, publishing_path) = (super::path(id), home::publishing_path(id));
    let may_write = may_write(app, actor, id).await?;
    let note = ArchivedNote { state, may_write, archiving_path, publishing_path };
    Ok(Some(note.render().expect("writing to memory does not fail")))
}

async fn state(app: &App, actor: &Actor, draft: &Draft) -> Result<Option<ArchivedState>, Refusal> {
    // The page may be the one that repairs what is live.
    let live = match live_project(app, actor, draft).await {
        Err(Refusal::UnreadableDocument(_)) => None,
        read => read?,
    };
    let is_live_archived = live.as_ref().is_some_and(|live| live.project.archived);
    Ok(match (draft.project.archived, is_live_archived) {
        (false, false) => None,
        (true, true) => {
            let Some(number) = draft.head.live_revision else { return Ok(None) };
            let published = find_revision_line(app, actor, draft.project.id, number).await?;
            Some(ArchivedState::Live(Moment::from(published.created_at)))
        }
        (true, false) if draft.head.live_revision.is_some() => Some(ArchivedState::InDraft),
        (true, false) => Some(ArchivedState::NeverPublished),
        (false, true) => Some(ArchivedState::RestoredInDraft),
    })
}
