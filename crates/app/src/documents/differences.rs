//! The differences between two states of a document, resource by resource.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use domain::{Pointer, SharedDocument};
use serde_json::{Value, json};

use crate::documents::ResourceKind;
use crate::documents::resource_path::{id_of, list_of};
use crate::documents::same_text::is_same_text;

/// A resource that only one state has, or that differs between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// `campaign`, `page`, …
    pub kind: &'static str,
    /// Its id, if it has one.
    pub id: Option<String>,
    /// Its name, or its key where it has none.
    pub name: String,
    /// `added`, `removed` or `changed`.
    pub change: &'static str,
    /// Its changed fields.
    pub fields: Vec<FieldChange>,
}

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// The field's pointer, relative to the resource.
    pub pointer: Pointer,
    /// Its value before; null if there was none.
    pub before: Value,
    /// Its value after; null if there is none.
    pub after: Value,
}

/// The differences that turn `before` into `after`, resource by resource.
pub(crate) fn differences(before: &SharedDocument, after: &SharedDocument) -> Vec<Difference> {
    let mut found = Vec::new();
    compare_fields("project", before.value("project"), after.value("project"), &[], &mut found);
    for kind in ResourceKind::ALL.into_iter().filter(|kind| kind.parent().is_none()) {
        let list = kind.collection();
        compare_lists(kind, before.list(list), after.list(list), &mut found);
    }
    for (list, kind) in [("applications", "application"), ("integrations", "integration")] {
        let [before, after] = [before, after].map(|document| document.to_value(list));
        if before != after {
            let fields = field_changes(&before, &after);
            let (id, name, change) = (None, list.to_owned(), "changed");
            found.push(Difference { kind, id, name, change, fields });
        }
    }
    found
}

fn compare_lists<V: Borrow<Value>>(
    kind: ResourceKind,
    before: &[V],
    after: &[V],
    found: &mut Vec<Difference>,
) {
    let [before, after] = [before, after]
        .map(|resources| -> Vec<&Value> { resources.iter().map(Borrow::borrow).collect() });
    let known: HashMap<&str, &Value> =
        before.iter().map(|resource| (id_of(resource), *resource)).collect();
    let inner = kind.inner();
    let inner_list = inner.map(ResourceKind::collection);
    for resource in &after {
        match known.get(id_of(resource)) {
            Some(earlier) if is_same_text(earlier, resource) => {}
            Some(earlier) => {
                compare_fields(kind.word(), earlier, resource, inner_list.as_slice(), found);
                if let Some(inner) = inner {
                    compare_lists(inner, list_of(earlier, inner), list_of(resource, inner), found);
                }
            }
            None => found.push(Difference::of(kind.word(), resource, "added", Vec::new())),
        }
    }
    let kept: HashSet<&str> = after.iter().map(|resource| id_of(resource)).collect();
    let gone = before.iter().filter(|resource| !kept.contains(id_of(resource)));
    found.extend(gone.map(|resource| Difference::of(kind.word(), resource, "removed", Vec::new())));
    let order = |resources: &[&Value]| -> Vec<String> {
        let ids = resources.iter().map(|resource| id_of(resource));
        let ids = ids.filter(|id| known.contains_key(id) && kept.contains(id));
        ids.map(str::to_owned).collect()
    };
    let (earlier, later) = (order(&before), order(&after));
    if earlier != later {
        let (before, after) = (json!(earlier), json!(later));
        let field = FieldChange { pointer: Pointer::root(), before, after };
        let (id, name) = (None, kind.collection().to_owned());
        found.push(Difference {
            kind: kind.word(),
            id,
            name,
            change: "reordered",
            fields: vec![field],
        });
    }
}

fn compare_fields(
    kind: &'static str,
    before: &Value,
    after: &Value,
    left_out: &[&str],
    found: &mut Vec<Difference>,
) {
    let without = |resource: &Value| {
        let mut resource = resource.clone();
        if let Some(fields) = resource.as_object_mut() {
            fields.retain(|name, _| !left_out.contains(&name.as_str()));
        }
        resource
    };
    let fields = field_changes(&without(before), &without(after));
    if !fields.is_empty() {
        found.push(Difference::of(kind, after, "changed", fields));
    }
}

/// The fields that differ. List items have no names: lists of equal length are compared item by item, others as a whole.
pub(crate) fn field_changes(before: &Value, after: &Value) -> Vec<FieldChange> {
    let mut found = Vec::new();
    collect_changes(Pointer::root(), before, after, &mut found);
    found
}

fn collect_changes(pointer: Pointer, before: &Value, after: &Value, found: &mut Vec<FieldChange>) {
    match (before, after) {
        (Value::Object(earlier), Value::Object(later)) => {
            let gone = earlier.keys().filter(|name| !later.contains_key(*name));
            for name in later.keys().chain(gone) {
                collect_changes(pointer.field(name), &before[name], &after[name], found);
            }
        }
        (Value::Array(earlier), Value::Array(later)) if earlier.len() == later.len() => {
            for (index, (earlier, later)) in earlier.iter().zip(later).enumerate() {
                collect_changes(pointer.element(index), earlier, later, found);
            }
        }
        _ if before != after => {
            found.push(FieldChange { pointer, before: before.clone(), after: after.clone() });
        }
        _ => {}
    }
}

impl Difference {
    fn of(
        kind: &'static str,
        resource: &Value,
        change: &'static str,
        fields: Vec<FieldChange>,
    ) -> Self {
        let name = resource["name"].as_str().or(resource["key"].as_str()).unwrap_or_default();
        let id = resource["id"].as_str().map(str::to_owned);
        Self { kind, id, name: name.to_owned(), change, fields }
    }
}

/// How many code points of a value people are shown.
const SHOWN_AT_MOST: usize = 80;

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(formatter, "{} `{}` ({id})", self.kind, self.name)?,
            // A list as a whole.
            None => write!(formatter, "{}", self.name)?,
        }
        write!(formatter, " {}", self.change)?;
        for field in &self.fields {
            let (before, after) = (shown(&field.before), shown(&field.after));
            let path = field.pointer.path();
            let name = if path.is_empty() { path } else { path + ": " };
            write!(formatter, "\n  {name}{before} → {after}")?;
        }
        Ok(())
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_AT_MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
