//! What a member or a program wants a preview link for, from a command, a form or JSON.

use domain::{Fault, Pointer};
use oauth::Lifetime;

use crate::previews::address::ADDRESS_BYTES_AT_MOST;
use crate::request;

/// Less is over before the link is opened.
const SHORTEST: Lifetime = Lifetime::from_seconds(60);

/// More than a person can look at, and it keeps links short enough to send.
const VARIATIONS_AT_MOST: usize = 20;

/// An address, some names and a number need no more.
pub const PREVIEW_REQUEST_BYTES_AT_MOST: usize = 16 * 1024;

/// What a link to what is live may be good for: what is good for longer is forgotten, and cannot be taken back one by one.
const LONGEST: Lifetime = Lifetime::from_seconds(30 * 24 * 3_600);

request! {
    /// What a preview link is to show.
    pub struct PreviewLinkRequest: "preview_request" {
        /// The address of the page.
        url: String where {"format": "uri"},
        /// Keys or ids of the variations.
        variations: Vec<String> where {"minItems": 1, "maxItems": VARIATIONS_AT_MOST},
        /// Whether the variations are taken from the draft.
        draft: Option<bool>,
        /// For how many seconds the link is good; at most 604800 for a draft.
        expires_in: Option<i64> where {"minimum": (SHORTEST.seconds()), "maximum": (LONGEST.seconds())},
    }
}

/// Which state of the project a link follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PreviewSource {
    /// What is live.
    #[default]
    Live,
    /// The draft, as far as the variations go that the link shows.
    Draft,
}

impl PreviewSource {
    /// How long a link is good where nothing else is said. It is made for a review: who opens it later gets a new one.
    #[must_use]
    pub const fn usual_lifetime(self) -> Lifetime {
        match self {
            Self::Live => Lifetime::from_seconds(7 * 24 * 3_600),
            Self::Draft => Lifetime::from_seconds(24 * 3_600),
        }
    }

    /// What a link to a draft shows is not published.
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
    /// Where they are taken from.
    pub source: PreviewSource,
    /// How long the link is good; as usual where nothing is said.
    pub lifetime: Option<Lifetime>,
}

impl From<PreviewLinkRequest> for PreviewRequest {
    fn from(sent: PreviewLinkRequest) -> Self {
        let PreviewLinkRequest { url, variations, draft, expires_in } = sent;
        let source =
            if draft.unwrap_or_default() { PreviewSource::Draft } else { PreviewSource::Live };
        Self { url, variations, source, lifetime: expires_in.map(Lifetime::from_seconds) }
    }
}

impl PreviewRequest {
    pub(super) fn lifetime(&self) -> Lifetime {
        self.lifetime.unwrap_or(self.source.usual_lifetime())
    }

    /// What is wrong with it, whatever the project.
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
