//! Writes a condition's references: by key in documents that people read, even if the author wrote an id, and by id in documents that must
//! stay valid when a key changes.

use std::collections::HashMap;

use serde_json::Value;

use super::reader::Reader;
use crate::{
    AttributeId, AudienceId, Behavior, BehaviorEvent, Condition, ConditionKind, PageId, Project,
};

/// The place where a condition names something, by the kind of resource.
enum ConditionReference<'v> {
    Attribute(&'v mut Value),
    Audience(&'v mut Value, AudienceId),
    Page(&'v mut Value, PageId),
}

fn place<'v>(written: &'v mut Value, condition: &Condition) -> Option<ConditionReference<'v>> {
    if let ConditionKind::Audience(id) = condition.kind {
        return Some(ConditionReference::Audience(written.get_mut("audience")?, id));
    }
    if condition.kind == ConditionKind::CustomAttribute {
        return Some(ConditionReference::Attribute(written.get_mut("name")?));
    }
    let Some(Behavior { event: BehaviorEvent::Page(id), .. }) = condition.behavior else {
        return None;
    };
    Some(ConditionReference::Page(written.get_mut("value")?.get_mut("page")?, id))
}

/// Writes the condition's reference as a key.
pub(super) fn write_key(reader: &Reader<'_>, written: &mut Value, condition: &mut Condition) {
    match place(written, condition) {
        Some(ConditionReference::Attribute(place)) => {
            let key = condition.name.as_deref().and_then(|name| reader.attributes.key_of(name));
            let Some(key) = key.map(str::to_owned) else { return };
            *place = Value::from(key.as_str());
            condition.name = Some(key);
        }
        Some(ConditionReference::Audience(place, id)) => {
            replace(place, reader.audiences.keys.get(&id));
        }
        Some(ConditionReference::Page(place, id)) => replace(place, reader.pages.keys.get(&id)),
        None => {}
    }
}

fn replace(place: &mut Value, key: Option<&String>) {
    if let Some(key) = key {
        *place = Value::from(key.as_str());
    }
}

/// Writes all references in a document's audiences as ids.
pub(super) fn write_ids(project: &Project, document: &mut Value) {
    let attributes = project.attributes.iter().map(|one| (one.key.as_str(), one.id));
    let attributes: HashMap<&str, AttributeId> = attributes.collect();
    let written = document["audiences"].as_array_mut().into_iter().flatten();
    for (written, audience) in written.zip(&project.audiences) {
        let mut leaves = audience.conditions.tree.leaves().into_iter();
        write_tree(&mut written["conditions"], &mut leaves, &attributes);
    }
}

/// Objects are conditions, in the order of the tree's leaves.
fn write_tree<'c>(
    written: &mut Value,
    leaves: &mut impl Iterator<Item = &'c Condition>,
    attributes: &HashMap<&str, AttributeId>,
) {
    if let Value::Array(operands) = written {
        for operand in operands {
            write_tree(operand, leaves, attributes);
        }
    } else if written.is_object()
        && let Some(condition) = leaves.next()
    {
        write_id(written, condition, attributes);
    }
}

fn write_id(written: &mut Value, condition: &Condition, attributes: &HashMap<&str, AttributeId>) {
    match place(written, condition) {
        Some(ConditionReference::Attribute(place)) => {
            let id = condition.name.as_deref().and_then(|name| attributes.get(name));
            if let Some(id) = id {
                *place = Value::from(id.to_string());
            }
        }
        Some(ConditionReference::Audience(place, id)) => *place = Value::from(id.to_string()),
        Some(ConditionReference::Page(place, id)) => *place = Value::from(id.to_string()),
        None => {}
    }
}
