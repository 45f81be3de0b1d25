//! A preview link as its makers see it, in lists and answers.

use oauth::{Moment, SigningKey, Timestamp};
use storage::StoredPreviewLink;

use crate::previews::address::with_token;
use crate::previews::token::PreviewToken;

/// A preview link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewLink {
    /// The page's address with the token.
    pub url: String,
    /// Whether it works.
    pub state: PreviewLinkState,
    /// What is kept of it.
    pub kept: StoredPreviewLink,
}

/// Whether a link works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewLinkState {
    /// It works.
    Valid,
    /// Its time is over.
    Expired,
    /// A member revoked it.
    Revoked,
}

impl PreviewLinkState {
    /// The state of a link at this moment.
    pub(super) fn of(link: &StoredPreviewLink, now: Timestamp) -> Self {
        if link.revoked_at.is_some() {
            Self::Revoked
        } else if link.expires_at <= now {
            Self::Expired
        } else {
            Self::Valid
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

impl PreviewLink {
    pub(super) fn of(kept: StoredPreviewLink, key: &SigningKey, now: Timestamp) -> Self {
        let token = PreviewToken::of(kept.project, &kept.id).write(key);
        // What is kept was an address when the link was made.
        let url = with_token(&kept.url, &token).unwrap_or_default();
        Self { url, state: PreviewLinkState::of(&kept, now), kept }
    }
}

crate::dto! {
    /// A link that shows variations.
    pub struct PreviewLinkDto: "preview_link" {
        /// The link's id.
        id: String,
        /// The address of the page, with the token.
        url: String,
        /// The ids of the variations it shows.
        variations: Vec<String>,
        /// Whether people who have the link may switch to other variations of the same experiments.
        switchable: bool,
        /// Whether the variations are taken from the draft.
        draft: bool,
        /// Whether it works: `valid`, `expired` or `revoked`.
        state: String where {"enum": ["valid", "expired", "revoked"]},
        /// Who made it, in words.
        made_by: String,
        /// When it was made.
        made_at: String where {"format": "date-time"},
        /// Until when the link is good.
        expires_at: String where {"format": "date-time"},
        /// When it was last opened, known to an hour.
        last_opened_at: Option<String> where {"format": "date-time"},
        /// When it was revoked.
        revoked_at: Option<String> where {"format": "date-time"},
    }
}

impl From<PreviewLink> for PreviewLinkDto {
    fn from(PreviewLink { url, state, kept }: PreviewLink) -> Self {
        let moment = |at: Timestamp| Moment::from(at).machine();
        Self {
            id: kept.id,
            url,
            variations: kept.variations.iter().map(ToString::to_string).collect(),
            switchable: kept.is_switchable,
            draft: kept.is_draft,
            state: state.word().to_owned(),
            made_by: kept.made_by,
            made_at: moment(kept.made_at),
            expires_at: moment(kept.expires_at),
            last_opened_at: kept.last_opened_at.map(moment),
            revoked_at: kept.revoked_at.map(moment),
        }
    }
}
