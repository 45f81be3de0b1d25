//! Publishing: compiles a project, stores it as a revision, makes it live, and delivers it to visitors.

mod compile;
mod deliver;
mod deliver_by_hash;
mod deltas;
mod live_project;
mod load;
mod publish;
mod revision_document;
mod visitor_cookie;

pub use deliver::{
    DeliveredSnippet, SnippetCache, delivered_snippet, live_snippet, page_deadline,
    was_project_deleted,
};
pub(crate) use deliver_by_hash::OldSnippetCache;
pub use deliver_by_hash::{find_snippet, read_snippet};
pub use deltas::Delta;
pub(crate) use live_project::{LiveProject, live_number, live_project};
pub use load::load_live_snippets;
pub(crate) use publish::{
    DraftAfter, LiveRevision, PublishRequest, announcer, publish, publish_with_retry,
};
pub use revision_document::RevisionDocument;
pub(crate) use revision_document::{
    RevisionCache, read_live, read_live_if_readable, read_revision,
};
pub use visitor_cookie::{AskingVisitor, VisitorCookie};
