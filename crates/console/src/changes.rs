//! What differs between two states of a project, in words: what visitors will notice, then resource by resource.

mod names;
mod values;

use app::documents::{Difference, FieldChange, ResourceKind};
use app::resources::Edit;
use app::revisions::Comparison;
use domain::{Effect, Notice, Pointer, ProjectId, SharedDocument};
use serde_json::Value;

use crate::changes::names::Names;
use crate::changes::values::{readable, resource_names};
use crate::words::sentence;

/// Resources that a page shows with their fields; the others are counted. More are hard to look through.
const RESOURCES_SHOWN: usize = 200;

/// The kinds whose pages a change links to.
const KINDS_WITH_PAGES: [ResourceKind; 7] = [
    ResourceKind::Page,
    ResourceKind::Audience,
    ResourceKind::Attribute,
    ResourceKind::Event,
    ResourceKind::Metric,
    ResourceKind::Group,
    ResourceKind::Campaign,
];

/// The changes from one state to another.
pub(crate) struct Changes {
    pub(crate) notices: Vec<ShownNotice>,
    pub(crate) resources: Vec<ShownResource>,
    /// How many resources differ.
    pub(crate) count: usize,
    /// Whether there are differences that are neither shown nor counted.
    pub(crate) is_cut: bool,
    /// Whether the two states are the same.
    pub(crate) is_nothing: bool,
}

/// Something that visitors notice.
pub(crate) struct ShownNotice {
    pub(crate) words: String,
    pub(crate) details: Vec<String>,
    /// Whether visitors lose something.
    pub(crate) is_loss: bool,
}

/// A resource that differs.
pub(crate) struct ShownResource {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    /// The campaign and the experiment that it belongs to.
    pub(crate) belongs_to: String,
    /// Its page, if it has one.
    pub(crate) path: Option<String>,
    pub(crate) change: &'static str,
    pub(crate) fields: Vec<ShownField>,
}

/// A field that differs.
pub(crate) struct ShownField {
    pub(crate) name: String,
    pub(crate) before: String,
    pub(crate) after: String,
    /// Whether it is folded away.
    pub(crate) is_long: bool,
}

impl Changes {
    /// A comparison in words. The documents of both states know the names of what ids refer to.
    pub(crate) fn of(
        project: ProjectId,
        comparison: &Comparison,
        documents: &[&SharedDocument],
    ) -> Self {
        let shown = &comparison.differences[..comparison.differences.len().min(RESOURCES_SHOWN)];
        let names = Names::of(shown.iter(), documents);
        Self {
            notices: comparison.visitors.iter().map(ShownNotice::of).collect(),
            resources: shown.iter().map(|one| ShownResource::of(project, one, &names)).collect(),
            count: comparison.differences.len(),
            is_cut: comparison.is_cut,
            is_nothing: comparison
                .patch
                .as_ref()
                .is_some_and(|patch| *patch == Value::Array(vec![])),
        }
    }

    /// What edits of the past changed, edit by edit. The document has the names of what is still there.
    pub(crate) fn of_edits(
        project: ProjectId,
        edits: &[Edit],
        document: &SharedDocument,
    ) -> Vec<Self> {
        let names = Names::of(edits.iter().flat_map(|edit| &edit.changes), &[document]);
        let of_edit = |edit: &Edit| {
            let shown = edit.changes.iter().take(RESOURCES_SHOWN);
            Self {
                notices: Vec::new(),
                resources: shown.map(|one| ShownResource::of(project, one, &names)).collect(),
                count: edit.changes.len(),
                is_cut: edit.is_cut,
                is_nothing: edit.changes.is_empty(),
            }
        };
        edits.iter().map(of_edit).collect()
    }

    /// How many of the differences are not shown.
    pub(crate) fn more(&self) -> usize {
        self.count - self.resources.len()
    }
}

impl ShownNotice {
    fn of(notice: &Notice) -> Self {
        let mut lines = notice.text.lines().map(str::trim);
        Self {
            words: sentence(lines.next().unwrap_or_default()),
            details: lines.map(sentence).collect(),
            is_loss: matches!(notice.effect, Effect::Removed | Effect::Stops),
        }
    }
}

impl ShownResource {
    fn of(project: ProjectId, difference: &Difference, names: &Names<'_>) -> Self {
        let Difference { kind, id, name, change, fields } = difference;
        let id = id.as_deref();
        let page = KINDS_WITH_PAGES.into_iter().find(|known| known.word() == *kind);
        let page = page.zip(id).filter(|_| *change != "removed");
        Self {
            kind,
            belongs_to: id.map(|id| names.above(id)).unwrap_or_default(),
            path: page.map(|(kind, id)| format!("/projects/{project}/{}/{id}", kind.collection())),
            name: name.clone(),
            change,
            fields: fields.iter().map(|field| ShownField::of(field, names)).collect(),
        }
    }

    pub(crate) fn pill(&self) -> &'static str {
        match self.change {
            "added" => "good",
            "removed" => "lost",
            _ => "held",
        }
    }
}

impl ShownField {
    fn of(field: &FieldChange, names: &Names<'_>) -> Self {
        let is_reference = names_resources(&field.pointer);
        let [before, after] = [&field.before, &field.after].map(|value| {
            if is_reference {
                resource_names(value, names)
            } else {
                readable(&field.pointer, value)
            }
        });
        let is_long = [&before, &after].into_iter().any(|text| values::is_long(text));
        Self { name: field_name(&field.pointer), before, after, is_long }
    }
}

/// Whether a field holds ids of resources; an order of resources has no name.
fn names_resources(pointer: &Pointer) -> bool {
    let (first, last) = (pointer.tokens().next(), pointer.tokens().last());
    let is_one = last.is_some_and(|name| matches!(&*name, "event" | "page"));
    let lists = ["pages", "audiences", "events", "members", "metrics", "experiments", "variations"];
    let is_in_list = first.is_none_or(|name| lists.contains(&&*name));
    (is_one || is_in_list) && !values::is_share(pointer)
}

/// `changes › 2 › css`: lists count from 1, as people do.
fn field_name(pointer: &Pointer) -> String {
    let words = pointer.tokens().map(|token| match token.parse::<usize>() {
        Ok(index) => (index + 1).to_string(),
        Err(_) => token.replace('_', " "),
    });
    let words: Vec<_> = words.collect();
    if words.is_empty() { "order".to_owned() } else { words.join(" › ") }
}
