//! The JSON Patch (RFC 6902) between two documents.

use std::borrow::Borrow;

use domain::{Pointer, SharedDocument};
use serde_json::{Value, json};

use crate::documents::same_text::is_same_text;

/// The patch from `before` to `after`.
pub(crate) fn patch_between(before: &SharedDocument, after: &SharedDocument) -> Value {
    let mut found = Vec::new();
    for name in after.names() {
        let pointer = Pointer::root().field(name);
        if before.names().any(|known| known == name) {
            collect(&pointer, before.value(name), after.value(name), &mut found);
            collect_list(&pointer, before.list(name), after.list(name), &mut found);
        } else {
            found.push(json!({"op": "add", "path": pointer, "value": after.to_value(name)}));
        }
    }
    let gone = before.names().filter(|name| !after.names().any(|known| known == *name));
    found.extend(gone.map(|name| removal(&Pointer::root().field(name))));
    Value::Array(found)
}

/// Descends to where the two differ before it builds anything: of ten thousand resources usually one has changed.
fn collect(pointer: &Pointer, before: &Value, after: &Value, found: &mut Vec<Value>) {
    if is_same_text(before, after) {
        return;
    }
    match (before, after) {
        (Value::Object(earlier), Value::Object(later)) if earlier.keys().eq(later.keys()) => {
            for ((name, earlier), later) in earlier.iter().zip(later.values()) {
                if !is_same_text(earlier, later) {
                    collect(&pointer.field(name), earlier, later, found);
                }
            }
        }
        (Value::Array(earlier), Value::Array(later)) => {
            collect_list(pointer, earlier, later, found);
        }
        _ => found.extend(operations_at(pointer, before, after)),
    }
}

fn collect_list<V: Borrow<Value>>(
    pointer: &Pointer,
    before: &[V],
    after: &[V],
    found: &mut Vec<Value>,
) {
    for (place, (before, after)) in before.iter().zip(after).enumerate() {
        let (before, after) = (before.borrow(), after.borrow());
        if !is_same_text(before, after) {
            collect(&pointer.element(place), before, after, found);
        }
    }
    for (place, value) in after.iter().enumerate().skip(before.len()) {
        let (path, value) = (pointer.element(place), value.borrow());
        found.push(json!({"op": "add", "path": path, "value": value}));
    }
    let gone = (after.len()..before.len()).rev();
    found.extend(gone.map(|place| removal(&pointer.element(place))));
}

fn removal(pointer: &Pointer) -> Value {
    json!({"op": "remove", "path": pointer})
}

fn operations_at(pointer: &Pointer, before: &Value, after: &Value) -> Vec<Value> {
    let found = serde_json::to_value(json_patch::diff(before, after));
    let Ok(Value::Array(mut operations)) = found else { return Vec::new() };
    for operation in &mut operations {
        let path = operation["path"].as_str().unwrap_or_default();
        operation["path"] = json!(format!("{}{path}", pointer.as_str()));
    }
    operations
}

#[cfg(test)]
mod tests {
    use domain::SharedDocument;
    use serde_json::{Value, json};

    use super::patch_between;

    fn between(before: &Value, after: &Value) -> Value {
        let [before, after] =
            [before, after].map(|document| SharedDocument::of(document.clone()).unwrap());
        patch_between(&before, &after)
    }

    #[test]
    fn a_patch_makes_the_one_the_other_and_names_only_what_differs() {
        let before = json!({"pages": [{"id": "1", "a/b": {"x": 1}}, {"id": "2"}], "name": "Shop", "list": [1, 2]});
        let mut changed = before.clone();
        changed["pages"][0]["a/b"]["x"] = json!(2);
        let mut longer = before.clone();
        longer["pages"].as_array_mut().unwrap().push(json!({"id": "3"}));
        let mut other = before.clone();
        other["list"] = json!([2]);
        other["pages"][1]["key"] = json!("home");
        other["pages"][0]["a/b"] = json!([{"x": []}, 2, 3]);
        other["name"] = Value::Null;
        other["new"] = json!(["a"]);
        let nothing = json!({});

        let path = "/pages/0/a~1b/x";
        assert_eq!(
            between(&before, &changed),
            json!([{"op": "replace", "path": path, "value": 2}])
        );
        assert_eq!(
            between(&before, &longer),
            json!([{"op": "add", "path": "/pages/2", "value": {"id": "3"}}])
        );
        let states = [&before, &changed, &longer, &other, &nothing];
        for (before, after) in states.iter().flat_map(|one| states.map(|other| (*one, other))) {
            let operations: json_patch::Patch =
                serde_json::from_value(between(before, after)).unwrap();
            let mut result = before.clone();
            json_patch::patch(&mut result, &operations).unwrap();
            assert_eq!(result, *after);
        }
    }
}
