//! A program changes some fields of a resource with a JSON merge patch (RFC 7396).

use domain::{Pointer, ProjectId};
use serde_json::{Map, Value};

use crate::App;
use crate::documents::{ResourceKind, ResourcePath, find};
use crate::drafts::{
    Draft, Edit, EditError, ExpectedVersion, ReadError, check_edit, edit_draft, project_view, view,
};
use crate::resources::priorities::forget_default;
use crate::resources::read_only::{OF_PROJECT, ReadOnly, of_kind, take_out};
use crate::roles::Actor;

/// Changes the resource of this kind with this id, or with this key behind `key:`, if it is still as the actor saw it.
///
/// # Errors
/// See [`EditError`].
pub async fn change_resource(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (kind, name): (ResourceKind, String),
    wish: (Map<String, Value>, ExpectedVersion),
) -> Result<Value, EditError> {
    let (draft, changed) = edit_draft(app, actor, id, changing((kind, name), wish)).await?;
    let resource_path = ResourcePath::of(&changed).ok_or(ReadError::NotFound)?;
    Ok(view(&draft, kind, &resource_path))
}

/// Checks the same change; nothing is stored.
///
/// # Errors
/// See [`EditError`].
pub async fn check_change(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    resource: (ResourceKind, String),
    wish: (Map<String, Value>, ExpectedVersion),
) -> Result<(), EditError> {
    check_edit(app, actor, id, changing(resource, wish)).await
}

fn changing(
    (kind, name): (ResourceKind, String),
    (patch, expected): (Map<String, Value>, ExpectedVersion),
) -> impl Fn(&Draft) -> Result<Edit, EditError> {
    move |draft: &Draft| {
        let resource_path = find(&draft.document, kind, &name).ok_or(ReadError::NotFound)?;
        let patch = checked(&patch, of_kind(kind), &view(draft, kind, &resource_path), &expected)?;
        let mut document = (*draft.document).clone();
        if kind == ResourceKind::Campaign && patch.get("experiments").is_some() {
            forget_default(resource_path.get_mut(&mut document));
        }
        json_patch::merge(resource_path.get_mut(&mut document), &patch);
        if ["experiments", "variations"].iter().any(|list| patch.get(list).is_some()) {
            // What the resource has already is named by its key alone, too; all else is new.
            document.adopt_ids(&draft.document);
        }
        Ok(Edit { document, changed: resource_path.pointer(), word: kind.word() })
    }
}

/// Changes the project itself, not its resources.
///
/// # Errors
/// See [`EditError`].
pub async fn change_project(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    patch: Map<String, Value>,
    expected: ExpectedVersion,
) -> Result<Value, EditError> {
    let change = move |draft: &Draft| {
        let patch = checked(&patch, &OF_PROJECT, &project_view(draft), &expected)?;
        let mut document = (*draft.document).clone();
        if let Some(project) = document.value_mut("project") {
            json_patch::merge(project, &patch);
        }
        Ok::<_, EditError>(Edit {
            document,
            changed: Pointer::root().field("project"),
            word: "project",
        })
    };
    let (draft, _) = edit_draft(app, actor, id, change).await?;
    Ok(project_view(&draft))
}

/// The patch without read-only fields; an error if it was made for another state of the resource.
fn checked(
    patch: &Map<String, Value>,
    read_only: &[ReadOnly],
    current: &Value,
    expected: &ExpectedVersion,
) -> Result<Value, EditError> {
    let mut patch = patch.clone();
    if !expected.accepts(current) {
        let mut yours = current.clone();
        json_patch::merge(&mut yours, &Value::Object(patch));
        if let Some(fields) = yours.as_object_mut() {
            fields.shift_remove("etag");
        }
        return Err(EditError::changed(current.clone(), Some(yours)));
    }
    let faults = take_out(read_only, &mut patch, current);
    if faults.is_empty() { Ok(Value::Object(patch)) } else { Err(EditError::Invalid(faults)) }
}
