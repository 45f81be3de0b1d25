//! Merges what two members made of one resource: each value that only one of them changed is as they made it. Where both changed the same
//! value, the one who saves last decides, and the page shows both.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::{Map, Value};

/// The state `before`, with the changes that lead to `theirs` and those that lead to `yours`.
pub(crate) fn merged(before: &Value, theirs: &Value, yours: &Value) -> Value {
    if yours == before {
        return theirs.clone();
    }
    if theirs == before || theirs == yours {
        return yours.clone();
    }
    match (before, theirs, yours) {
        (Value::Object(before), Value::Object(theirs), Value::Object(yours)) => {
            Value::Object(merged_fields(before, theirs, yours))
        }
        (Value::Array(before), Value::Array(theirs), Value::Array(yours)) => {
            Value::Array(merged_lists(before, theirs, yours))
        }
        _ => yours.clone(),
    }
}

/// The same of fields, which may be missing.
pub(crate) fn merged_fields(
    before: &Map<String, Value>,
    theirs: &Map<String, Value>,
    yours: &Map<String, Value>,
) -> Map<String, Value> {
    let added = yours.keys().filter(|name| !theirs.contains_key(*name));
    let fields = theirs.keys().chain(added).filter_map(|name| {
        let value = merged_part(before.get(name), theirs.get(name), yours.get(name))?;
        Some((name.clone(), value))
    });
    fields.collect()
}

/// A part that may be missing: who removes what the other has changed does not know of that, so it stays.
fn merged_part(
    before: Option<&Value>,
    theirs: Option<&Value>,
    yours: Option<&Value>,
) -> Option<Value> {
    match (theirs, yours) {
        (Some(theirs), Some(yours)) => Some(merged(before.unwrap_or(&Value::Null), theirs, yours)),
        (Some(one), None) | (None, Some(one)) => (before != Some(one)).then(|| one.clone()),
        (None, None) => None,
    }
}

fn merged_lists(before: &[Value], theirs: &[Value], yours: &[Value]) -> Vec<Value> {
    let lists = [before, theirs, yours];
    if lists.iter().all(|list| are_told_apart(list)) {
        return merged_by_identity(before, theirs, yours);
    }
    let (their_part, your_part) = (changed_part(before, theirs), changed_part(before, yours));
    if their_part.end <= your_part.start {
        return both_parts(before, (theirs, their_part), (yours, your_part));
    }
    if your_part.end <= their_part.start {
        return both_parts(before, (yours, your_part), (theirs, their_part));
    }
    if are_in_place(lists) {
        let places = before.iter().zip(theirs).zip(yours);
        return places.map(|((before, theirs), yours)| merged(before, theirs, yours)).collect();
    }
    yours.to_vec()
}

/// Whether the elements of three lists stand for each other by their places: none was added, removed or moved.
pub(crate) fn are_in_place([before, theirs, yours]: [&[Value]; 3]) -> bool {
    let is_moved = |list: &[Value]| {
        let mut places = list.iter().enumerate();
        places.any(|(place, one)| before[place] != *one && before.contains(one))
    };
    [theirs, yours].iter().all(|list| list.len() == before.len() && !is_moved(list))
}

/// The part of a list that differs from another one: between what both begin with and what both end with.
fn changed_part(before: &[Value], after: &[Value]) -> Range<usize> {
    let start = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    let rest = before[start..].iter().rev().zip(after[start..].iter().rev());
    let end = before.len() - rest.take_while(|(before, after)| before == after).count();
    start..end
}

/// A list with two changes, of which one ends before the other begins.
fn both_parts(
    before: &[Value],
    (first, first_part): (&[Value], Range<usize>),
    (last, last_part): (&[Value], Range<usize>),
) -> Vec<Value> {
    let replaced = |list: &'_ [Value], part: &Range<usize>| {
        let length = (list.len() + part.len()).saturating_sub(before.len());
        list[part.start..part.start + length].to_vec()
    };
    [
        before[..first_part.start].to_vec(),
        replaced(first, &first_part),
        before[first_part.end..last_part.start].to_vec(),
        replaced(last, &last_part),
        before[last_part.end..].to_vec(),
    ]
    .concat()
}

/// In the order of the member who changed it; what is new comes last.
fn merged_by_identity(before: &[Value], theirs: &[Value], yours: &[Value]) -> Vec<Value> {
    let of = |list: &[Value]| -> Vec<String> { list.iter().filter_map(identity).collect() };
    let ids = [of(before), of(theirs), of(yours)];
    let [before_ids, their_ids, your_ids] = &ids;
    let is_in_order = kept(before_ids, your_ids) == kept(your_ids, before_ids);
    let (first, second) = if is_in_order { (their_ids, your_ids) } else { (your_ids, their_ids) };
    let added = second.iter().filter(|id| !first.contains(id));
    let at = |list: &'_ [Value], id: &str| {
        list.iter().find(|one| identity(one).as_deref() == Some(id)).cloned()
    };
    let elements = first.iter().chain(added).filter_map(|id| {
        let [before, theirs, yours] = [before, theirs, yours].map(|list| at(list, id));
        merged_part(before.as_ref(), theirs.as_ref(), yours.as_ref())
    });
    elements.collect()
}

