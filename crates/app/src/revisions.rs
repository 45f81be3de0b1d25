//! Revisions: the project as it was at each publication. They never change; one of them is live.

mod compare;
mod list;
mod publish;
mod restore;
mod size;

pub use compare::{Comparison, Side, compare_documents};
pub use list::{find_revision_document, find_revision_line, list_revision_lines};
pub use publish::{MESSAGE_LENGTH_AT_MOST, PublishDraftError, PublishedRevision, publish_draft};
pub use restore::{Restoration, restore_revision};
pub(crate) use size::SizeCache;
pub use size::{ForPage, SizeError, snippet_bytes_for_page, snippet_size, snippet_size_for_page};
pub use snippet::{Bytes, Report, Share};
