//! Events: what visitors do that a site wants to count.

use serde::Serialize;

use crate::words::words;
use crate::{EventId, Key, PageId};

/// Something that visitors do. The site tells of it by its key, or it is seen in the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Names the event for programs.
    pub id: EventId,
    /// Names the event in documents and in the page.
    pub key: Key,
    /// What people call the event.
    pub name: Option<String>,
    /// How it comes to be known.
    pub kind: EventKind,
    /// What it means to the site.
    pub category: EventCategory,
    /// The one page where it counts; every page when left out.
    pub page: Option<PageId>,
    /// What is clicked; there for clicks, and only there.
    pub selector: Option<String>,
    /// What may be told with it.
    pub properties: Vec<EventProperty>,
    /// Whether it is archived: it keeps its id and key, but nothing new is counted.
    pub archived: bool,
}

words! {
    /// How an event comes to be known.
    pub enum EventKind {
        /// The site tells.
        Custom = "custom",
        /// An element is clicked.
        Click = "click",
        /// A page turns active.
        Pageview = "pageview",
    }
}

words! {
    /// What an event means to a site.
    pub enum EventCategory {
        /// Something went into the cart.
        AddToCart = "add_to_cart",
        /// Something was kept for later.
        Save = "save",
        /// Something was searched for.
        Search = "search",
        /// Something was shown to others.
        Share = "share",
        /// Something was bought.
        Purchase = "purchase",
        /// Whatever the site lives on was done.
        Convert = "convert",
        /// An account was opened.
        SignUp = "sign_up",
        /// Something regular was ordered.
        Subscribe = "subscribe",
        /// Anything else.
        Other = "other",
    }
}

/// Something that may be told with an event, such as an amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EventProperty {
    /// Its name, as the site tells it.
    pub name: String,
    /// What its values are.
    #[serde(rename = "type")]
    pub kind: EventPropertyKind,
}

words! {
    /// What the values of an event's property are.
    pub enum EventPropertyKind {
        /// Texts.
        String = "string",
        /// Numbers.
        Number = "number",
        /// `true` or `false`.
        Boolean = "boolean",
    }
}
