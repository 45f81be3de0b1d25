//! Changes: the fields of each type.

use serde_json::{Value, json};

use super::super::changes::CHANGE_TYPES;
use super::parts::{Definition, about, nullable, object, reference_to, switch, with, word};
use crate::Position;
use crate::limits::{MAX_CHANGES, MAX_LINE_LENGTH, MAX_TEXT_BYTES};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let changes: Vec<Value> = CHANGE_TYPES.iter().map(|(kind, _)| change(kind)).collect();
    vec![(
        "change",
        json!({"description": "One change that a variation makes to the page.", "oneOf": changes}),
    )]
}

fn change(kind: &'static str) -> Value {
    let (description, fields) = own_fields(kind);
    let required: Vec<&str> = fields.iter().filter(|field| field.2).map(|field| field.0).collect();
    let required: Vec<&str> = std::iter::once("type").chain(required).collect();
    let ids = json!({"type": "array", "items": reference_to("line"), "maxItems": MAX_CHANGES});
    let shared = [
        ("type", json!({"const": kind})),
        ("id", about(reference_to("line"), "The id by which other changes of the list name it.")),
        ("page", about(reference_to("reference"), "The one page it is limited to.")),
        ("async", switch("Whether the runtime may apply it after the others.")),
        (
            "depends_on",
            with(ids, "Ids of the changes that the runtime must apply before it.", json!([])),
        ),
    ];
    let own = fields.into_iter().map(|(name, schema, _)| (name, schema));
    object(description, shared.into_iter().chain(own), &required)
}

/// A field of a change, and whether it is required.
type Field = (&'static str, Value, bool);

fn own_fields(kind: &str) -> (&'static str, Vec<Field>) {
    let selector = || ("selector", about(reference_to("line"), "A CSS selector."), true);
    let value = |description: &str| ("value", about(reference_to("text"), description), true);
    let line = |name, description: &str| (name, about(reference_to("line"), description), true);
    let nullable_line = json!({"type": "string", "minLength": 1, "maxLength": MAX_LINE_LENGTH});
    let position = || ("position", word::<Position>(), true);
    match kind {
        "text" => ("Replaces the text.", vec![selector(), value("The new text.")]),
        "html" => ("Replaces the content.", vec![selector(), value("The new content.")]),
        "style" => (
            "Sets one style property.",
            vec![
                selector(),
                line("name", "The CSS property."),
                ("value", about(nullable(nullable_line), "Its value; null removes it."), true),
            ],
        ),
        "class" => {
            ("Adds classes.", vec![selector(), line("value", "The classes, separated by spaces.")])
        }
        "attribute" => (
            "Sets one attribute.",
            vec![
                selector(),
                line("name", "The attribute."),
                (
                    "value",
                    about(
                        json!({"type": ["string", "null"], "maxLength": MAX_TEXT_BYTES}),
                        "Its value; null removes it.",
                    ),
                    true,
                ),
            ],
        ),
        "insert" => ("Inserts HTML.", vec![selector(), value("The HTML."), position()]),
        "move" => (
            "Moves an element.",
            vec![selector(), line("to", "Selector of the other element."), position()],
        ),
        "remove" => ("Removes the elements.", vec![selector()]),
        "css" => ("Adds a style sheet.", vec![value("The style sheet.")]),
        "javascript" => ("Runs code.", vec![value("A function body.")]),
        _ => (
            "Redirects to another address.",
            vec![
                ("destination", about(reference_to("line"), "The address."), false),
                (
                    "destination_code",
                    about(reference_to("text"), "A function body that returns the address."),
                    false,
                ),
                (
                    "preserve_parameters",
                    switch("Whether the redirect keeps the query parameters."),
                    false,
                ),
                (
                    "allow_chain",
                    switch("Whether it may also redirect a visitor who arrived by a redirect."),
                    false,
                ),
            ],
        ),
    }
}
