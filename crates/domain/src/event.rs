//! Events: visitors' actions that a site wants to count.

use serde::Serialize;

use crate::words::words;
use crate::{EventId, Key, PageId};

/// Something that visitors do. The site reports it by its key, or the runtime sees it in the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Names the event for programs.
    pub id: EventId,
    /// Names the event in documents and in the page.
    pub key: Key,
    /// The event's display name.
    pub name: Option<String>,
    /// How the runtime learns of it.
    pub kind: EventKind,
    /// What it means to the site.
    pub category: EventCategory,
    /// The one page where it counts; every page when left out.
    pub page: Option<PageId>,
    /// What the visitor clicks; present for clicks only.
    pub selector: Option<String>,
    /// What the site may report with it.
    pub properties: Vec<EventProperty>,
    /// Whether it is archived: it keeps its id and key, but no longer counts.
    pub archived: bool,
}

words! {
    /// How the runtime learns of an event.
    pub enum EventKind {
        /// The site reports it.
        Custom = "custom",
        /// The visitor clicks an element.
        Click = "click",
        /// A page becomes active.
        Pageview = "pageview",
    }
}

words! {
    /// What an event means to a site.
    pub enum EventCategory {
        /// The visitor added something to the cart.
        AddToCart = "add_to_cart",
        /// The visitor saved something for later.
        Save = "save",
        /// The visitor searched for something.
        Search = "search",
        /// The visitor shared something.
        Share = "share",
        /// The visitor bought something.
        Purchase = "purchase",
        /// The visitor reached the site's main goal.
        Convert = "convert",
        /// The visitor opened an account.
        SignUp = "sign_up",
        /// The visitor subscribed to something.
        Subscribe = "subscribe",
        /// Anything else.
        Other = "other",
    }
}

/// A value that the site may report with an event, such as an amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventProperty {
    /// Its name, as the site reports it.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: EventPropertyKind,
}

words! {
    /// The type of an event property's values.
    pub enum EventPropertyKind {
        /// Texts.
        String = "string",
        /// Numbers.
        Number = "number",
        /// `true` or `false`.
        Boolean = "boolean",
    }
}
