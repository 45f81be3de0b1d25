//! A program adds a resource to a project.

use domain::{Fault, Pointer, ProjectId, SharedDocument};
use serde_json::{Map, Value};

use crate::App;
use crate::documents::{ResourceKind, ResourcePath, count, find};
use crate::drafts::{Draft, Edit, EditError, ReadError, check_edit, edit_draft, view};
use crate::resources::TOLD_ONLY;
use crate::resources::priorities::forget_default;
use crate::roles::Actor;

/// Adds a resource of this kind at the end of its list. The parent campaign or experiment is named by its id, or by its key behind `key:`.
///
/// # Errors
/// See [`EditError`].
pub async fn create_resource(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    kind: ResourceKind,
    sent: Map<String, Value>,
) -> Result<Value, EditError> {
    let (draft, changed) = edit_draft(app, actor, id, creating(kind, sent)).await?;
    let path = ResourcePath::of(&changed).ok_or(ReadError::NotFound)?;
    Ok(view(&draft, kind, &path))
}

/// Checks whether such a resource can be added; nothing is stored.
///
/// # Errors
/// See [`EditError`].
pub async fn check_new_resource(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    kind: ResourceKind,
    sent: Map<String, Value>,
) -> Result<(), EditError> {
    check_edit(app, actor, id, creating(kind, sent)).await
}

fn creating(
    kind: ResourceKind,
    sent: Map<String, Value>,
) -> impl Fn(&Draft) -> Result<Edit, EditError> {
    move |draft: &Draft| {
        let (path, resource) = placed(draft, kind, sent.clone())?;
        let mut document = (*draft.document).clone();
        if let Some(campaign) = path.parent().filter(|_| kind == ResourceKind::Experiment) {
            forget_default(campaign.get_mut(&mut document));
        }
        push(&mut document, kind, path.parent(), resource);
        Ok(Edit { document, changed: path.pointer(), word: kind.word() })
    }
}

/// The resource without the fields that only name its parent, and its path.
fn placed(
    draft: &Draft,
    kind: ResourceKind,
    mut sent: Map<String, Value>,
) -> Result<(ResourcePath, Value), EditError> {
    for field in TOLD_ONLY {
        sent.shift_remove(field);
    }
    let project = draft.project.id.to_string();
    let here = "resources are added to the project of the address";
    let mut faults = Vec::from_iter(other_than(&mut sent, "project_id", &project, here));
    if matches!(kind, ResourceKind::Campaign | ResourceKind::Experiment) {
        faults.extend(other_than(&mut sent, "status", "not_started", "use the action `start`"));
    }
    match path_for(&draft.document, kind, &mut sent) {
        Ok(path) if faults.is_empty() => return Ok((path, Value::Object(sent))),
        Ok(_) => {}
        Err(fault) => faults.push(*fault),
    }
    Err(EditError::Invalid(faults))
}

/// Takes out a field that allows only one value here.
fn other_than(
    sent: &mut Map<String, Value>,
    field: &str,
    value: &str,
    hint: &str,
) -> Option<Fault> {
    sent.shift_remove(field).filter(|sent| *sent != *value)?;
    let fault =
        Fault::error("read_only_field", Pointer::root().field(field), "this does not fit here");
    Some(fault.expected(format!("`{value}`, or nothing")).hint(hint))
}

/// The path behind the last resource of the kind.
fn path_for(
    document: &SharedDocument,
    kind: ResourceKind,
    sent: &mut Map<String, Value>,
) -> Result<ResourcePath, Box<Fault>> {
    let Some((parent, field)) = kind.parent() else {
        return Ok(ResourcePath::top(kind, document.list(kind.collection()).len()));
    };
    let path = named(document, parent, field, sent.shift_remove(field))?;
    Ok(path.inside(kind, count(path.get(document), kind)))
}

/// The resource that a field names.
fn named(
    document: &SharedDocument,
    kind: ResourceKind,
    field: &'static str,
    name: Option<Value>,
) -> Result<ResourcePath, Box<Fault>> {
    let (pointer, word) = (Pointer::root().field(field), kind.word());
    let name = match name {
        Some(Value::String(name)) => name,
        Some(Value::Number(number)) => number.to_string(),
        None => {
            let message = format!("the field `{field}` is missing, which names the {word}");
            return Err(Box::new(Fault::missing(Pointer::root(), field, message)));
        }
        Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) => {
            let fault = Fault::error("wrong_type", pointer, "this names no resource");
            return Err(Box::new(fault.expected(format!("the id of the {word}, in quotes"))));
        }
    };
    find(document, kind, &name).ok_or_else(|| {
        let message = format!("there is no {word} `{name}`");
        Box::new(Fault::error("unknown_reference", pointer, message))
    })
}

/// Adds a resource at the end of a list of another resource, or of the project itself.
fn push(
    document: &mut SharedDocument,
    kind: ResourceKind,
    parent: Option<ResourcePath>,
    resource: Value,
) {
    let Some(parent) = parent else { return document.push(kind.collection(), resource) };
    let list = parent.get_mut(document)[kind.collection()].as_array_mut();
    list.expect("a draft has every list that it can have").push(resource);
}
