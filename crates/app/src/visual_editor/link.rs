//! The link of the visual editor, and how programs ask for it.

use domain::VariationId;
use oauth::{Moment, Timestamp};

/// Enough for an address and a name.
pub const EDITOR_REQUEST_BYTES_AT_MOST: usize = 16 * 1024;

crate::request! {
    /// A link of the visual editor to make.
    pub struct EditorLinkRequest: "visual_editor_request" {
        /// The address of the page on which the variation is edited.
        url: String where {"format": "uri"},
        /// The key or id of the variation.
        variation: String,
    }
}

/// A link that opens the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorLink {
    /// The page's address with the token.
    pub url: String,
    /// The variation that is edited.
    pub variation: VariationId,
    /// The origin of the site: messages come from there.
    pub site: String,
    /// What these messages have to contain.
    pub nonce: String,
    /// When the link ends.
    pub expires_at: Timestamp,
}

crate::dto! {
    /// A link that opens a page with the visual editor.
    pub struct EditorLinkDto: "visual_editor_link" {
        /// The address of the page, with the token.
        url: String,
        /// The id of the variation that is edited.
        variation: String,
        /// Until when the link is good.
        expires_at: String where {"format": "date-time"},
    }
}

impl From<EditorLink> for EditorLinkDto {
    fn from(link: EditorLink) -> Self {
        let EditorLink { url, variation, expires_at, .. } = link;
        Self {
            url,
            variation: variation.to_string(),
            expires_at: Moment::from(expires_at).machine(),
        }
    }
}
