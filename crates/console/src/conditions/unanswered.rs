//! Conditions that a member added and did not answer: a document may have them, since imported ones do, and no visitor can meet them.

use domain::{Fault, Pointer};
use serde_json::Value;

use crate::conditions::AT;
use crate::conditions::kinds::{Answer, kind_of};
use crate::edit::edited::Edited;

/// The conditions of a form that lack what they ask for. Those that the stored resource has so stay as they are.
pub(crate) fn unanswered(edited: &Edited) -> Vec<Fault> {
    let mut stored = Vec::new();
    let was = edited.was.get("conditions").unwrap_or(&Value::Null);
    find(was, &Pointer::root(), &mut stored);
    let mut found = Vec::new();
    let tree = edited.now.pointer(AT).unwrap_or(&Value::Null);
    find(tree, &Pointer::root().field("conditions"), &mut found);
    found.retain(|(condition, _)| !stored.iter().any(|(known, _)| known == condition));
    found.into_iter().map(|(_, fault)| fault).collect()
}

fn find<'v>(tree: &'v Value, at: &Pointer, found: &mut Vec<(&'v Value, Fault)>) {
    match tree {
        Value::Array(parts) => {
            let parts = parts.iter().enumerate();
            parts.for_each(|(place, part)| find(part, &at.element(place), found));
        }
        Value::Object(_) => found.extend(fault_of(tree, at).map(|fault| (tree, fault))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn fault_of(condition: &Value, at: &Pointer) -> Option<Fault> {
    let kind = kind_of(condition["type"].as_str()?)?;
    let compared = condition["match"].as_str();
    // Without a comparison or with this one, what is asked for is there or not.
    let needs_none = !kind.matches.is_empty() && matches!(compared, None | Some("exists"));
    let (message, hint) = match kind.value {
        Answer::Choice(_) => ("nothing is chosen", "choose one, or remove the condition"),
        Answer::Text if !needs_none => ("the value is empty", "type one, or remove the condition"),
        Answer::Text | Answer::Nothing | Answer::Code | Answer::Behavior | Answer::Audience => {
            return None;
        }
    };
    let fault = Fault::error("value_missing", at.field("value"), message).hint(hint);
    condition["value"].is_null().then_some(fault)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::unanswered;
    use crate::edit::edited::Edited;

    fn refused(was: &Value, now: &Value) -> Vec<String> {
        let was = json!({ "conditions": was }).as_object().unwrap().clone();
        let now = json!({ "conditions": now });
        let faults = unanswered(&Edited { was, now, etag: String::new() });
        faults.iter().map(|fault| fault.pointer.as_str().to_owned()).collect()
    }

    #[test]
    fn a_condition_without_its_answer_is_refused_unless_it_was_stored_so() {
        let answered = json!({"type": "device", "value": "tablet"});
        let choice = json!({"type": "device_type", "value": null});
        let text = json!({"type": "language"});
        let compared = json!({"type": "query", "name": "a", "match": "exact"});
        let there = json!({"type": "cookies", "name": "a", "match": "exists", "value": null});
        let tree = json!(["and", answered, ["or", choice, ["not", text]], compared, there]);

        assert_eq!(
            refused(&json!([]), &tree),
            ["/conditions/2/1/value", "/conditions/2/2/1/value", "/conditions/3/value"]
        );
        assert_eq!(refused(&json!([text, compared]), &tree), ["/conditions/2/1/value"]);
    }
}
