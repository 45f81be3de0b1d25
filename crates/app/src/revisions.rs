//! Revisions: what a project was each time that it was published. They never change; one of them is live.

mod cap;
mod compare;
mod list;
mod patch;
mod publish;
mod read;
mod restore;

pub(crate) use cap::{capped, capped_notices, capped_patch};
pub(crate) use compare::differences;
pub use compare::{Comparison, Difference, FieldChange, Side, compare_documents};
pub use list::{find_revision_document, find_revision_line, list_revision_lines};
pub(crate) use patch::patch_between;
pub use publish::{MESSAGE_LENGTH_AT_MOST, PublishedRevision, publish_draft};
pub use read::RevisionDocument;
pub(crate) use read::{RevisionShelf, read_live, read_revision};
pub use restore::restore_revision;
