//! Publishing: a project is compiled, stored as a revision, goes live, and is delivered to visitors.

mod compile;
mod deliver;
mod deliver_by_hash;
mod go_live;
mod live_project;
mod revision_document;
mod visitor_cookie;

pub(crate) use compile::compile;
pub use deliver::{DeliveredSnippet, SnippetShelf, live_snippet};
pub(crate) use deliver_by_hash::OldSnippetShelf;
pub use deliver_by_hash::{find_snippet, read_snippet};
pub(crate) use go_live::{Going, as_draft, go_live};
pub(crate) use live_project::{LiveProject, live_number, live_project};
pub use revision_document::RevisionDocument;
pub(crate) use revision_document::{RevisionShelf, read_live, read_revision};
pub use visitor_cookie::{AskingVisitor, VisitorCookie};
