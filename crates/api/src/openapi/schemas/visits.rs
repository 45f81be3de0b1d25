//! Decisions about visits, and preview links.

use serde_json::{Value, json};

use super::{Definition, list_of, moment, record, text, text_or_null, written};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        ("visit".to_owned(), visit()),
        ("decisions".to_owned(), decisions()),
        ("named".to_owned(), named()),
        ("preview_request".to_owned(), preview_request()),
        (
            "preview_link".to_owned(),
            record("A link that shows variations.", json!({"url": text(), "expires_at": moment()})),
        ),
    ]
}

fn visit() -> Value {
    let texts = || json!({"type": "object", "additionalProperties": text()});
    let list = || json!({"type": "array", "items": text()});
    let object = || json!({"type": "object"});
    let fields = json!({
        "visitor_id": text(),
        "url": {"type": "string", "format": "uri"},
        "referrer": text(),
        "cookies": texts(),
        "attributes": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
        "user_agent": text_or_null(),
        "touch_points": {"type": ["integer", "null"], "minimum": 0},
        "language": text_or_null(),
        "local_time": text_or_null(),
        "location": {"type": ["object", "null"]},
        "first_session": {"type": ["boolean", "null"]},
        "history": {"type": "array", "items": object()},
        "remembered": object(),
        "variations": texts(),
        "groups": texts(),
        "force": list(),
        "force_audiences": list(),
        "pages": list(),
    });
    written("A visit, as far as it is known.", fields, &["visitor_id", "url"])
}

fn decisions() -> Value {
    let fields = json!({
        "visitor_id": text(),
        "url": text(),
        "pages": list_of("named"),
        "audiences": list_of("named"),
        "campaigns": list_of("named"),
        "active_experiment_ids": {"type": "array", "items": text()},
        "variation_map": {"type": "object", "additionalProperties": {"type": "object"}},
        "groups": {"type": "object", "additionalProperties": text_or_null()},
    });
    record("What a visitor gets, and why.", fields)
}

/// What is said of pages, audiences and campaigns has more fields, each told in words.
fn named() -> Value {
    let fields = json!({
        "id": text(),
        "key": text(),
        "name": text_or_null(),
        "is_active": {"type": "boolean", "description": "Of a page: whether it is active."},
        "is_met": {"type": ["boolean", "null"], "description": "Of an audience: whether the visitor is in it."},
        "why": {"type": "string", "description": "The reason, in words."},
        "type": {"type": "string", "enum": ["ab_test", "personalization"]},
        "is_decided": {"type": "boolean", "description": "Of a campaign: whether the page decides it."},
        "is_held_back": {"type": "boolean", "description": "Bucketed, but shown nothing."},
        "experiment": {"type": ["object", "null"]},
        "variation": {"type": ["object", "null"]},
        "audiences": {"type": "array", "items": {"type": "object"}},
        "decision_string": text_or_null(),
        "steps": {"type": "array", "items": record("A step of the decision.", json!({"step": text(), "text": text()}))},
    });
    written(
        "What was found about a page, an audience or a campaign.",
        fields,
        &["id", "key", "name"],
    )
}

fn preview_request() -> Value {
    let fields = json!({
        "url": {"type": "string", "format": "uri", "description": "The address of the page."},
        "variations": {"type": "array", "items": text(), "minItems": 1, "maxItems": 20, "description": "Keys or ids."},
        "draft": {"type": ["boolean", "null"], "description": "Whether they are taken from the draft."},
        "expires_in": {"type": ["integer", "null"], "minimum": 60, "maximum": 2_592_000, "description": "Seconds; 604800 at most for a draft."},
    });
    written("What a link is to show.", fields, &["url", "variations"])
}
