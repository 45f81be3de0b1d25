//! JSON Schemas of requests and answers. The API description is made from these types, so its fields always match theirs.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// A type that the API description covers.
pub trait Described {
    /// The schema of its values.
    fn schema() -> Value;

    /// The schema to use inside another schema: a reference if the type has a name, otherwise the schema itself.
    #[must_use]
    fn reference() -> Value {
        Self::schema()
    }

    /// Whether a field of this type is always present.
    #[must_use]
    fn is_always_there() -> bool {
        true
    }

    /// Whether an answer omits a field with this value.
    fn is_left_out(&self) -> bool {
        false
    }
}

/// A field that may be omitted, but is never `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OptionalField<T>(pub Option<T>);

/// A declared field: its name, its description, the schema of its type with further rules, and whether it is always present.
pub type DeclaredField = (&'static str, &'static str, Value, bool);

/// An object with exactly these fields.
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
        // Client generators ignore keywords beside a reference.
        if schema.get("$ref").is_none() {
            schema["description"] = about.trim().into();
        }
        object["properties"][name] = schema;
    }
    object
}

/// The schema with these rules added.
#[must_use]
pub fn with_rules(mut schema: Value, rules: &Value) -> Value {
    for (name, rule) in rules.as_object().into_iter().flatten() {
        schema[name] = rule.clone();
    }
    schema
}

/// A reference to the component with this name.
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

/// `None` is written as `null`. A request may also omit the field.
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

impl<T: Described> Described for OptionalField<T> {
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

impl<T: Serialize> Serialize for OptionalField<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
