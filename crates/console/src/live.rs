//! What visitors get of a project, beside its draft.

use std::sync::Arc;

use app::App;
use app::drafts::Draft;
use app::publishing::RevisionDocument;
use app::revisions::find_revision_document;
use app::roles::Actor;
use domain::{Project, Results as Collecting};

use crate::refusal::Refusal;

/// The live document of a project, if it was ever published.
pub(crate) async fn live_project(
    app: &App,
    actor: &Actor,
    draft: &Draft,
) -> Result<Option<Arc<RevisionDocument>>, Refusal> {
    let Some(number) = draft.head.live_revision else { return Ok(None) };
    Ok(Some(find_revision_document(app, actor, draft.project.id, number).await?))
}

/// Whether the server counts results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    /// It does, or will from the first start on.
    Here,
    /// It will once the draft is published.
    OncePublished,
    /// It does not.
    Nowhere,
}

impl Counting {
    /// As the live project says, and the draft where nothing is live.
    pub(crate) fn of(draft: &Project, live: Option<&Project>) -> Self {
        let is_on = |project: &Project| project.results == Collecting::On;
        match live {
            Some(live) if is_on(live) => Self::Here,
            Some(_) if is_on(draft) => Self::OncePublished,
            None if is_on(draft) => Self::Here,
            Some(_) | None => Self::Nowhere,
        }
    }
}
