//! The audiences of an experiment in the form: boxes, where they are everyone or any of a list, and else a tree of conditions, which asks
//! about audiences only.

use serde_json::{Value, json};

use crate::conditions;

/// Whether the form shows the audiences of an experiment as boxes: a tree begins with its operator.
pub(super) fn are_boxes(audiences: &Value) -> bool {
    !matches!(audiences[0].as_str(), Some("and" | "or" | "not"))
}

/// The audiences of an experiment as the form shows them.
pub(super) fn opened(audiences: &Value) -> Value {
    any_of(audiences).unwrap_or_else(|| conditions::opened(&with_memberships(audiences), "and"))
}

/// The audiences of a form as documents say them. No box and no condition is everyone.
pub(super) fn closed(audiences: &Value) -> Value {
    let tree = match audiences.as_array() {
        Some(names) if are_boxes(audiences) => conditions::any_of(names),
        Some(_) => audiences.clone(),
        None => return audiences.clone(),
    };
    let tree = conditions::closed(&tree);
    if tree == json!([]) { json!("everyone") } else { without_memberships(tree) }
}

/// The names of audiences of which visitors are in any; none is everyone.
fn any_of(audiences: &Value) -> Option<Value> {
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

/// The tree with a condition for each audience that it names.
fn with_memberships(node: &Value) -> Value {
    let Some(parts) = node.as_array() else { return json!({ "audience": node }) };
    let operators = usize::from(!are_boxes(node));
    let operands = parts.iter().skip(operators).map(with_memberships);
    parts.iter().take(operators).cloned().chain(operands).collect()
}

fn without_memberships(mut node: Value) -> Value {
    if let Some(fields) = node.as_object_mut() {
        return fields.shift_remove("audience").unwrap_or_default();
    }
    for part in node.as_array_mut().into_iter().flatten() {
        *part = without_memberships(part.take());
    }
    node
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{are_boxes, closed, opened};

    fn there_and_back(audiences: &Value) -> (bool, Value) {
        let shown = opened(audiences);
        (are_boxes(&shown), closed(&shown))
    }

    #[test]
    fn any_of_a_list_is_shown_as_boxes() {
        for audiences in [json!("everyone"), json!(["or", "6001"]), json!(["or", "6001", "6002"])] {
            assert_eq!(there_and_back(&audiences), (true, audiences));
        }
    }

    #[test]
    fn a_tree_whose_conditions_were_all_removed_is_everyone() {
        assert_eq!(closed(&json!(["and", ["or"]])), "everyone");
        assert_eq!(closed(&json!([])), "everyone");
    }

    proptest! {
        #[test]
        fn every_tree_comes_back_as_it_was(tree in tree()) {
            let (is_boxes, back) = there_and_back(&tree);

            prop_assert_eq!(is_boxes, tree[0] == "or" && !tree.as_array().unwrap()[1..].iter().any(Value::is_array));
            prop_assert_eq!(back, tree);
        }
    }

    /// Trees as representations have them: each list begins with its operator, and `not` negates one that is none.
    fn tree() -> impl Strategy<Value = Value> {
        let leaf = (6000..6004_u16).prop_map(|id| json!(id.to_string()));
        let list = |operator: BoxedStrategy<&'static str>, operands: BoxedStrategy<Vec<Value>>| {
            (operator, operands).prop_map(|(operator, operands)| {
                std::iter::once(json!(operator)).chain(operands).collect::<Value>()
            })
        };
        let operator = || prop::sample::select(&["and", "or"][..]).boxed();
        let inner = leaf.prop_recursive(4, 16, 3, move |inner| {
            let group = list(operator(), prop::collection::vec(inner.clone(), 1..4).boxed());
            let negated = group.clone().prop_map(|group| json!(["not", group]));
            prop_oneof![group, negated]
        });
        list(operator(), prop::collection::vec(inner, 1..4).boxed())
    }
}
