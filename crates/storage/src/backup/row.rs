//! A row of a backup: a JSON array with a value for each column.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::header::{Column, ColumnType};
use crate::StorageError;

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Null,
    Integer(i64),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

impl Value<'_> {
    /// Whether it may stand in such a column. What may be missing, the database knows.
    fn fits(&self, kind: ColumnType) -> bool {
        matches!(
            (self, kind),
            (Self::Null, _)
                | (Self::Integer(_), ColumnType::Integer)
                | (Self::Text(_), ColumnType::Text)
                | (Self::Bytes(_), ColumnType::Bytes)
        )
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => serializer.serialize_str(&STANDARD.encode(bytes)),
        }
    }
}

/// The line of a row.
pub(crate) fn write(columns: &[Column], row: &[Value<'_>]) -> Result<Vec<u8>, StorageError> {
    let fits = columns.iter().zip(row).all(|(column, value)| value.fits(column.kind));
    if !fits || columns.len() != row.len() {
        return Err(StorageError::corrupt("a value does not have the type of its column"));
    }
    serde_json::to_vec(row).map_err(|error| StorageError::corrupt(error.to_string()))
}

/// The row of a line, if it is one of such columns.
pub(crate) fn read(columns: &[Column], line: &[u8]) -> Option<Vec<Value<'static>>> {
    let values: Vec<Json> = serde_json::from_slice(line).ok()?;
    if values.len() != columns.len() {
        return None;
    }
    columns.iter().zip(values).map(|(column, value)| read_value(column.kind, value)).collect()
}

fn read_value(kind: ColumnType, value: Json) -> Option<Value<'static>> {
    match (kind, value) {
        (_, Json::Null) => Some(Value::Null),
        (ColumnType::Integer, Json::Number(number)) => number.as_i64().map(Value::Integer),
        (ColumnType::Text, Json::String(text)) => Some(Value::Text(text.into())),
        (ColumnType::Bytes, Json::String(text)) => {
            STANDARD.decode(text).ok().map(|bytes| Value::Bytes(bytes.into()))
        }
        (
            ColumnType::Integer | ColumnType::Text | ColumnType::Bytes,
            Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) | Json::Object(_),
        ) => None,
    }
}
