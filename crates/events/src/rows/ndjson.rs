//! Rows of one JSON object each.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::rows::names::{ColumnNames, wanted_properties};
use crate::rows::row::{Cells, Row};

/// Hands on each row with its line; empty lines are none. Takes the columns that any row has out of `unseen`.
pub(super) fn each_row<R: Row>(
    text: &str,
    names: &ColumnNames,
    unseen: &mut BTreeSet<String>,
    take: &mut impl FnMut(u64, Result<Cells<'_>, String>),
) {
    let wanted = wanted_properties::<R>(names);
    let properties: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let object = serde_json::from_str::<Map<String, Value>>(line);
        let object = object.map_err(|error| format!("this is no JSON object: {error}"));
        let cells = object.map(|object| {
            let fields = R::FIELDS.iter().map(|(field, _)| object.get(names.column(field)));
            // As events are sent, properties are an object of their own; warehouses have them beside the fields.
            let own = object.get("properties").and_then(Value::as_object);
            unseen.retain(|name| {
                !object.contains_key(name) && !own.is_some_and(|own| own.contains_key(name))
            });
            let others = wanted.iter().map(|(_, column)| {
                own.and_then(|own| own.get(*column)).or_else(|| object.get(*column))
            });
            let texts = fields.chain(others).map(|value| text_of(value?)).collect();
            Cells { fields: R::FIELDS, properties: &properties, texts }
        });
        take(number, cells);
    }
}

fn text_of(value: &Value) -> Option<Cow<'static, str>> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(Cow::Owned(text.clone())),
        value @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Some(Cow::Owned(value.to_string()))
        }
    }
}
