//! An entry of the audit log as JSON, in an answer or on a line of an export.

use oauth::{ClientId, Moment};
use serde_json::{Value, json};
use storage::{AuditEntry, AuditMember, ProjectChange};

/// The entry as a JSON object, always with the same fields.
#[must_use]
pub fn entry_json(entry: &AuditEntry) -> Value {
    json!({
        "id": entry.id.to_string(),
        "at": Moment::from(entry.at).machine(),
        "event": entry.event.as_str(),
        "by": entry.by.as_str(),
        "member": entry.member.as_ref().map(member),
        "client_id": entry.client_id.as_ref().map(ClientId::as_str),
        "address": entry.address,
        "detail": entry.detail,
        "count": entry.count,
        "project": entry.project.as_ref().map(project),
        "seal": entry.seal.map(|seal| seal.number),
        "prev_hash": entry.seal.map(|seal| seal.prev_hash.to_string()),
        "hash": entry.seal.map(|seal| seal.hash.to_string()),
    })
}

/// The change as a JSON Patch, or null.
fn project(change: &ProjectChange) -> Value {
    json!({
        "id": change.id.to_string(),
        "entity": change.entity,
        "change": serde_json::from_str::<Value>(&change.change).ok(),
        "request_id": Some(&change.request_id).filter(|id| !id.is_empty()),
    })
}

fn member(member: &AuditMember) -> Value {
    json!({"id": member.id.to_string(), "email": member.email})
}
