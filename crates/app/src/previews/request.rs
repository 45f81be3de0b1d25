//! A request for a preview link, from a command, a form or JSON.

use domain::{Fault, Pointer};
use oauth::Lifetime;

use crate::previews::address::ADDRESS_BYTES_AT_MOST;
use crate::request;

/// A shorter link would expire before it is opened.
const SHORTEST: Lifetime = Lifetime::from_seconds(60);

/// More than a person can look at; and it keeps links short enough to send.
const VARIATIONS_AT_MOST: usize = 20;

/// Enough for an address, some names and a number.
pub const PREVIEW_REQUEST_BYTES_AT_MOST: usize = 16 * 1024;

/// The longest lifetime of a live link: people forget older links.
const LONGEST: Lifetime = Lifetime::from_seconds(30 * 24 * 3_600);

request! {
    /// A preview link to make.
    pub struct PreviewLinkRequest: "preview_request" {
        /// The address of the page.
        url: String where {"format": "uri"},
        /// Keys or ids of the variations.
        variations: Vec<String> where {"minItems": 1, "maxItems": VARIATIONS_AT_MOST},
        /// Whether the variations are taken from the draft.
        draft: Option<bool>,
        /// Whether people who have the link may switch to other variations of the same experiments.
        switchable: Option<bool>,
        /// For how many seconds the link works; at most 604800 for a draft.
        expires_in: Option<i64> where {"minimum": (SHORTEST.seconds()), "maximum": (LONGEST.seconds())},
    }
}

/// The state of the project that a link follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PreviewSource {
    /// What is live.
    #[default]
    Live,
    /// The draft, for the variations that the link shows.
    Draft,
}

impl PreviewSource {
    /// The default lifetime. A link is made for a review: people who open it later ask for a new one.
    #[must_use]
    pub const fn usual_lifetime(self) -> Lifetime {
        match self {
            Self::Live => Lifetime::from_seconds(7 * 24 * 3_600),
            Self::Draft => Lifetime::from_seconds(24 * 3_600),
        }
    }

    /// A draft link shows unpublished content, so it expires sooner.
    const fn longest_lifetime(self) -> Lifetime {
        match self {
            Self::Live => LONGEST,
            Self::Draft => Lifetime::from_seconds(7 * 24 * 3_600),
        }
    }
}

/// What the link leads to and shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewRequest {
    /// The address of the page.
    pub url: String,
    /// Keys or ids of the variations.
    pub variations: Vec<String>,
    /// The state that the variations come from.
    pub source: PreviewSource,
    /// Whether people who have the link may switch to other variations of the same experiments.
    pub is_switchable: bool,
    /// The link's lifetime; `None` is the default.
    pub lifetime: Option<Lifetime>,
}

impl From<PreviewLinkRequest> for PreviewRequest {
    fn from(sent: PreviewLinkRequest) -> Self {
        let PreviewLinkRequest { url, variations, draft, switchable, expires_in } = sent;
        let source =
            if draft.unwrap_or_default() { PreviewSource::Draft } else { PreviewSource::Live };
        let is_switchable = switchable.unwrap_or_default();
        Self {
            url,
            variations,
            source,
            is_switchable,
            lifetime: expires_in.map(Lifetime::from_seconds),
        }
    }
}

impl PreviewRequest {
    pub(super) fn lifetime(&self) -> Lifetime {
        self.lifetime.unwrap_or(self.source.usual_lifetime())
    }

    /// The faults of the request that do not depend on the project.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut wrong = |field: &str, message: String| {
            faults.push(Fault::error("unsuitable", pointer(field), message));
        };
        if self.url.len() > ADDRESS_BYTES_AT_MOST {
            wrong("url", format!("longer than {ADDRESS_BYTES_AT_MOST} bytes"));
        }
        if self.variations.is_empty() {
            wrong("variations", "at least one variation has to be shown".to_owned());
        }
        if self.variations.len() > VARIATIONS_AT_MOST {
            wrong("variations", format!("more than {VARIATIONS_AT_MOST} variations"));
        }
        let longest = self.source.longest_lifetime();
        if self.lifetime() < SHORTEST || self.lifetime() > longest {
            let (shortest, longest) = (SHORTEST.seconds(), longest.seconds());
            wrong("expires_in", format!("a link is good for {shortest} to {longest} seconds"));
        }
        faults
    }
}

fn pointer(field: &str) -> Pointer {
    Pointer::root().field(field)
}
