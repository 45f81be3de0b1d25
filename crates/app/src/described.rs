//! What the types of requests and answers look like, in the words of JSON Schema. The description of the API is made of them, so that it
//! has the fields that the types have.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// A type that the description of the API tells of.
pub trait Described {
    /// What its values look like.
    fn schema() -> Value;

    /// What stands for it where it is part of something else: its schema, unless it has a name.
    #[must_use]
    fn reference() -> Value {
        Self::schema()
    }

    /// Whether a field of this type is always there.
    #[must_use]
    fn is_always_there() -> bool {
        true
    }

    /// Whether an answer leaves the field out that has this value.
    fn is_left_out(&self) -> bool {
        false
    }
}

/// A field that may be left out, but is never `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Given<T>(pub Option<T>);

/// A field as it is declared: its name, its description, the schema of its type with further rules, and whether it is always there.
pub type DeclaredField = (&'static str, &'static str, Value, bool);

/// An object with these fields, and no others.
#[must_use]
pub fn object_schema(about: &str, fields: Vec<DeclaredField>) -> Value {
    let required = fields.iter().filter(|field| field.3).map(|field| field.0);
    let mut object = json!({
        "description": about.trim(),
        "type": "object",
        "required": required.collect::<Vec<_>>(),
        "properties": {},
        "additionalProperties": false,
    });
    for (name, about, mut schema, _) in fields {
        // Generators of clients overlook what stands beside a reference.
        if schema.get("$ref").is_none() {
            schema["description"] = about.trim().into();
        }
        object["properties"][name] = schema;
    }
    object
}

/// The schema with these rules beside its own.
#[must_use]
pub fn with_rules(mut schema: Value, rules: &Value) -> Value {
    for (name, rule) in rules.as_object().into_iter().flatten() {
        schema[name] = rule.clone();
    }
    schema
}

/// What the component of this name defines.
#[must_use]
pub fn component(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

impl Described for String {
    fn schema() -> Value {
        json!({"type": "string"})
    }
}

impl Described for bool {
    fn schema() -> Value {
        json!({"type": "boolean"})
    }
}

impl Described for u32 {
    fn schema() -> Value {
        json!({"type": "integer", "minimum": 0})
    }
}

impl Described for usize {
    fn schema() -> Value {
        json!({"type": "integer", "minimum": 0})
    }
}

impl Described for i64 {
    fn schema() -> Value {
        json!({"type": "integer"})
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> Value {
        json!({"type": "array", "items": T::reference()})
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    fn schema() -> Value {
        json!({"type": "object", "additionalProperties": T::reference()})
    }
}

/// `null` is nothing. Where it is sent, the field may be left out as well.
impl<T: Described> Described for Option<T> {
    fn schema() -> Value {
        let mut schema = T::reference();
        match schema["type"].as_str() {
            Some(kind) => schema["type"] = json!([kind, "null"]),
            None => schema = json!({"anyOf": [schema, {"type": "null"}]}),
        }
        schema
    }
}

impl<T: Described> Described for Given<T> {
    fn schema() -> Value {
        T::reference()
    }

    fn is_always_there() -> bool {
        false
    }

    fn is_left_out(&self) -> bool {
        self.0.is_none()
    }
}

impl<T: Serialize> Serialize for Given<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
