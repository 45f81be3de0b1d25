//! Single values: ids, keys, names, texts, shares, references.

use serde_json::{Value, json};

use super::parts::Definition;
use crate::BasisPoints;
use crate::limits::{
    MAX_DESCRIPTION_LENGTH, MAX_KEY_LENGTH, MAX_LINE_LENGTH, MAX_NAME_LENGTH, MAX_TAG_LENGTH,
    MAX_TEXT_BYTES,
};

/// Everything but control characters, in a syntax that ECMA-262 and Python share: client generators are written in both.
const ONE_LINE: &str = r"^[^\x00-\x1f\x7f-\x9f]*$";

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let key = format!("^[a-z0-9][a-z0-9_-]{{0,{}}}$", MAX_KEY_LENGTH - 1);
    // The names are too many for a list: client generators make a type of each, and the database grows. The decoder checks them.
    let zone = json!({
        "description": "A time zone of the IANA database, such as Europe/Berlin.",
        "type": "string",
        "examples": ["Europe/Berlin", "UTC"],
    });
    vec![
        ("id", id()),
        (
            "key",
            json!({"description": "How the document refers to this. Made from the name if it is left out.", "type": "string", "pattern": key}),
        ),
        ("name", line("The display name.", MAX_NAME_LENGTH)),
        (
            "description",
            json!({"description": "What this is about; may have several lines.", "type": "string", "maxLength": MAX_DESCRIPTION_LENGTH}),
        ),
        (
            "campaign_tag",
            line("A word or two to find campaigns by; no space at its ends.", MAX_TAG_LENGTH),
        ),
        ("line", line("A text on one line.", MAX_LINE_LENGTH)),
        ("text", text()),
        ("share", share()),
        (
            "reference",
            json!({"description": "The key or id of a resource in this document.", "type": ["string", "number"]}),
        ),
        (
            "minute",
            json!({
                "description": "A local time to the minute, such as 2026-12-01T09:00.",
                "type": "string",
                "pattern": "^2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$",
            }),
        ),
        ("time_zone", zone),
    ]
}

fn id() -> Value {
    json!({
        "description": "What bucketing and analytics see. Derived from the keys if it is left out.",
        "anyOf": [
            {"type": "string", "pattern": "^[1-9][0-9]{0,15}$"},
            {"type": "integer", "minimum": 1, "exclusiveMaximum": 1_u64 << 53},
        ],
    })
}

fn line(description: &str, limit: usize) -> Value {
    json!({"description": description, "type": "string", "minLength": 1, "maxLength": limit, "pattern": ONE_LINE})
}

fn text() -> Value {
    let path = json!({"description": "A file in the document's folder.", "type": "string"});
    json!({
        "description": "A text, or the file that contains it.",
        "anyOf": [
            // The limit counts bytes, and a character has at least one.
            {"type": "string", "maxLength": MAX_TEXT_BYTES},
            {"type": "object", "properties": {"file": path}, "required": ["file"], "additionalProperties": false},
        ],
    })
}

fn share() -> Value {
    json!({
        "description": "A share of visitors: basis points, or a percentage such as \"12.5%\".",
        "anyOf": [
            {"type": "integer", "minimum": 0, "maximum": BasisPoints::ALL.get()},
            {"type": "string", "pattern": r"^[0-9]{1,3}(\.[0-9]{1,2})?\s*%$"},
        ],
    })
}
