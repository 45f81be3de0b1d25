//! A person reads the history of a project: edit by edit, each with the resources that it changed, and what was published between them.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{Pointer, ProjectId, SharedDocument};
use oauth::Timestamp;
use serde_json::{Value, json};
use storage::{HistoryEntry, HistoryFilter, ListRange, PastChange, ResourceChangeKind};

use crate::App;
use crate::documents::{Difference, FieldChange, ResourceKind, find};
use crate::drafts::{ReadError, readable_draft};
use crate::roles::Actor;

/// What the history calls the project's own fields.
const PROJECT: &str = "project";

/// A part of the history, newest first.
#[derive(Debug)]
pub struct PastEdits {
    /// What was done.
    pub edits: Vec<Edit>,
    /// How many entries there are in all; an edit has one for each resource.
    pub total: u64,
    /// The draft as it is now, which knows the names of what is still there.
    pub document: Arc<SharedDocument>,
}

/// An act of a member or a program at one time.
#[derive(Debug)]
pub struct Edit {
    /// When.
    pub at: Timestamp,
    /// Who, in words for people.
    pub by: String,
    /// What was published, if anything.
    pub publication: Option<Publication>,
    /// What became of resources.
    pub changes: Vec<Difference>,
    /// Whether there are changed fields that the history does not have.
    pub is_cut: bool,
}

/// A revision that went live.
#[derive(Debug)]
pub struct Publication {
    /// Its number.
    pub number: u32,
    /// What was said about it.
    pub message: String,
    /// The revision whose document this is again, if it is.
    pub restored_from: Option<u32>,
}

/// A part of what was done to a project.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_edits(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (filter, page): (HistoryFilter, ListRange),
) -> Result<PastEdits, ReadError> {
    let document = Arc::clone(&readable_draft(app, actor, id).await?.document);
    // The project changes with everything in it.
    let filter = HistoryFilter { of_itself: true, ..filter };
    let (entries, total) = app.store().list_project_history(id, filter, page).await?;
    let mut edits: Vec<Edit> = Vec::new();
    for entry in entries {
        let edit = Edit::of(entry, &document);
        match edits.last_mut() {
            Some(last) if last.is_one_with(&edit) => last.take(edit),
            _ => edits.push(edit),
        }
    }
    for edit in &mut edits {
        edit.tell_once();
    }
    Ok(PastEdits { edits, total, document })
}

impl Edit {
    fn of(entry: HistoryEntry, document: &SharedDocument) -> Self {
        match entry {
            HistoryEntry::Publication { number, at, by, message, restored_from } => Self {
                at,
                by,
                publication: Some(Publication { number, message, restored_from }),
                changes: Vec::new(),
                is_cut: false,
            },
            HistoryEntry::Change { resource, change } => {
                let told: Value = serde_json::from_str(&change.fields).unwrap_or_default();
                Self {
                    at: change.at,
                    changes: vec![difference(&resource, &change, &told, document)],
                    by: change.by,
                    publication: None,
                    is_cut: told["truncated"] == true,
                }
            }
        }
    }

    fn is_one_with(&self, other: &Self) -> bool {
        let are_edits = self.publication.is_none() && other.publication.is_none();
        are_edits && self.at == other.at && self.by == other.by
    }

    fn take(&mut self, other: Self) {
        self.changes.extend(other.changes);
        self.is_cut |= other.is_cut;
    }

    /// A resource changes with those that it holds: what is told of these is not told of it again, but for a new order.
    fn tell_once(&mut self) {
        let kinds: Vec<&str> = self.changes.iter().map(|change| change.kind).collect();
        self.changes.retain_mut(|change| {
            let had = change.fields.len();
            let fields = std::mem::take(&mut change.fields);
            let orders = new_orders(&fields);
            let is_told = |field: &FieldChange| {
                let list = inner_list(&field.pointer);
                let is_ordered =
                    |kind| orders.iter().any(|order| inner_list(&order.pointer) == Some(kind));
                list.is_some_and(|kind| kinds.contains(&kind.word()) || is_ordered(kind))
            };
            change.fields = fields.into_iter().filter(|field| !is_told(field)).collect();
            change.fields.extend(orders);
            had == 0 || !change.fields.is_empty()
        });
    }
}

/// The kind of the resources in whose list a field of a resource is.
fn inner_list(pointer: &Pointer) -> Option<ResourceKind> {
    let list = pointer.tokens().next()?;
    ResourceKind::of_collection(&list).filter(|kind| kind.parent().is_some())
}

/// Lists of resources in which the same ones have other places, each as the ids at these places before and after.
fn new_orders(fields: &[FieldChange]) -> Vec<FieldChange> {
    let mut lists: BTreeMap<&'static str, [Vec<&Value>; 2]> = BTreeMap::new();
    for FieldChange { pointer, before, after } in fields {
        let Some(kind) = inner_list(pointer).filter(|_| is_id(pointer)) else { continue };
        let [earlier, later] = lists.entry(kind.collection()).or_default();
        earlier.push(before);
        later.push(after);
    }
    let sorted = |ids: &[&Value]| {
        let mut ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        ids.sort_unstable();
        ids
    };
    lists.retain(|_, [before, after]| sorted(before) == sorted(after));
    let order = |(list, [before, after]): (&str, [Vec<&Value>; 2])| FieldChange {
        pointer: Pointer::root().field(list),
        before: json!(before),
        after: json!(after),
    };
    lists.into_iter().map(order).collect()
}

/// Whether a field is the id of a resource in a list: `/variations/0/id`.
fn is_id(pointer: &Pointer) -> bool {
    pointer.tokens().count() == 3 && pointer.tokens().last().is_some_and(|name| name == "id")
}

fn difference(
    resource: &str,
    change: &PastChange,
    told: &Value,
    document: &SharedDocument,
) -> Difference {
    let (word, id) = resource.split_once(' ').unwrap_or((resource, ""));
    let kind = ResourceKind::ALL.into_iter().find(|kind| kind.word() == word);
    let fields: Vec<_> =
        told["fields"].as_array().into_iter().flatten().filter_map(field).collect();
    let is_there = kind.and_then(|kind| Some(find(document, kind, id)?.get(document)));
    let name = match is_there {
        Some(resource) => name_of(resource),
        None if kind.is_none() => name_of(document.value(PROJECT)),
        None => id.to_owned(),
    };
    Difference {
        kind: kind.map_or(PROJECT, ResourceKind::word),
        // What is gone has no page.
        id: is_there.is_some().then(|| id.to_owned()),
        name,
        change: match change.kind {
            ResourceChangeKind::Created => "added",
            ResourceChangeKind::Changed => "changed",
            ResourceChangeKind::Removed => "removed",
        },
        fields,
    }
}

/// `None` if the history has no values of the field, as there was no room for them.
fn field(told: &Value) -> Option<FieldChange> {
    Some(FieldChange {
        pointer: Pointer::parse(told["pointer"].as_str()?)?,
        before: told.get("before")?.clone(),
        after: told.get("after")?.clone(),
    })
}

fn name_of(resource: &Value) -> String {
    let name = resource["name"].as_str().or(resource["key"].as_str());
    name.unwrap_or_default().to_owned()
}
