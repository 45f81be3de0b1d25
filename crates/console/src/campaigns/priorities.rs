//! The priorities of a personalization's experiments: in the form each has a number, in documents they are groups of equals.

use std::collections::BTreeMap;

use domain::Key;
use serde_json::{Value, json};

use crate::campaigns::experiments_of;
use crate::edit::field::Choice;

/// The field of an experiment with its number, from 1.
pub(super) const PRIORITY: &str = "priority";

/// Gives each experiment its number. Without groups all are equals; one that is in no group has no number.
pub(super) fn open(campaign: &mut Value) {
    let groups = campaign["priorities"].as_array().cloned().unwrap_or_default();
    for experiment in experiments_of(campaign) {
        let is_it = |name: &Value| {
            !name.is_null() && (name == &experiment["id"] || name == &experiment["key"])
        };
        let place =
            groups.iter().position(|group| group.as_array().into_iter().flatten().any(is_it));
        let place = if groups.is_empty() { Some(0) } else { place };
        experiment[PRIORITY] = json!(place.map(|place| place + 1));
    }
}

/// Takes the numbers of the experiments, and makes groups of them. Equals need no groups, and experiments that are added later are
/// their equals.
pub(super) fn close(campaign: &mut Value) {
    let mut groups: BTreeMap<Option<u64>, Vec<Value>> = BTreeMap::new();
    for experiment in experiments_of(campaign) {
        let number = experiment.as_object_mut().and_then(|fields| fields.shift_remove(PRIORITY));
        let number = number.and_then(|number| number.as_u64());
        groups.entry(number).or_default().push(name_of(experiment));
    }
    let is_equal = groups.len() <= 1;
    groups.remove(&None);
    campaign["priorities"] = if is_equal { json!([]) } else { groups.into_values().collect() };
}

/// By what a document can name an experiment, which may be a new one.
fn name_of(experiment: &Value) -> Value {
    let own = ["id", "key"].into_iter().map(|field| &experiment[field]);
    let made =
        || experiment["name"].as_str().and_then(Key::from_name).map(|key| json!(key.to_string()));
    own.into_iter().find(|name| !name.is_null()).cloned().or_else(made).unwrap_or_default()
}

/// The numbers that so many experiments can have.
pub(super) fn choices(experiments: usize) -> Vec<Choice> {
    let numbers = (1..=experiments).map(|number| match number {
        1 => Choice::new("1", "1, the first"),
        number => Choice::new(number.to_string(), number.to_string()),
    });
    numbers.chain([Choice::new("", "None: no visitor gets it")]).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{close, open};

    fn campaign(priorities: &Value) -> Value {
        json!({"priorities": priorities, "experiments": [
            {"id": "1", "key": "a", "name": "A"}, {"id": "2", "key": "b", "name": "B"}, {"id": "3", "key": "c", "name": "C"},
        ]})
    }

    #[test]
    fn groups_are_numbers_in_the_form_and_groups_again_in_the_document() {
        let cases = [
            (json!([]), [1.into(), 1.into(), 1.into()], json!([])),
            (json!([["1", "2", "3"]]), [1.into(), 1.into(), 1.into()], json!([])),
            (
                json!([["3"], ["1", "2"]]),
                [2.into(), 2.into(), 1.into()],
                json!([["3"], ["1", "2"]]),
            ),
            (json!([["2", "1"]]), [1.into(), 1.into(), Value::Null], json!([["1", "2"]])),
        ];
        for (groups, numbers, after) in cases {
            let mut campaign = campaign(&groups);
            open(&mut campaign);
            let shown = [0, 1, 2].map(|index| campaign["experiments"][index]["priority"].clone());
            close(&mut campaign);

            assert_eq!(shown, numbers, "{groups}");
            assert_eq!(campaign["priorities"], after, "{groups}");
            assert!(campaign["experiments"][0].get("priority").is_none());
        }
    }

    #[test]
    fn new_experiments_are_named_by_the_keys_that_they_will_have() {
        let mut campaign = campaign(&json!([]));
        open(&mut campaign);
        let new = json!({"id": null, "key": null, "name": "Big spenders", "priority": 2});
        campaign["experiments"].as_array_mut().unwrap().push(new);

        close(&mut campaign);

        assert_eq!(campaign["priorities"], json!([["1", "2", "3"], ["big_spenders"]]));
    }
}
