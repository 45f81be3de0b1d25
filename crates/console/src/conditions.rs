//! Trees of conditions in the forms of pages, audiences and experiments: nested groups of questions, changed by buttons alone.

mod kinds;
mod node;
mod normal;
mod unanswered;

use serde_json::{Value, json};

pub(crate) use crate::conditions::kinds::Subject;
use crate::conditions::kinds::kind_of;
pub(crate) use crate::conditions::node::{Node, root};
pub(crate) use crate::conditions::normal::{any_of, closed, opened};
pub(crate) use crate::conditions::unanswered::unanswered;

/// Where the tree stands in pages and audiences.
pub(crate) const AT: &str = "/conditions";

/// What a button adds to a group of the tree in pages and audiences: a condition of this kind, or another group.
pub(crate) fn element(list: &str, word: &str) -> Option<Value> {
    list.starts_with(AT).then(|| new_node(word)).flatten()
}

/// A new condition of this kind, or a new group.
pub(crate) fn new_node(word: &str) -> Option<Value> {
    match word {
        "group" => Some(json!(["or"])),
        "audience" => Some(json!({"audience": null})),
        word => kind_of(word).map(|kind| {
            let first = kind.matches.first();
            let mut condition = json!({"type": kind.word});
            if let Some(first) = first {
                condition["match"] = json!(first);
            }
            if word == "behavior" {
                condition["value"] =
                    json!({"event": null, "page": null, "at_least": 1, "within_days": 30});
            }
            condition
        }),
    }
}
