//! Rows of one JSON object each.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::rows::RowFault;
use crate::rows::names::{ColumnNames, column_place, is_id, refuse_export, wanted_properties};
use crate::rows::row::{Cells, Row};

/// Hands on each row with its line; empty lines are none. Takes the columns that any row has out of `unseen`.
pub(super) fn each_row<R: Row>(
    text: &str,
    names: &ColumnNames,
    unseen: &mut BTreeSet<String>,
    take: &mut impl FnMut(u64, Result<R, String>),
) -> Result<(), RowFault> {
    let wanted = wanted_properties::<R>(names);
    let properties: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    let own = R::FIELDS
        .iter()
        .map(|(field, _)| names.own_column(field).filter(|_| !may_have(text, names.column(field))));
    let own: Vec<Option<&str>> = own.collect();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let object = serde_json::from_str(line).map(|Object(object)| object);
        let object = object.map_err(|error| format!("this is no JSON object: {error}"));
        if let Ok(object) = &object {
            let refused = refuse_export(|name| object.contains_key(name));
            refused.map_err(|detail| RowFault { line: number, detail: detail.to_owned() })?;
        }
        let row = object.and_then(|object| {
            let fields = R::FIELDS.iter().zip(&own).map(|((field, _), own)| {
                named(&object, names.column(field)).or_else(|| named(&object, (*own)?))
            });
            // As events are sent, properties are an object of their own; warehouses have them beside the fields.
            let own = object.get("properties").and_then(Value::as_object);
            unseen.retain(|name| {
                named(&object, name).is_none() && own.and_then(|own| named(own, name)).is_none()
            });
            let others = wanted.iter().map(|(_, column)| {
                own.and_then(|own| named(own, column)).or_else(|| named(&object, column))
            });
            let ids = R::FIELDS.iter().map(|(field, _)| is_id(field));
            let ids = ids.chain(std::iter::repeat(false));
            let texts = fields.chain(others).zip(ids).map(|(value, is_id)| match value {
                Some(value) if is_id => id_of(value),
                value => Ok(value.and_then(text_of)),
            });
            let texts = texts.collect::<Result<Vec<_>, String>>()?;
            R::of(&Cells { fields: R::FIELDS, properties: &properties, names, texts })
        });
        take(number, row);
    }
    Ok(())
}

/// The value of this name; without it, of the only one whose name differs in capital letters alone, or `ecommerce.total` in the object
/// `ecommerce`, as Parquet has it.
fn named<'o>(object: &'o Map<String, Value>, name: &str) -> Option<&'o Value> {
    let other_capitals = || {
        let place = column_place(object.keys().map(String::as_str), name).ok()??;
        object.values().nth(place)
    };
    let within = || {
        let (outer, inner) = name.split_once('.')?;
        named(object.get(outer)?.as_object()?, inner)
    };
    object.get(name).or_else(other_capitals).or_else(within)
}

/// Whether a line may have a field of this name. A row may lack it where others have it.
fn may_have(text: &str, name: &str) -> bool {
    text.contains(&Value::from(name).to_string())
}

/// An id that is written as a number is its digits. A number with more of them than 64 bits hold, or with a fraction, has been rounded by the time
/// that it is read here, and is that of several visitors.
fn id_of(value: &Value) -> Result<Option<Cow<'static, str>>, String> {
    match value {
        Value::Null | Value::String(_) => Ok(text_of(value)),
        Value::Number(number) if number.is_i64() || number.is_u64() => Ok(text_of(value)),
        Value::Number(_) => Err(
            "the visitor or the id of the event is a number that is not whole or has more than 64 bits; hint: write it as text, in quotes".to_owned(),
        ),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => Err(
            "the visitor or the id of the event is neither a text nor a whole number".to_owned(),
        ),
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
    use crate::Amount;
    use crate::rows::{ColumnNames, EventRow, ReadRows, RowFormat, named_columns, read_rows};

    #[test]
    fn a_column_may_be_within_an_object() {
        let names = [("value", "ecommerce.purchase.revenue")];
        let names = names.map(|(field, column)| (field.to_owned(), column.to_owned()));
        let line = r#"{"visitor": "ada", "time": "2026-11-22", "name": "buy", "ecommerce": {"purchase": {"revenue": 7}}}"#;

        let read: ReadRows<EventRow> =
            read_rows(line, RowFormat::Ndjson, &named_columns(names).unwrap()).unwrap();

        let value = read.rows[0].value.map(Amount::millionths);
        assert_eq!((value, read.unseen.len()), (Some(7_000_000), 0));
    }

    #[test]
    fn ids_are_kept_as_they_are_written_or_refused() {
        let line = |visitor: &str, id: &str| {
            format!(
                r#"{{"visitor": {visitor}, "time": "2026-11-22", "name": "buy", "order": {id}}}"#
            )
        };
        let right = [line("18446744073709551615", "7"), line("\"1255512575.1792532078\"", "\"a\"")];
        let wrong = [
            line("12345678901234567890123", "7"),
            line("1255512575.1792532078", "7"),
            line("78.0", "7"),
            line("true", "7"),
            line("[1]", "7"),
            line("1", "1e3"),
        ];
        let text = [&right[..], &wrong[..]].concat().join("\n");
        let names = named_columns([("id".to_owned(), "order".to_owned())]).unwrap();

        let read: ReadRows<EventRow> = read_rows(&text, RowFormat::Ndjson, &names).unwrap();

        let ids: Vec<_> =
            read.rows.iter().map(|row| (&*row.visitor, row.id.as_deref().unwrap())).collect();
        assert_eq!(ids, [("18446744073709551615", "7"), ("1255512575.1792532078", "a")]);
        let faults: Vec<_> = read.faults.iter().map(|fault| &*fault.detail).collect();
        assert_eq!(faults.len(), 6);
        assert!([0, 1, 2, 5].iter().all(|one| faults[*one].contains("hint: write it as text")));
        assert!(faults[3].contains("neither a text nor a whole number"), "{faults:?}");
    }

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
