//! A program reads the history of a resource: who changed what when, in the draft.

use domain::ProjectId;
use oauth::Moment;
use serde_json::{Value, json};
use storage::{Page, PastChange};

use crate::App;
use crate::documents::{ResourceKind, find, resource_name};
use crate::drafts::{ReadError, readable_draft};
use crate::resources::Listed;
use crate::roles::Actor;

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
    page: Page,
) -> Result<Listed, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let place = find(&draft.document, kind, name);
    let found = place.as_ref().and_then(|place| place.get(&draft.document)["id"].as_str());
    let resource = resource_name(kind, found.unwrap_or(name));
    let (changes, total) = app.store().list_resource_changes(id, &resource, page).await?;
    if found.is_none() && total == 0 {
        return Err(ReadError::NotFound);
    }
    Ok(Listed { resources: changes.iter().map(told).collect(), total })
}

fn told(change: &PastChange) -> Value {
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
