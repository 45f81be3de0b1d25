//! What of a project can run code in the visitor's page, or lead the visitor away: to write that takes a permission of its own.

use std::collections::HashSet;

use crate::{Change, ChangeKind, Destination, Project};

/// A text that can run code in the visitor's page, or lead the visitor away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Privileged<'a> {
    /// JavaScript, wherever it is.
    Javascript(&'a str),
    /// HTML, which can hold scripts and handlers of events.
    Html(&'a str),
    /// The address that a redirect leads to.
    Redirect(&'a str),
    /// The value of an attribute that browsers follow or run.
    Attribute(&'a str),
}

/// Attributes whose values browsers load, follow or run, but for handlers of events, which all begin with `on`. `content` and
/// `http-equiv` make a `meta` lead the visitor away, and an animation sets other attributes `by`, `from`, `to` and by `values`.
const RUNNABLE: [&str; 15] = [
    "action",
    "by",
    "content",
    "data",
    "formaction",
    "from",
    "href",
    "http-equiv",
    "ping",
    "src",
    "srcdoc",
    "srcset",
    "to",
    "values",
    "xlink:href",
];

impl Project {
    /// Every such text, each once: who may not write new ones may still use those again that are there.
    #[must_use]
    pub fn privileged(&self) -> HashSet<Privileged<'_>> {
        let code = self.code().into_iter().map(|code| Privileged::Javascript(code.text));
        let changes = self.located_changes();
        code.chain(changes.filter_map(|(_, change)| privileged(change))).collect()
    }
}

fn privileged(change: &Change) -> Option<Privileged<'_>> {
    match &change.kind {
        ChangeKind::Html { value, .. } | ChangeKind::Insert { value, .. } => {
            Some(Privileged::Html(value))
        }
        ChangeKind::Redirect { destination: Destination::Url(address), .. } => {
            Some(Privileged::Redirect(address))
        }
        ChangeKind::Attribute { name, value: Some(value), .. } if is_runnable(name) => {
            Some(Privileged::Attribute(value))
        }
        // What JavaScript there is has been found already.
        ChangeKind::Redirect { destination: Destination::Code(_), .. }
        | ChangeKind::Javascript { .. }
        | ChangeKind::Attribute { .. }
        | ChangeKind::Text { .. }
        | ChangeKind::Style { .. }
        | ChangeKind::Class { .. }
        | ChangeKind::Move { .. }
        | ChangeKind::Remove { .. }
        | ChangeKind::Css { .. } => None,
    }
}

/// HTML knows no case in names of attributes.
fn is_runnable(attribute: &str) -> bool {
    let name = attribute.to_ascii_lowercase();
    name.starts_with("on") || RUNNABLE.contains(&name.as_str())
}
