//! Pages: URL conditions, and what makes them active.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::words::words;
use crate::{Conditions, Key, PageId};

/// A set of addresses on the site, and when it counts as visited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Page {
    /// Names the page for programs.
    pub id: PageId,
    /// Names the page in documents; also its in-page API name.
    pub key: Key,
    /// The page's display name.
    pub name: Option<String>,
    /// A free word such as `home` or `product`.
    pub category: Option<String>,
    /// What the address must meet for the page to become active; without conditions, any address does.
    pub conditions: Conditions,
    /// When the runtime checks the conditions.
    pub activation: Activation,
    /// Whether the page becomes inactive when its conditions stop holding.
    pub deactivation: bool,
    /// Whether the runtime undoes changes then.
    pub undo_changes: bool,
    /// Values that the runtime finds in the page.
    pub tags: Vec<Tag>,
    /// Fixed values that the state module reports; a single level of scalars.
    pub metadata: Map<String, Value>,
    /// Whether it is archived: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}

/// When the runtime checks a page's conditions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Activation {
    /// The kind of moment.
    #[serde(rename = "type")]
    pub kind: ActivationKind,
    /// A JavaScript function body; present for polling and callback only.
    pub code: Option<String>,
}

impl Default for Activation {
    fn default() -> Self {
        Self { kind: ActivationKind::Immediate, code: None }
    }
}

words! {
    /// The moment at which the runtime checks a page's conditions.
    pub enum ActivationKind {
        /// As soon as the snippet runs.
        Immediate = "immediate",
        /// Only when the site pushes the page.
        Manual = "manual",
        /// As soon as the member's code returns something truthy.
        Polling = "polling",
        /// When the member's code calls `activate`.
        Callback = "callback",
        /// At load and whenever the document's elements change.
        DomChanged = "dom_changed",
        /// At load and whenever the address changes without a load.
        UrlChanged = "url_changed",
    }
}

/// A value that the runtime finds in the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tag {
    /// Names the value in the state module.
    pub key: Key,
    /// A free word such as `product`.
    pub category: Option<String>,
    /// Where to find the value: a CSS selector, a function body or a regular expression.
    pub locator: Option<String>,
    /// What the locator is.
    pub locator_type: Option<LocatorType>,
    /// How the runtime reads the text it finds.
    pub value_type: Option<ValueType>,
}

words! {
    /// What a tag's locator is.
    pub enum LocatorType {
        /// The text of the first element that the selector matches.
        CssSelector = "css_selector",
        /// What a JavaScript function body returns.
        Javascript = "javascript",
        /// The first group of a regular expression on the page's address.
        UrlRegex = "url_regex",
    }
}

words! {
    /// How the runtime reads the text that a tag's locator finds.
    pub enum ValueType {
        /// As it is.
        String = "string",
        /// As a number.
        Number = "number",
        /// As an amount of money.
        Currency = "currency",
    }
}
