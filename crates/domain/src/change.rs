//! Changes: what a variation does to the visitor's page.

use serde::Serialize;

use crate::PageId;
use crate::words::words;

/// One change that a variation makes to the visitor's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The id that `depends_on` uses, if the document gives one.
    pub id: Option<String>,
    /// The one page it is limited to; all of the campaign's pages when left out.
    pub page: Option<PageId>,
    /// Whether the runtime may apply it after the others, instead of waiting for its element first.
    pub is_async: bool,
    /// Ids of the changes in the same list that the runtime must apply before it.
    pub depends_on: Vec<String>,
    /// What it does.
    pub kind: ChangeKind,
}

/// What a change does to the page. Selectors are CSS selectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ChangeKind {
    /// Replaces the text of the elements.
    Text {
        /// Which elements.
        selector: String,
        /// The new text.
        value: String,
    },
    /// Replaces the content of the elements.
    Html {
        /// Which elements.
        selector: String,
        /// The new content.
        value: String,
    },
    /// Sets one style property of the elements.
    Style {
        /// Which elements.
        selector: String,
        /// The CSS property.
        name: String,
        /// Its value; `None` removes it.
        value: Option<String>,
    },
    /// Adds classes to the elements.
    Class {
        /// Which elements.
        selector: String,
        /// The classes, separated by spaces.
        value: String,
    },
    /// Sets one attribute of the elements.
    Attribute {
        /// Which elements.
        selector: String,
        /// The attribute.
        name: String,
        /// Its value; `None` removes it.
        value: Option<String>,
    },
    /// Inserts content beside or inside the elements.
    Insert {
        /// Which elements.
        selector: String,
        /// The content, as HTML.
        value: String,
        /// Where to insert it, relative to the element.
        position: Position,
    },
    /// Moves the element beside or inside another.
    Move {
        /// Which element.
        selector: String,
        /// Selector of the other element.
        to: String,
        /// Where to move it, relative to the other element.
        position: Position,
    },
    /// Removes the elements.
    Remove {
        /// Which elements.
        selector: String,
    },
    /// Adds a style sheet.
    Css {
        /// The style sheet.
        value: String,
    },
    /// Runs the member's code.
    Javascript {
        /// A function body.
        value: String,
    },
    /// Redirects the visitor to another address.
    Redirect {
        /// The destination.
        #[serde(flatten)]
        destination: Destination,
        /// Whether the redirect keeps the page's query parameters.
        preserve_parameters: bool,
        /// Whether it may also redirect a visitor who arrived by a redirect.
        allow_chain: bool,
    },
}

/// Where a redirect leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Destination {
    /// To this address, absolute or relative to the page.
    #[serde(rename = "destination")]
    Url(String),
    /// To the address that a JavaScript function body returns.
    #[serde(rename = "destination_code")]
    Code(String),
}

words! {
    /// A position relative to an element.
    pub enum Position {
        /// Before the element.
        Before = "before",
        /// After the element.
        After = "after",
        /// Inside the element, before its content.
        Prepend = "prepend",
        /// Inside the element, after its content.
        Append = "append",
    }
}
