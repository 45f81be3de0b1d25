//! The building blocks of schemas.

use serde_json::{Map, Value, json};

use crate::words::Word;

/// A definition's name, and the definition.
pub(super) type Definition = (&'static str, Value);

/// An object with these fields and no others. An optional field may be `null`, which means left out.
pub(super) fn object(
    description: &str,
    fields: impl IntoIterator<Item = (&'static str, Value)>,
    required: &[&str],
) -> Value {
    let fields = fields.into_iter().map(|(name, schema)| {
        let schema = if required.contains(&name) { schema } else { nullable(schema) };
        (name.to_owned(), schema)
    });
    json!({
        "description": description,
        "type": "object",
        "properties": Value::Object(fields.collect::<Map<_, _>>()),
        "required": required,
        "additionalProperties": false,
    })
}

/// The same for a resource with an id, a key and a name: a key or a name is enough.
pub(super) fn entity(
    description: &str,
    fields: impl IntoIterator<Item = (&'static str, Value)>,
    required: &[&str],
) -> Value {
    let identity =
        [("id", reference_to("id")), ("key", reference_to("key")), ("name", reference_to("name"))];
    let mut schema = object(description, identity.into_iter().chain(fields), required);
    schema["anyOf"] = json!([{"required": ["key"]}, {"required": ["name"]}]);
    schema
}

/// A reference to the definition `name`.
pub(super) fn reference_to(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

/// A list of up to `limit` references to the definition `name`.
pub(super) fn list_of(name: &str, limit: usize) -> Value {
    json!({"type": "array", "items": reference_to(name), "maxItems": limit})
}

/// One word of a closed set.
pub(super) fn word<W: Word>() -> Value {
    one_of(W::ALL.iter().map(|word| word.word()))
}

/// One of these words.
pub(super) fn one_of(words: impl IntoIterator<Item = &'static str>) -> Value {
    json!({"type": "string", "enum": words.into_iter().collect::<Vec<_>>()})
}

/// `true` or `false`; `false` if left out.
pub(super) fn switch(description: &str) -> Value {
    with(json!({"type": "boolean"}), description, json!(false))
}

/// The same schema with a description.
pub(super) fn about(mut schema: Value, description: &str) -> Value {
    schema["description"] = json!(description);
    schema
}

/// The same schema with a description and a default.
pub(super) fn with(schema: Value, description: &str, default: Value) -> Value {
    let mut schema = about(schema, description);
    schema["default"] = default;
    schema
}

/// The same schema, or `null`.
pub(super) fn nullable(mut schema: Value) -> Value {
    if let Some(kind) = schema["type"].as_str() {
        schema["type"] = json!([kind, "null"]);
        if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            words.push(Value::Null);
        }
        return schema;
    }
    if let Some(ways) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        ways.push(json!({"type": "null"}));
        return schema;
    }
    let Some(fields) = schema.as_object_mut() else { return schema };
    let told: Vec<_> = ["description", "default"]
        .into_iter()
        .filter_map(|name| fields.remove_entry(name))
        .collect();
    if fields.is_empty() {
        return Value::Object(told.into_iter().collect());
    }
    let mut schema = json!({"anyOf": [schema, {"type": "null"}]});
    for (name, value) in told {
        schema[name] = value;
    }
    schema
}
