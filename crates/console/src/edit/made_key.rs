//! Keys for resources whose names have no letter that a key may have, such as Japanese ones: a member need not invent one.

use std::collections::HashSet;

use domain::Key;
use serde_json::{Value, json};

/// Gives each resource of a list that has a name but neither a key, nor a name to make one from, the first free key `word_1`, `word_2`, …
pub(crate) fn make_keys(resources: &mut [Value], word: &str) {
    let mut taken: HashSet<String> = resources.iter().filter_map(key_of).collect();
    for resource in resources.iter_mut().filter(|resource| needs_key(resource)) {
        let key = first_free(word, &taken);
        resource["key"] = json!(key);
        taken.insert(key);
    }
}

/// The key for a resource that comes beside those of a list, if it needs one.
pub(super) fn key_beside<'r>(
    resource: &Value,
    word: &str,
    others: impl Iterator<Item = &'r Value>,
) -> Option<String> {
    needs_key(resource).then(|| first_free(word, &others.filter_map(key_of).collect()))
}

/// A resource without a name has a fault of its own.
fn needs_key(resource: &Value) -> bool {
    let has_name = resource["name"].as_str().is_some_and(|name| !name.is_empty());
    has_name && key_of(resource).is_none()
}

/// The key that a resource has, or that is made from its name.
pub(super) fn key_of(resource: &Value) -> Option<String> {
    let key = resource["key"].as_str().map(str::to_owned);
    key.or_else(|| Key::from_name(resource["name"].as_str()?).map(|key| key.to_string()))
}

/// The first key `word_1`, `word_2`, … that is not taken.
pub(super) fn first_free(word: &str, taken: &HashSet<String>) -> String {
    let mut keys = (1_u64..).map(|number| format!("{word}_{number}"));
    keys.find(|key| !taken.contains(key)).expect("there are more numbers than keys")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{key_beside, make_keys};

    #[test]
    fn a_name_without_latin_letters_gets_a_key_that_no_other_has() {
        let mut resources = [
            json!({"name": "Привет", "key": null}),
            json!({"name": "Page 2", "key": null}),
            json!({"name": "日本", "key": "japan"}),
            json!({"name": "日本"}),
            json!({"name": null, "key": null}),
        ];

        make_keys(&mut resources, "page");

        let keys = resources.map(|resource| resource["key"].clone());
        assert_eq!(
            keys,
            [json!("page_1"), json!(null), json!("japan"), json!("page_3"), json!(null)]
        );
    }

    #[test]
    fn a_new_resource_gets_a_key_only_if_its_name_makes_none() {
        let others = [json!({"key": "page_1"}), json!({"key": "home"})];
        let key = |resource| key_beside(&resource, "page", others.iter());

        assert_eq!(key(json!({"name": "日本"})).as_deref(), Some("page_2"));
        assert_eq!(key(json!({"name": "Shop"})), None);
        assert_eq!(key(json!({"name": "日本", "key": "japan"})), None);
        assert_eq!(key(json!({"name": null})), None);
    }
}
