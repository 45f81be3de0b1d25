//! Reads the vectors of `spec`, whole: every vector that is not for TypeScript alone is handed out
//! and counted.

use std::path::Path;

use serde_json::{Map, Value};

/// Checks every vector of `group` in the file with `check`, which gets the vector and what to say
/// when it fails.
pub(crate) fn each_vector(file: &str, group: &str, mut check: impl FnMut(&Value, &str)) {
    let vectors = read(file, group);
    let mut checked = 0;
    for (index, vector) in vectors.iter().enumerate() {
        if is_for_typescript_alone(vector.as_object().unwrap()) {
            continue;
        }
        check(vector, &format!("{file}, {group}[{index}]: {vector}"));
        checked += 1;
    }
    assert!(checked > 0, "{file} has no {group} to check");
}

fn read(file: &str, group: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    document[group].as_array().unwrap_or_else(|| panic!("{file} has no list {group}")).clone()
}

fn is_for_typescript_alone(vector: &Map<String, Value>) -> bool {
    match vector.get("only").map(|only| only.as_str().unwrap()) {
        None => false,
        Some("typescript") => {
            assert!(vector.contains_key("why"), "a vector for one language says why: {vector:?}");
            true
        }
        Some(other) => panic!("`only` knows typescript, not {other}"),
    }
}
