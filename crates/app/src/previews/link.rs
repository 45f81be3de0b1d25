//! A preview link as its makers see it, in lists and answers.

use oauth::{Moment, SigningKey, Timestamp};
use storage::{StorageError, StoredPreviewLink};

use crate::App;
use crate::previews::address::with_token;
use crate::previews::maker::PreviewMaker;
use crate::previews::token::PreviewToken;
use crate::roles::RoleError;

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
    /// It shows the draft, and its maker may not do so any more.
    Powerless,
}

impl PreviewLinkState {
    const ALL: [Self; 4] = [Self::Valid, Self::Expired, Self::Revoked, Self::Powerless];

    /// The state of a link at this moment.
    pub(super) async fn of(app: &App, link: &StoredPreviewLink) -> Result<Self, StorageError> {
        if link.revoked_at.is_some() {
            return Ok(Self::Revoked);
        }
        if link.expires_at <= app.now() {
            return Ok(Self::Expired);
        }
        if !link.is_draft {
            return Ok(Self::Valid);
        }
        match PreviewMaker::from(link).require_draft(app, link.project).await {
            Ok(()) => Ok(Self::Valid),
            Err(RoleError::Insufficient { .. } | RoleError::Scope(_)) => Ok(Self::Powerless),
            Err(RoleError::Storage(error)) => Err(error),
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::Powerless => "powerless",
        }
    }
}

impl PreviewLink {
    pub(super) async fn of(
        app: &App,
        kept: StoredPreviewLink,
        key: &SigningKey,
    ) -> Result<Self, StorageError> {
        let token = PreviewToken::of(kept.project, &kept.id).write(key);
        // What is kept was an address when the link was made.
        let url = with_token(&kept.url, &token).unwrap_or_default();
        Ok(Self { url, state: PreviewLinkState::of(app, &kept).await?, kept })
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
        /// Whether it works: `valid`; `expired`; `revoked`; or `powerless`, where it shows the draft, and who made it may not do so any more.
        state: String where {"enum": (PreviewLinkState::ALL.map(PreviewLinkState::word))},
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
