//! A program reads the history of a resource, or of all resources and publications of a project: who changed what when.

use domain::ProjectId;
use oauth::Moment;
use serde_json::{Value, json};
use storage::{HistoryEntry, HistoryFilter, ListRange, PastChange, REVISION};

use crate::App;
use crate::documents::{ResourceKind, find, resource_name};
use crate::drafts::{ReadError, readable_draft};
use crate::resources::Listed;
use crate::roles::{Actor, Permission};

/// One page of the history of the resource of a kind with this id, or with this key behind `key:`, newest first. A removed resource is
/// found by its id.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::NotFound`] if the resource never existed, [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_history(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (kind, name): (ResourceKind, &str),
    page: ListRange,
) -> Result<Listed, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let path = find(&draft.document, kind, name);
    let found = path.as_ref().and_then(|path| path.get(&draft.document)["id"].as_str());
    let resource = resource_name(kind, found.unwrap_or(name));
    let (changes, total) = app.store().list_resource_changes(id, &resource, page).await?;
    if found.is_none() && total == 0 {
        return Err(ReadError::NotFound);
    }
    Ok(Listed { resources: changes.iter().map(change_as_json).collect(), total })
}

/// One page of what was changed in the draft of a project, and what was published of it, newest first.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_project_history(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (filter, page): (HistoryFilter, ListRange),
) -> Result<Listed, ReadError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    app.store().find_project(id).await?.ok_or(ReadError::UnknownProject)?;
    let (entries, total) = app.store().list_project_history(id, filter, page).await?;
    Ok(Listed { resources: entries.iter().map(|entry| told_entry(id, entry)).collect(), total })
}

/// Each entry has the same fields, whatever it tells of.
fn told_entry(project: ProjectId, entry: &HistoryEntry) -> Value {
    let about = |kind: &str, id: String| json!({"kind": kind, "id": id});
    match entry {
        HistoryEntry::Change { resource, change } => {
            let (kind, id) = match resource.split_once(' ') {
                Some((kind, id)) => (kind, id.to_owned()),
                None => (resource.as_str(), project.to_string()),
            };
            let mut told = change_as_json(change);
            told["resource"] = about(kind, id);
            told["message"] = json!("");
            told["restored_from"] = Value::Null;
            told
        }
        HistoryEntry::Publication { number, at, by, message, restored_from } => json!({
            "at": Moment::from(*at).machine(),
            "by": by,
            "change": if restored_from.is_some() { "restored" } else { "published" },
            "fields": [],
            "truncated": false,
            "resource": about(REVISION, number.to_string()),
            "message": message,
            "restored_from": restored_from,
        }),
    }
}

fn change_as_json(change: &PastChange) -> Value {
    let told: Value = serde_json::from_str(&change.fields).unwrap_or_default();
    let fields = told["fields"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fields = fields.iter().map(|field| {
        json!({"pointer": field["pointer"], "before": field["before"], "after": field["after"]})
    });
    json!({
        "at": Moment::from(change.at).machine(),
        "by": change.by,
        "change": change.kind.as_str(),
        "fields": fields.collect::<Value>(),
        "truncated": told["truncated"] == true,
    })
}
