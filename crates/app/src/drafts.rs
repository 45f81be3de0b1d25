//! Drafts: the state of a project that a member publishes next. Every change of a draft goes through `edit_draft`.

mod cache;
mod check_code;
mod discard;
mod draft;
mod edit;
mod errors;
mod expected_version;
mod missing;
mod queue;
mod replace;
mod source;
mod unreadable;
mod view;
mod warnings;

pub(crate) use cache::DraftCache;
pub use check_code::{
    CODE_BYTES_AT_MOST, CheckedCodeDto, CodeCheckRequest, CodeFaultDto, check_code,
};
pub use discard::discard_draft;
pub(crate) use draft::open_or_find_unreadable;
pub use draft::{Draft, OpenedDraft, open_draft};
pub(crate) use edit::{Edit, check_edit, edit_draft, edit_in_turn, editable_draft};
pub use edit::{find_readable_draft, readable_draft};
pub use errors::{ChangedMeanwhile, EditError, ReadError};
pub use expected_version::ExpectedVersion;
pub use missing::Missing;
pub(crate) use queue::{EditQueue, EditTurn, edit_turn};
pub use replace::{Plan, Removal, Replacement, plan_document, replace_document};
pub use source::{SourceDto, SourceRequest, find_source, keep_source};
pub use unreadable::UnreadableDraft;
pub(crate) use view::{live_view, view};
pub use view::{project_tag, project_view};
pub(crate) use warnings::located;
pub use warnings::{DraftWarning, located_warnings_at_publication, warnings_at_publication};