/// Those of a list that another one has, too.
fn kept<'l>(list: &'l [String], other: &[String]) -> Vec<&'l String> {
    list.iter().filter(|id| other.contains(id)).collect()
}

/// What tells an element of a list from its neighbours: its id; of a member of a group the campaign, of a guardrail the metric, of a word the
/// word itself.
pub(crate) fn identity(element: &Value) -> Option<String> {
    let named =
        ["id", "campaign", "metric", "key"].into_iter().find_map(|field| element[field].as_str());
    named.or_else(|| element.as_str()).map(str::to_owned)
}

/// Whether each element of a list can be told from the others. What begins with an operator is a tree, in which places count.
pub(crate) fn are_told_apart(list: &[Value]) -> bool {
    let mut known = HashSet::new();
    let operator = list.first().and_then(Value::as_str);
    let is_tree = operator.is_some_and(|word| ["and", "or", "not"].contains(&word));
    !is_tree && list.iter().all(|element| identity(element).is_some_and(|id| known.insert(id)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::merged;

    fn variation(id: &str, name: &str, is_paused: impl Into<Value>) -> Value {
        json!({"id": id, "name": name, "paused": is_paused.into(), "changes": [{"value": "a"}, {"value": "b"}]})
    }

    #[test]
    fn what_one_member_changed_stays_beside_what_the_other_did() {
        let before = json!({"name": "Hero", "variations": [variation("1", "A", false), variation("2", "B", false)]});
        let theirs = json!({"name": "Hero", "variations": [variation("1", "A", true), variation("2", "B", false)]});
        let mut yours = json!({"name": "Hero", "variations": [variation("1", "Short", false), variation("2", "B", false)]});
        yours["variations"][1]["changes"][1]["value"] = json!("c");

        let both = merged(&before, &theirs, &yours);

        assert_eq!(both["variations"][0], variation("1", "Short", true));
        assert_eq!(both["variations"][1]["changes"], json!([{"value": "a"}, {"value": "c"}]));
    }

    #[test]
    fn where_both_changed_the_same_the_one_who_saves_decides() {
        let both = merged(&json!({"name": "A"}), &json!({"name": "B"}), &json!({"name": "C"}));

        assert_eq!(both, json!({"name": "C"}));
    }

    #[test]
    fn additions_and_removals_merge_and_no_change_is_lost() {
        let of = |ids: &[&str]| -> Value { ids.iter().map(|id| json!({"id": id})).collect() };
        let named = |id: &str| json!({"id": id, "name": "new"});

        assert_eq!(
            merged(&of(&["1", "2"]), &of(&["1", "2", "3"]), &of(&["2", "4"])),
            of(&["2", "3", "4"])
        );
        assert_eq!(
            merged(&of(&["1", "2"]), &of(&["1", "2", "3"]), &of(&["2", "1"])),
            of(&["2", "1", "3"])
        );
        let changed = json!([named("1"), {"id": "2"}]);
        assert_eq!(
            merged(&of(&["1", "2"]), &changed, &of(&["2"])),
            json!([named("1"), {"id": "2"}])
        );
        let pages = merged(&json!(["1", "2"]), &json!(["1", "2", "3"]), &json!(["2"]));
        assert_eq!(pages, json!(["2", "3"]));
    }

    #[test]
    fn lists_whose_elements_have_no_names_are_merged_by_what_stays() {
        let change = |selector: &str, value: &str| json!({"selector": selector, "value": value});
        let (h, p, a) = (change("h1", "A"), change("p", "B"), change("a", "Buy"));
        let p2 = change("p", "B2");

        assert_eq!(
            merged(&json!([h]), &json!([h, a]), &json!([p2])),
            json!([p2, a]),
            "added beside"
        );
        let by_place = merged(&json!([h, p]), &json!([change("h1", "A2"), p]), &json!([h, p2]));
        assert_eq!(by_place, json!([change("h1", "A2"), p2]));
        let moved = merged(&json!([h, p]), &json!([p, a]), &json!([h, p2]));
        assert_eq!(moved, json!([h, p2]), "no mixture of two changes");
        let tree = merged(
            &json!(["or", "A", "B"]),
            &json!(["or", "A", "B", "C"]),
            &json!(["and", "A", "B"]),
        );
        assert_eq!(tree, json!(["and", "A", "B", "C"]));
        let order = merged(
            &json!([["1"], ["2"], ["3"]]),
            &json!([["2"], ["1"], ["3"]]),
            &json!([["1"], ["3"], ["2"]]),
        );
        assert_eq!(order, json!([["1"], ["3"], ["2"]]));
    }

    fn states() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(json!(1)), Just(json!("a")), Just(json!(null))];
        let element = (0..4_u8, leaf.clone())
            .prop_map(|(id, value)| json!({"id": id.to_string(), "value": value}));
        let list = proptest::collection::vec(element, 0..4);
        (list, leaf).prop_map(|(list, leaf)| json!({"list": list, "leaf": leaf}))
    }

    proptest! {
        #[test]
        fn a_member_who_changes_nothing_takes_nothing_back(before in states(), theirs in states()) {
            prop_assert_eq!(&merged(&before, &theirs, &before), &theirs);
            prop_assert_eq!(&merged(&before, &before, &theirs), &theirs);
            prop_assert_eq!(&merged(&before, &theirs, &theirs), &theirs);
        }
    }
}
