//! Nothing of an export is dropped silently: whichever value is another, the document or the report
//! is another, too; but for those fields that a table gives the reason for.

use domain::Pointer;
use import::PASSED_OVER;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::shop::{imported, shop};

/// The pointers of all values for which `is_meant` holds.
fn pointers(whole: &Value, is_meant: fn(&Value) -> bool) -> Vec<Pointer> {
    let mut found = Vec::new();
    let mut waiting = vec![(Pointer::root(), whole)];
    while let Some((pointer, value)) = waiting.pop() {
        if let Some(elements) = value.as_array() {
            let elements = elements.iter().enumerate();
            waiting.extend(elements.map(|(index, value)| (pointer.element(index), value)));
        }
        if let Some(fields) = value.as_object() {
            waiting.extend(fields.iter().map(|(name, value)| (pointer.field(name), value)));
        }
        if is_meant(value) {
            found.push(pointer);
        }
    }
    found
}

fn holds_no_others(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// Another value of the same sort, so that the field is still the field it is.
fn another(value: &Value) -> Value {
    match value {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json!(number.as_u64().unwrap_or_default() + 1),
        Value::String(text) => json!(format!("{text} marker")),
        Value::Null | Value::Array(_) | Value::Object(_) => json!("marker"),
    }
}

fn outcome(export: &Value) -> (String, String) {
    match crate::shop::import_text(&export.to_string(), Some("1000")) {
        Ok(imported) => (imported.project.to_yaml(), imported.report.to_string()),
        Err(refusal) => (String::new(), refusal.to_string()),
    }
}

/// Whether a table has the value's field, or one that it is in.
fn is_passed_over(pointer: &Pointer) -> bool {
    let tokens: Vec<String> = pointer.tokens().map(std::borrow::Cow::into_owned).collect();
    (1..tokens.len()).any(|place| {
        let owner = tokens[..place].iter().rev().find(|token| token.parse::<usize>().is_err());
        let owner = owner.map_or("", |owner| owner.strip_suffix('s').unwrap_or(owner));
        let is_resource = place == 2;
        PASSED_OVER.iter().any(|row| {
            row.field == tokens[place]
                && (row.resource == owner || is_resource && row.resource == "everything")
        })
    })
}

/// Whether the report says that the value, or what it is in, is left out.
fn is_inside_a_note(pointer: &Pointer, notes: &[import::Note]) -> bool {
    notes.iter().any(|note| {
        let whole = note.location.pointer.as_str();
        let is_inside = pointer
            .as_str()
            .strip_prefix(whole)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        note.outcome == import::Outcome::LeftOut && is_inside
    })
}

#[test]
fn every_value_that_is_another_makes_another_document_or_report() {
    let shop = shop();
    let before = outcome(&shop);
    let notes = imported(&shop).report.notes;
    let pointers = pointers(&shop, holds_no_others);
    assert!(pointers.len() > 400, "{}", pointers.len());

    let mut silent = Vec::new();
    for pointer in &pointers {
        let mut changed = shop.clone();
        let leaf = changed.pointer_mut(pointer.as_str()).unwrap();
        *leaf = another(leaf);
        if outcome(&changed) == before
            && !is_passed_over(pointer)
            && !is_inside_a_note(pointer, &notes)
        {
            silent.push(pointer.path());
        }
    }

    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn every_unknown_field_is_told() {
    let shop = shop();
    let notes = imported(&shop).report.notes;

    for pointer in pointers(&shop, Value::is_object) {
        let mut changed = shop.clone();
        changed.pointer_mut(pointer.as_str()).unwrap()["novelty"] = json!({"a": [1]});
        let told = imported(&changed).report.notes;
        let is_told = told.iter().any(|note| {
            let field = pointer.field("novelty");
            field.as_str().starts_with(note.location.pointer.as_str()) && !notes.contains(note)
        });
        assert!(is_told || is_inside_a_note(&pointer.field("novelty"), &notes), "{pointer}");
    }
}

#[test]
fn a_field_that_is_passed_over_is_documented() {
    let documentation = include_str!("../../../../docs/importing.md");

    for row in PASSED_OVER {
        let line = format!("`{}`", row.field);
        assert!(documentation.contains(&line) && documentation.contains(row.reason), "{row:?}");
    }
}

proptest! {
    #[test]
    fn fields_that_are_gone_or_odd_do_not_end_the_import(
        place in any::<prop::sample::Index>(),
        odd in prop::sample::select(vec![
            json!(null), json!(-1), json!(1.5), json!(""), json!("x"), json!([]), json!({}), json!([null]),
            json!({"$from": 0}), json!(true), json!(18_446_744_073_709_551_615_u64), json!("[[[["), json!("[\"not\"]"),
        ]),
    ) {
        let mut shop = shop();
        let pointers = pointers(&shop, holds_no_others);
        let pointer = place.get(&pointers);
        *shop.pointer_mut(pointer.as_str()).unwrap() = odd;

        let _either = outcome(&shop);
    }
}
