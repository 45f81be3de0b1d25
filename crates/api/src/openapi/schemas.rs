//! What bodies and answers look like. Resources are described by the schema of the project document, with what a representation of them
//! adds; everything else in the files below `schemas/`.

mod people;
mod publishing;
mod resources;
mod visits;

use app::dto::Dto;
use app::request::Request;
use serde_json::{Map, Value, json};

use crate::results_schema;

/// A name, and what it defines.
type Definition = (String, Value);

/// Every schema that operations refer to.
pub(super) fn schemas() -> Map<String, Value> {
    let all = [
        resources::definitions(),
        publishing::definitions(),
        visits::definitions(),
        people::definitions(),
        results_schema::definitions(),
        vec![("problem".to_owned(), problem())],
    ];
    all.into_iter().flatten().collect()
}

/// What `name` defines.
pub(crate) fn of(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// A list of what `name` defines.
pub(super) fn list_of(name: &str) -> Value {
    json!({"type": "array", "items": of(name)})
}

/// An object that always has exactly these fields.
fn record(description: &str, fields: Value) -> Value {
    let names: Vec<String> = fields.as_object().into_iter().flat_map(Map::keys).cloned().collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    written(description, fields, &names)
}

/// An object to be sent, with these fields, of which some are required.
fn written(description: &str, fields: Value, required: &[&str]) -> Value {
    let mut object = json!({
        "description": description, "type": "object", "required": required, "properties": {},
        "additionalProperties": false,
    });
    object["properties"] = fields;
    object
}

/// What a request of this type holds.
fn taken<T: Request>() -> Definition {
    (T::NAME.to_owned(), T::schema())
}

/// What an answer of this type holds.
fn answered<T: Dto>() -> Definition {
    (T::NAME.to_owned(), T::schema())
}

fn text() -> Value {
    json!({"type": "string"})
}

fn text_or_null() -> Value {
    json!({"type": ["string", "null"]})
}

fn moment() -> Value {
    json!({"type": "string", "format": "date-time"})
}

fn problem() -> Value {
    json!({
        "description": "Why a request was refused (RFC 9457).",
        "type": "object",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": {"type": "string", "format": "uri-reference"},
            "title": text(),
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "description": "How to mend the request, in a sentence."},
            "errors": {
                "description": "What is wrong with which value.",
                "type": "array",
                "items": written("What is wrong with one value.", json!({
                    "code": {"type": "string", "description": "The reason, for programs."},
                    "detail": text(),
                    "pointer": {"type": "string", "description": "A JSON pointer into what was sent, as a fragment."},
                    "line": {"type": "integer", "minimum": 1, "description": "With faults in code and regular expressions: the line in the text at `pointer`, from 1."},
                    "column": {"type": "integer", "minimum": 1, "description": "The column in that line, in Unicode code points from 1."},
                }), &["code", "detail", "pointer"]),
            },
            "code": {"type": "string", "description": "The reason, for programs; docs/rest.md lists all."},
            "current": {"description": "With 412: how it is now."},
            "yours": {"description": "With 412: how it would be with your change."},
            "state": {"type": "string", "description": "With `invalid_transition`: the present status."},
            "allowed": {"type": "array", "items": text(), "description": "With `invalid_transition`: the actions that are possible."},
            "rejected": {"type": "array", "items": {"$ref": "#/components/schemas/rejected_event"}, "description": "With `no_valid_event`: what is wrong with which event."},
            "needed": {"type": "object", "description": "With `role_required`: what it takes."},
            "role": {"type": ["string", "null"], "description": "With `role_required`: what the member has."},
        },
    })
}
