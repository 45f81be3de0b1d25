//! A new resource that is like a stored one: `…/new?copy=2001`. Its name and its key are its own.

use std::collections::HashSet;

use app::campaigns::{make_new_campaign, name_of_copy};
use app::documents::ResourceKind;
use domain::limits::MAX_KEY_LENGTH;
use serde_json::{Map, Value, json};

use crate::edit::made_key::{first_free, key_of};

/// Fields that a copy of a resource gets anew.
const OWN: [&str; 5] = ["id", "key", "status", "archived", "shipped"];

/// Bytes that a number adds to a key: there are fewer resources than it can count.
const NUMBER_LENGTH: usize = 6;

/// The fields of a copy, which comes beside the others of its kind. Its key is made from its name when it is saved, if that key is free.
pub(super) fn copied<'r>(
    kind: ResourceKind,
    original: Map<String, Value>,
    others: impl Iterator<Item = &'r Value>,
) -> Map<String, Value> {
    let mut copy = Value::Object(original);
    if kind == ResourceKind::Campaign {
        make_new_campaign(&mut copy);
    }
    let called = ["name", "key"].into_iter().find_map(|field| copy[field].as_str());
    let called = called.map(str::to_owned);
    let mut copy = copy.as_object_mut().map(std::mem::take).unwrap_or_default();
    for field in OWN {
        copy.shift_remove(field);
    }
    if let (Some(called), true) = (called, copy.contains_key("name")) {
        let (name, key) = name_and_key(&called, others);
        copy.insert("name".to_owned(), json!(name));
        copy.extend(key.map(|key| ("key".to_owned(), json!(key))));
    }
    copy
}

/// The first name of a copy that is free, and a key if the one that is made from it is not.
fn name_and_key<'r>(
    called: &str,
    others: impl Iterator<Item = &'r Value>,
) -> (String, Option<String>) {
    let (mut names, mut keys) = (HashSet::new(), HashSet::new());
    for other in others {
        names.extend(other["name"].as_str());
        keys.extend(key_of(other));
    }
    let name = name_of_copy(called, |other| names.contains(other));
    let taken = key_of(&json!({"name": name})).filter(|key| keys.contains(key));
    let key = taken.map(|key| {
        // Keys are plain ASCII.
        let length = key.len().min(MAX_KEY_LENGTH - NUMBER_LENGTH);
        first_free(&key[..length], &keys)
    });
    (name, key)
}

#[cfg(test)]
mod tests {
    use app::documents::ResourceKind;
    use serde_json::{Map, Value, json};

    use super::copied;

    fn copy(kind: ResourceKind, original: &Value, others: &[Value]) -> Value {
        let fields: Map<String, Value> = original.as_object().unwrap().clone();
        Value::Object(copied(kind, fields, others.iter()))
    }

    #[test]
    fn a_copy_keeps_what_is_not_its_originals_alone() {
        let original =
            json!({"id": "1", "key": "a", "name": "A", "map": {"a": 1}, "archived": true});

        let copy = copy(ResourceKind::Attribute, &original, std::slice::from_ref(&original));

        assert_eq!(copy, json!({"name": "A (copy)", "map": {"a": 1}}));
    }

    #[test]
    fn a_copy_has_a_name_and_a_key_that_no_other_has() {
        let long = "a".repeat(200);
        let others = [
            json!({"key": "a", "name": "A"}),
            json!({"key": "x", "name": "A (copy)"}),
            json!({"key": "b_copy", "name": "Before"}),
            json!({"key": "a".repeat(64), "name": long}),
        ];
        let copy = |key: &str, name: Value| {
            let copy = copy(ResourceKind::Page, &json!({"key": key, "name": name}), &others);
            (copy["name"].as_str().unwrap().to_owned(), copy.get("key").cloned())
        };

        assert_eq!(copy("a", json!("A")), ("A (copy 2)".to_owned(), None));
        assert_eq!(copy("b", json!("B")), ("B (copy)".to_owned(), Some(json!("b_copy_1"))));
        assert_eq!(copy("nameless", json!(null)), ("nameless (copy)".to_owned(), None));
        let cut = (format!("{} (copy)", &long[..193]), Some(json!(format!("{}_1", &long[..58]))));
        assert_eq!(copy("long", json!(long)), cut);
    }

    #[test]
    fn nothing_in_a_copied_campaign_has_the_id_of_its_original() {
        let variations = json!([
            {"id": "5", "key": "a", "weight": 10_000, "paused": true, "archived": false, "changes": [{"id": "x"}]},
            {"id": "6", "key": "b", "weight": 0, "archived": true},
        ]);
        let experiment = |id: &str, key: &str| json!({"id": id, "key": key, "winner": "5", "variations": variations});
        let original = json!({
            "id": "1", "key": "hero", "name": "Hero", "status": "running", "pages": ["7"],
            "experiments": [experiment("3", "one"), experiment("4", "two")], "priorities": [["4"], ["3"]],
        });

        let copy = copy(ResourceKind::Campaign, &original, std::slice::from_ref(&original));

        let variations = json!([{"key": "a", "weight": 10_000, "paused": false, "archived": false, "changes": [{"id": "x"}]}]);
        let experiment = |key: &str| json!({"key": key, "winner": null, "variations": variations});
        let expected = json!({
            "name": "Hero (copy)", "pages": ["7"], "schedule": null,
            "experiments": [experiment("one"), experiment("two")], "priorities": [["two"], ["one"]],
        });
        assert_eq!(copy, expected);
    }
}
