//! The audiences of a project that a trial asks: those that the tried one names, and those that they name.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// All audiences of the project, without the conditions of those that the tried one does not ask. The names of all stay known.
pub(super) fn with_used_conditions(tried: &Map<String, Value>, mut all: Vec<Value>) -> Vec<Value> {
    let mut unasked: HashMap<String, Value> = HashMap::new();
    for one in &mut all {
        if let (Some(id), Some(conditions)) = (text(one, "id"), taken(one, "conditions")) {
            unasked.insert(id, conditions);
        }
    }
    let ids: HashMap<String, String> =
        all.iter().filter_map(|one| Some((text(one, "key")?, text(one, "id")?))).collect();
    let mut asked: HashMap<String, Value> = HashMap::new();
    let mut named = Vec::new();
    tried.get("conditions").into_iter().for_each(|tree| add_named(tree, &mut named));
    while let Some(name) = named.pop() {
        let id = ids.get(&name).unwrap_or(&name);
        if let Some((id, conditions)) = unasked.remove_entry(id) {
            add_named(&conditions, &mut named);
            asked.insert(id, conditions);
        }
    }
    for one in &mut all {
        if let Some(conditions) = text(one, "id").and_then(|id| asked.remove(&id)) {
            one["conditions"] = conditions;
        }
    }
    all
}

/// The page as conditions name it.
pub(super) fn without_conditions(mut page: Value) -> Value {
    for field in ["conditions", "tags"] {
        taken(&mut page, field);
    }
    page
}

fn taken(from: &mut Value, field: &str) -> Option<Value> {
    from.as_object_mut()?.shift_remove(field)
}

fn text(of: &Value, field: &str) -> Option<String> {
    of[field].as_str().map(str::to_owned)
}

/// The ids or keys in a tree of conditions, which is as deep as a document may be at most.
fn add_named(tree: &Value, named: &mut Vec<String>) {
    match tree {
        Value::Array(operands) => operands.iter().for_each(|operand| add_named(operand, named)),
        Value::Object(condition) => named.extend(condition.get("audience").and_then(|one| {
            // Ids may be numbers.
            one.as_str().map(str::to_owned).or_else(|| one.as_u64().map(|id| id.to_string()))
        })),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::with_used_conditions;

    #[test]
    fn audiences_keep_their_conditions_if_the_tried_one_asks_them_directly_or_not() {
        let named = |id: &str, key: &str, other: &str| json!({"id": id, "key": key, "conditions": ["or", {"audience": other}]});
        let all = vec![named("1", "a", "2"), named("2", "b", "b"), named("3", "c", "1")];
        let tried = json!({"conditions": ["and", ["not", {"audience": "a"}]]});

        let kept = with_used_conditions(tried.as_object().unwrap(), all.clone());

        assert_eq!(kept[..2], all[..2]);
        assert_eq!(kept[2], json!({"id": "3", "key": "c"}));
    }
}
