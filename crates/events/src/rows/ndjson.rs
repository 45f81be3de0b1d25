//! Rows of one JSON object each.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
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
    let own = R::FIELDS
        .iter()
        .map(|(field, _)| names.own_column(field).filter(|_| !may_have(text, names.column(field))));
    let own: Vec<Option<&str>> = own.collect();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let object = serde_json::from_str(line).map(|Object(object)| object);
        let object = object.map_err(|error| format!("this is no JSON object: {error}"));
        let cells = object.map(|object| {
            let fields = R::FIELDS.iter().zip(&own).map(|((field, _), own)| {
                object.get(names.column(field)).or_else(|| object.get((*own)?))
            });
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

/// Whether a line may have a field of this name. A row may lack it where others have it.
fn may_have(text: &str, name: &str) -> bool {
    text.contains(&Value::from(name).to_string())
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

/// An object in which each name is there once: of two values, no reader can tell which one is meant.
struct Object(Map<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

/// Reads the fields of an [`Object`].
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Object;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Object, A::Error> {
        let mut object = Map::new();
        while let Some((name, value)) = fields.next_entry::<String, Value>()? {
            if object.contains_key(&name) {
                let name = Value::from(name);
                return Err(A::Error::custom(format_args!("{name} is there twice")));
            }
            object.insert(name, value);
        }
        Ok(Object(object))
    }
}

#[cfg(test)]
mod tests {
    use crate::rows::{ColumnNames, EventRow, ReadRows, RowFormat, read_rows};

    #[test]
    fn a_line_with_a_name_twice_is_refused_and_the_others_are_read() {
        let text = r#"{"visitor": "ada", "time": "2026-11-22", "name": "buy", "value": 1, "value": 2}
            {"visitor": "bob", "time": "2026-11-22", "name": "buy", "properties": {"a": 1}}
            ["carl"]"#;

        let read: ReadRows<EventRow> =
            read_rows(text, RowFormat::Ndjson, &ColumnNames::default()).unwrap();

        let faults: Vec<_> = read.faults.iter().map(|fault| &*fault.detail).collect();
        assert_eq!(read.lines, [2]);
        assert!(faults[0].contains("\"value\" is there twice"), "{faults:?}");
        assert!(faults[1].contains("expected an object"), "{faults:?}");
    }
}
