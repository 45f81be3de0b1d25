//! The JSON merge patch (RFC 7396) that makes one state of a resource into another: what a member changed.

use serde_json::{Map, Value};

/// The patch from `before` to `after`, which has the changed fields only.
pub(crate) fn merge_patch(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) -> Map<String, Value> {
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let gone = gone.map(|name| (name.clone(), Value::Null));
    let changed = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
    let changed = changed.map(|(name, value)| match (before.get(name), value) {
        (Some(Value::Object(before)), Value::Object(after)) => {
            (name.clone(), Value::Object(merge_patch(before, after)))
        }
        (_, value) => (name.clone(), value.clone()),
    });
    gone.chain(changed).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::merge_patch;

    #[test]
    fn a_patch_has_what_changed_and_nothing_else() {
        let before = json!({"name": "a", "list": [1], "inner": {"x": 1, "y": 2}, "gone": 1, "same": {"z": []}});
        let after = json!({"name": null, "list": [1, null], "inner": {"x": 1, "y": 3, "n": 4}, "same": {"z": []}});

        let patch = merge_patch(before.as_object().unwrap(), after.as_object().unwrap());

        let expected =
            json!({"gone": null, "name": null, "list": [1, null], "inner": {"y": 3, "n": 4}});
        assert_eq!(Value::Object(patch), expected);
        assert!(merge_patch(before.as_object().unwrap(), before.as_object().unwrap()).is_empty());
    }
}
