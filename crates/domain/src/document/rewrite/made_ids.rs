//! The ids that a text alone makes of its keys. Where a key has changed on a server, the resource keeps its id there, and so do those
//! inside it: the text has to say these ids, or its experiments would be others without that server.

use serde_json::Value;

use super::differences::Change;
use crate::Pointer;
use crate::document::adopted::{LISTS, inner};

/// Where the text has to say an id. `alone` is what it means to a reader that knows no server, with the same resources in the same order.
pub(super) fn ids_to_say<'v>(alone: &Value, wanted: &'v Value) -> Vec<Change<'v>> {
    let (mut found, root) = (Vec::new(), Pointer::root());
    say_id((&alone["project"], &wanted["project"]), &root.field("project"), &mut found);
    for list in LISTS {
        look_into((alone, wanted), list, &root, &mut found);
    }
    found
}

fn look_into<'v>(
    (alone, wanted): (&Value, &'v Value),
    list: &str,
    at: &Pointer,
    found: &mut Vec<Change<'v>>,
) {
    let alone = alone[list].as_array().into_iter().flatten();
    let wanted = wanted[list].as_array().into_iter().flatten();
    for (index, pair) in alone.zip(wanted).enumerate() {
        let at = at.field(list).element(index);
        say_id(pair, &at, found);
        if let Some(inner) = inner(list) {
            look_into(pair, inner, &at, found);
        }
    }
}

fn say_id<'v>((alone, wanted): (&Value, &'v Value), at: &Pointer, found: &mut Vec<Change<'v>>) {
    if alone["id"] != wanted["id"] {
        found.push(Change::Set(at.field("id"), &wanted["id"]));
    }
}

/// Whether a list with this name has resources, whose ids are made of their keys.
pub(super) fn has_made_ids(list: &str) -> bool {
    LISTS.contains(&list) || matches!(list, "experiments" | "variations")
}
