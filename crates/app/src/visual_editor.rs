//! The visual editor: a member opens a page of their site by a signed link, and the snippet there brings the editor along. The link gives no
//! right to write: the console saves what the editor made, as any other change of the draft.

mod find;
mod link;
mod open;
mod token;

pub use find::find_editor;
pub use link::{EDITOR_REQUEST_BYTES_AT_MOST, EditorLink, EditorLinkDto, EditorLinkRequest};
pub use open::{OpenEditorError, open_editor};
pub use token::is_editor_token;
