//! Rows of one JSON object each.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::rows::row::{Cells, Row};
use crate::rows::{ColumnNames, column};

/// Hands on each row with its line; empty lines are none.
pub(super) fn each_row<R: Row>(
    text: &str,
    names: &ColumnNames,
    take: &mut impl FnMut(u64, Result<Cells<'_>, String>),
) {
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let object = serde_json::from_str::<Map<String, Value>>(line);
        let object = object.map_err(|error| format!("this is no JSON object: {error}"));
        take(number, object.map(|object| cells::<R>(&object, names)));
    }
}

fn cells<R: Row>(object: &Map<String, Value>, names: &ColumnNames) -> Cells<'static> {
    let texts = R::FIELDS.iter().map(|(field, _)| match object.get(column(names, field))? {
        Value::Null => None,
        Value::String(text) => Some(Cow::Owned(text.clone())),
        value @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Some(Cow::Owned(value.to_string()))
        }
    });
    Cells { fields: R::FIELDS, texts: texts.collect() }
}
