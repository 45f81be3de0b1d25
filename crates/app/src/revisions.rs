//! Revisions: the project as it was at each publication. They never change; one of them is live.

mod compare;
mod list;
mod publish;
mod restore;

pub use compare::{Comparison, Side, compare_documents};
pub use list::{find_revision_document, find_revision_line, list_revision_lines};
pub use publish::{MESSAGE_LENGTH_AT_MOST, PublishDraftError, PublishedRevision, publish_draft};
pub use restore::restore_revision;
