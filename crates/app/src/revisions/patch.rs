//! What makes one document another, as a JSON Patch (RFC 6902).

use domain::Pointer;
use serde_json::{Value, json};

use crate::same_text::is_same_text;

/// The patch that makes `before` become `after`.
pub(crate) fn patch_between(before: &Value, after: &Value) -> Value {
    let mut operations = Vec::new();
    collect(&Pointer::root(), before, after, &mut operations);
    Value::Array(operations)
}

/// Goes down to where the two part before anything is made of it: of ten thousand things mostly one has changed.
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
        (Value::Array(earlier), Value::Array(later)) if earlier.len() == later.len() => {
            for (place, (earlier, later)) in earlier.iter().zip(later).enumerate() {
                if !is_same_text(earlier, later) {
                    collect(&pointer.element(place), earlier, later, found);
                }
            }
        }
        (Value::Array(earlier), Value::Array(later)) if later.starts_with(earlier) => {
            let added = later[earlier.len()..].iter().enumerate();
            found.extend(added.map(|(place, value)| {
                let path = pointer.element(earlier.len() + place);
                json!({"op": "add", "path": path, "value": value})
            }));
        }
        _ => found.extend(operations_at(pointer, before, after)),
    }
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
    use serde_json::{Value, json};

    use super::patch_between;

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
        other["name"] = Value::Null;

        let path = "/pages/0/a~1b/x";
        assert_eq!(
            patch_between(&before, &changed),
            json!([{"op": "replace", "path": path, "value": 2}])
        );
        assert_eq!(
            patch_between(&before, &longer),
            json!([{"op": "add", "path": "/pages/2", "value": {"id": "3"}}])
        );
        for after in [&before, &changed, &longer, &other] {
            let operations = patch_between(&before, after);
            let operations: json_patch::Patch = serde_json::from_value(operations).unwrap();
            let mut result = before.clone();
            json_patch::patch(&mut result, &operations).unwrap();
            assert_eq!(result, *after);
        }
    }
}
