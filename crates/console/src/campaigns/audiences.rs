//! The audiences of an experiment in the form: boxes, where they are everyone or any of a list. Other trees stay as they are written.

use serde_json::{Value, json};

/// The field of the boxes.
pub(super) const ANY_OF: &str = "any_of";

/// Whether the form shows the audiences of an experiment as boxes.
pub(super) fn is_simple(experiment: &Value) -> bool {
    !experiment[ANY_OF].is_null()
}

/// Puts the boxes into an experiment.
pub(super) fn open(experiment: &mut Value) {
    if let Some(names) = names(&experiment["audiences"]) {
        experiment[ANY_OF] = names;
    }
}

/// Takes the boxes out of an experiment again.
pub(super) fn close(experiment: &mut Value) {
    let Some(fields) = experiment.as_object_mut() else { return };
    let Some(Value::Array(names)) = fields.shift_remove(ANY_OF) else { return };
    let audiences = if names.is_empty() {
        json!("everyone")
    } else {
        std::iter::once(json!("or")).chain(names).collect()
    };
    fields.insert("audiences".to_owned(), audiences);
}

fn names(audiences: &Value) -> Option<Value> {
    match audiences {
        Value::Null => Some(json!([])),
        Value::String(name) if name == "everyone" => Some(json!([])),
        Value::String(name) => Some(json!([name])),
        Value::Array(parts) => {
            let (operator, names) = parts.split_first()?;
            let is_any_of = operator == "or" && names.iter().all(Value::is_string);
            is_any_of.then(|| json!(names))
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{close, is_simple, open};

    fn there_and_back(audiences: &Value) -> (bool, Value) {
        let mut experiment = json!({"audiences": audiences});
        open(&mut experiment);
        let is_simple = is_simple(&experiment);
        close(&mut experiment);
        (is_simple, experiment)
    }

    #[test]
    fn any_of_a_list_is_shown_as_boxes() {
        for audiences in [json!("everyone"), json!(["or", "6001"]), json!(["or", "6001", "6002"])] {
            assert_eq!(there_and_back(&audiences), (true, json!({"audiences": audiences})));
        }
    }

    #[test]
    fn other_trees_stay_as_they_are_written() {
        for audiences in [json!(["and", "6001"]), json!(["or", "6001", ["not", "6002"]])] {
            assert_eq!(there_and_back(&audiences), (false, json!({"audiences": audiences})));
        }
    }
}
