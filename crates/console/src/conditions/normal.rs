//! The form of a tree that members edit: every list begins with its operator, the whole is a group, and no `not` negates another.

use serde_json::{Value, json};

/// The tree of a resource for the form.
pub(crate) fn opened(tree: &Value, operator: &str) -> Value {
    match normal(tree) {
        Some(Value::Array(parts)) if parts.first().is_some_and(|first| first != "not") => {
            Value::Array(parts)
        }
        Some(node) => json!([operator, node]),
        None => json!([operator]),
    }
}

/// The tree of a form for the resource: a group without conditions says nothing, so it goes.
pub(crate) fn closed(tree: &Value) -> Value {
    pruned(tree).unwrap_or_else(|| json!([]))
}

/// The tree that holds for the members of these audiences.
pub(crate) fn any_of(audiences: &[Value]) -> Value {
    let memberships = audiences.iter().map(|audience| json!({ "audience": audience }));
    std::iter::once(json!("or")).chain(memberships).collect()
}

fn normal(node: &Value) -> Option<Value> {
    let Value::Array(parts) = node else {
        return Some(node.clone()).filter(|node| !node.is_null());
    };
    match parts.split_first() {
        None => None,
        Some((first, [operand])) if first == "not" => match normal(operand)? {
            Value::Array(mut parts) if parts.len() == 2 && parts[0] == "not" => {
                Some(parts.remove(1))
            }
            operand @ (Value::Array(_)
            | Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_)) => Some(json!(["not", operand])),
        },
        Some((first, operands)) if first == "and" || first == "or" => {
            let operands = operands.iter().filter_map(normal);
            Some(std::iter::once(first.clone()).chain(operands).collect())
        }
        // A list without an operator is an `or`.
        Some(_) => {
            let operands = parts.iter().filter_map(normal);
            Some(std::iter::once(json!("or")).chain(operands).collect())
        }
    }
}

fn pruned(node: &Value) -> Option<Value> {
    let Value::Array(parts) = node else { return Some(node.clone()) };
    let (operator, operands) = parts.split_first()?;
    let operands: Vec<Value> = operands.iter().filter_map(pruned).collect();
    let is_empty = operands.is_empty();
    (!is_empty).then(|| std::iter::once(operator.clone()).chain(operands).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{closed, opened};

    fn tree() -> impl Strategy<Value = Value> {
        let leaf = (0..4_u8).prop_map(|number| json!({"type": "url", "value": number}));
        leaf.prop_recursive(5, 20, 3, |inner| {
            let operands = prop::collection::vec(inner.clone(), 1..4);
            prop_oneof![
                (prop::sample::select(&["and", "or"][..]), operands.clone()).prop_map(
                    |(operator, operands)| {
                        std::iter::once(json!(operator)).chain(operands).collect()
                    }
                ),
                operands.prop_map(Value::from),
                inner.prop_map(|operand| json!(["not", operand])),
            ]
        })
    }

    /// Whether it holds where exactly the conditions with these numbers do.
    fn holds(tree: &Value, numbers: &[bool]) -> bool {
        let Value::Array(parts) = tree else {
            return numbers[usize::try_from(tree["value"].as_u64().unwrap()).unwrap()];
        };
        match parts[0].as_str() {
            Some("and") => parts[1..].iter().all(|part| holds(part, numbers)),
            Some("or") => parts[1..].iter().any(|part| holds(part, numbers)),
            Some("not") => !holds(&parts[1], numbers),
            _ => parts.iter().any(|part| holds(part, numbers)),
        }
    }

    proptest! {
        #[test]
        fn the_tree_of_the_form_means_the_same(tree in tree(), numbers in prop::collection::vec(any::<bool>(), 4)) {
            let edited = opened(&tree, "and");

            prop_assert!(edited[0] == "and" || edited[0] == "or");
            prop_assert_eq!(opened(&edited, "and"), edited.clone());
            prop_assert_eq!(holds(&closed(&edited), &numbers), holds(&tree, &numbers));
        }
    }

    #[test]
    fn groups_without_conditions_are_not_kept() {
        assert_eq!(opened(&json!([]), "or"), json!(["or"]));
        assert_eq!(closed(&json!(["or"])), json!([]));
        assert_eq!(
            closed(&json!(["and", ["or"], ["not", ["and"]], {"type": "url"}])),
            json!(["and", {"type": "url"}])
        );
    }

    #[test]
    fn malformed_condition_trees_are_left_to_the_rules() {
        for (tree, kept) in [
            (json!(null), json!([])),
            (json!("and"), json!(["and", "and"])),
            (json!(["not"]), json!(["or", "not"])),
            (json!(["not", 1, 2]), json!(["or", "not", 1, 2])),
            (json!([[[[]]]]), json!([])),
            (json!([1, "or"]), json!(["or", 1, "or"])),
        ] {
            assert_eq!(closed(&opened(&tree, "and")), kept, "{tree}");
        }
    }
}
