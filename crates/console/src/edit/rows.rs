//! Rows of names and values, which a resource has as an object: there a row without a name, or with the name of another one, would be
//! lost.

use std::collections::BTreeSet;

use domain::{Fault, Pointer};
use serde_json::Value;

/// The rows of a list whose name is missing, or stands in a row before; `word` says what a row is.
pub(crate) fn refuse_names(at: &Pointer, rows: &Value, word: &str) -> Vec<Fault> {
    let mut known = BTreeSet::new();
    let rows = rows.as_array().into_iter().flatten().enumerate();
    let faults = rows.filter_map(|(index, row)| {
        let at = at.element(index).field("key");
        let Some(name) = row["key"].as_str() else {
            let fault = Fault::error("name_missing", at, format!("the {word} has no name"));
            return Some(fault.hint("name it, or remove it"));
        };
        let is_new = known.insert(name);
        (!is_new).then(|| {
            let fault = Fault::error("name_twice", at, format!("`{name}` is there already"));
            fault.hint(format!("a name has one value: remove one {word} of them"))
        })
    });
    faults.collect()
}

#[cfg(test)]
mod tests {
    use domain::Pointer;
    use serde_json::json;

    use super::refuse_names;

    #[test]
    fn every_row_needs_a_name_of_its_own() {
        let rows = json!([
            {"key": "plan", "value": "a"},
            {"key": null, "value": "b"},
            {"key": "size", "value": null},
            {"key": "plan", "value": "c"},
            {"value": null},
        ]);

        let faults = refuse_names(&Pointer::root().field("where"), &rows, "property");

        let told: Vec<_> =
            faults.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect();
        assert_eq!(
            told,
            [
                ("/where/1/key", "name_missing"),
                ("/where/3/key", "name_twice"),
                ("/where/4/key", "name_missing"),
            ]
        );
    }
}
