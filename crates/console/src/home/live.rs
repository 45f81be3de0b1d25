//! What of a project is live, since when, and by whom.

use app::App;
use app::revisions::find_revision_line;
use app::roles::Actor;
use domain::ProjectId;
use oauth::Moment;

use crate::projects::kilobytes;
use crate::refusal::Refusal;

pub(super) struct LivePanel {
    pub(super) revision: u32,
    pub(super) published_machine: String,
    pub(super) published_words: String,
    pub(super) author: String,
    pub(super) message: String,
    pub(super) restored_from: Option<u32>,
    pub(super) size: String,
    /// The address of its snippet, which is the same for ever.
    pub(super) snippet_path: String,
}

impl LivePanel {
    /// The live revision with this number; `None` if nothing is live.
    pub(super) async fn read(
        app: &App,
        actor: &Actor,
        (id, number): (ProjectId, Option<u32>),
    ) -> Result<Option<Self>, Refusal> {
        let Some(number) = number else { return Ok(None) };
        let line = find_revision_line(app, actor, id, number).await?;
        let at = Moment::from(line.created_at);
        Ok(Some(Self {
            revision: line.number,
            published_machine: at.machine(),
            published_words: at.words(),
            author: line.author,
            message: line.message,
            restored_from: line.restored_from,
            size: kilobytes(line.brotli_bytes as usize),
            snippet_path: format!("/js/{id}/{}.js", line.snippet_hash),
        }))
    }
}
