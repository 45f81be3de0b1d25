//! What somebody wants a preview link for, from a command, a form or JSON.

use domain::{Fault, Pointer};
use oauth::Lifetime;
use serde_json::Value;

use crate::previews::address::ADDRESS_BYTES_AT_MOST;

/// Less is over before the link is opened.
const SHORTEST: Lifetime = Lifetime::from_seconds(60);

/// More than a person can look at, and it keeps links short enough to send.
const VARIATIONS_AT_MOST: usize = 20;

/// An address, some names and a number need no more.
pub const PREVIEW_REQUEST_BYTES_AT_MOST: usize = 16 * 1024;

const FIELDS: [&str; 4] = ["url", "variations", "draft", "expires_in"];

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

    /// What is good for longer is forgotten, and cannot be taken back one by one. What a draft link shows nobody has published.
    const fn longest_lifetime(self) -> Lifetime {
        match self {
            Self::Live => Lifetime::from_seconds(30 * 24 * 3_600),
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

impl PreviewRequest {
    /// Reads the JSON of a program: `url`, `variations`, and perhaps `draft` and `expires_in` in seconds.
    ///
    /// # Errors
    /// Everything that is wrong with the form of it.
    pub fn read(text: &str) -> Result<Self, Vec<Fault>> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let message = format!("not readable as JSON: {error}");
            vec![Fault::error("unreadable", Pointer::root(), message)]
        })?;
        let mut faults = unknown_fields(&value);
        let mut wrong = |field: &str, expected: &str| {
            let fault = Fault::error("unsuitable", pointer(field), "this does not fit here");
            faults.push(fault.expected(expected));
        };
        let url = value["url"].as_str().unwrap_or_else(|| {
            wrong("url", "the address of a page");
            ""
        });
        let variations = texts(&value["variations"]).unwrap_or_else(|| {
            wrong("variations", "a list of keys or ids");
            Vec::new()
        });
        let source = source(&value["draft"]).unwrap_or_else(|| {
            wrong("draft", "`true` or `false`");
            PreviewSource::Live
        });
        let lifetime = lifetime(&value["expires_in"]).unwrap_or_else(|NoSeconds| {
            wrong("expires_in", "whole seconds");
            None
        });
        let request = Self { url: url.to_owned(), variations, source, lifetime };
        if faults.is_empty() { Ok(request) } else { Err(faults) }
    }

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

fn unknown_fields(value: &Value) -> Vec<Fault> {
    let names = value.as_object().into_iter().flat_map(|fields| fields.keys());
    let unknown = names.filter(|name| !FIELDS.contains(&name.as_str())).map(|name| {
        let message = format!("unknown field `{name}`");
        Fault::error("unknown_field", pointer(name), message).did_you_mean(name, FIELDS)
    });
    unknown.collect()
}

fn source(value: &Value) -> Option<PreviewSource> {
    match value {
        Value::Null | Value::Bool(false) => Some(PreviewSource::Live),
        Value::Bool(true) => Some(PreviewSource::Draft),
        Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// As usual where nothing is said; an error for what is no number of seconds.
fn lifetime(value: &Value) -> Result<Option<Lifetime>, NoSeconds> {
    if value.is_null() {
        return Ok(None);
    }
    value.as_i64().map(Lifetime::from_seconds).map(Some).ok_or(NoSeconds)
}

struct NoSeconds;

fn texts(value: &Value) -> Option<Vec<String>> {
    let texts = value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
    texts.collect()
}

fn pointer(field: &str) -> Pointer {
    Pointer::root().field(field)
}
