//! Drafts, code that is to come into them, revisions, and what differs between them.

use app::drafts::{CheckedCodeDto, CodeCheckRequest, CodeFaultDto, SourceDto, SourceRequest};
use serde_json::{Value, json};

use super::{Definition, answered, list_of, moment, record, taken, text, text_or_null};
use crate::revisions::Publication;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let mut published = revision();
    published["properties"]["warnings"] = list_of("warning");
    let difference = record(
        "What two states differ in.",
        json!({"patch": {"type": ["array", "null"], "items": {"type": "object"},
                         "description": "A JSON Patch (RFC 6902); `null` if it is longer than an answer holds."},
               "changes": list_of("resource_change"), "visitors": list_of("notice"), "text": text(),
               "truncated": truncated()}),
    );
    let applied = record(
        "What replacing the document changes.",
        json!({"changes": list_of("resource_change"), "visitors": list_of("notice"),
               "truncated": truncated(), "missing": missing(), "warnings": list_of("warning"),
               "live_revision": {"type": ["integer", "null"], "description": "The revision that visitors get until the document is published; `null` for none."},
               "draft": {"type": "string", "description": "The tag of the draft."}}),
    );
    vec![
        ("revision".to_owned(), revision()),
        ("published_revision".to_owned(), published),
        taken::<Publication>(),
        ("difference".to_owned(), difference),
        ("resource_change".to_owned(), change()),
        ("notice".to_owned(), notice()),
        ("applied".to_owned(), applied),
        taken::<SourceRequest>(),
        answered::<SourceDto>(),
        ("warning".to_owned(), warning()),
        taken::<CodeCheckRequest>(),
        answered::<CheckedCodeDto>(),
        answered::<CodeFaultDto>(),
    ]
}

fn missing() -> Value {
    let fields = json!({"kind": text(), "id": text(), "name": text()});
    let resource = record("A resource that the draft has and the document lacks.", fields);
    json!({"type": "array", "items": resource,
           "description": "What the draft has and the document lacks, 2,000 at most. What is inside of something missing is not listed beside it, nor is an experiment of an A/B test that gives way to another."})
}

fn truncated() -> Value {
    json!({"type": "boolean", "description": "Whether there is more than an answer holds: values of 1 MiB together, 2,000 resources."})
}

fn revision() -> Value {
    let number = json!({"type": "integer", "minimum": 1});
    let fields = json!({
        "number": number,
        "author": text_or_null(),
        "message": text(),
        "created_at": moment(),
        "document_hash": text(),
        "snippet_hash": text(),
        "snippet_bytes": {"type": "integer", "description": "As brotli."},
        "restored_from": {"type": ["integer", "null"]},
    });
    record("A published state of a project.", fields)
}

fn change() -> Value {
    let field = record(
        "A field that is not the same.",
        json!({"pointer": text(), "before": {}, "after": {}}),
    );
    let fields = json!({
        "change": {"type": "string", "enum": ["added", "removed", "changed", "reordered"]},
        "kind": text(),
        "id": text_or_null(),
        "name": text(),
        "fields": {"type": "array", "items": field},
        "text": text(),
    });
    record("A resource that differs.", fields)
}

fn notice() -> Value {
    let fields = json!({
        "effect": {"type": "string", "enum": ["removed", "stops", "starts", "changes"]},
        "kind": {"type": "string", "enum": ["campaign", "project"]},
        "id": text(),
        "name": text(),
        "text": text(),
    });
    record("Something that visitors notice once it is live.", fields)
}

fn warning() -> Value {
    let fields =
        json!({"code": text(), "pointer": text(), "message": text(), "hint": text_or_null()});
    record("Something that is allowed, and hardly meant.", fields)
}
