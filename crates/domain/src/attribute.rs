//! Custom attributes: what a site tells about its visitors, such as their plan.

use serde::Serialize;

use crate::{AttributeId, Key};

/// A custom attribute of visitors that audiences may ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attribute {
    /// Names the attribute for programs.
    pub id: AttributeId,
    /// Names the attribute in documents and in the page.
    pub key: Key,
    /// What people call the attribute.
    pub name: Option<String>,
    /// Whether it is archived: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}
