//! Preview links: a member shares a link to a page that shows variations which visitors do not see yet.

mod address;
mod cache;
mod choices;
mod find;
mod link;
mod list;
mod make_link;
mod maker;
mod request;
mod token;

pub(crate) use address::{ADDRESS_BYTES_AT_MOST, with_token};
pub use cache::PreviewCache;
pub use choices::{PreviewChoice, PreviewChoices, preview_choices};
pub use find::{FindPreviewError, find_preview};
pub(crate) use find::{delivered, is_in_use, with_drafts};
pub use link::{PreviewLink, PreviewLinkDto, PreviewLinkState};
pub use list::{list_preview_links, revoke_preview_link};
pub(crate) use make_link::shows_unpublished_code;
pub use make_link::{MakePreviewLinkError, make_preview_link};
pub(crate) use maker::has_unpublished_code;
pub use request::{
    PREVIEW_REQUEST_BYTES_AT_MOST, PreviewLinkRequest, PreviewRequest, PreviewSource,
};
