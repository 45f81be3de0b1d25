//! Custom attributes: what the site tells the snippet about a visitor, such as their plan.

use serde::Serialize;

use crate::{AttributeId, Key};

/// A custom attribute of visitors that audiences may test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attribute {
    /// Names the attribute for programs.
    pub id: AttributeId,
    /// Names the attribute in documents and in the page.
    pub key: Key,
    /// The attribute's display name.
    pub name: Option<String>,
    /// Whether it is archived: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}
