//! Read-only fields of a resource: a client may send them back unchanged, but not change them.

use domain::{Fault, Pointer};
use serde_json::{Map, Value};

use crate::documents::ResourceKind;

/// A read-only field, and what to do instead.
pub(super) type ReadOnly = (&'static str, &'static str);

const ID: ReadOnly = ("id", "a resource keeps its id; visitors and reports know it by that");
const PROJECT: ReadOnly = ("project_id", "a resource stays in its project");
const ARCHIVED: ReadOnly = ("archived", "use the actions `archive` and `restore`");
const STATUS: ReadOnly =
    ("status", "use the actions `start`, `pause`, `resume`, `conclude`, `archive` and `restore`");
const SHIPPED: ReadOnly = ("shipped", "use the action `conclude` with `ship`");
const CAMPAIGN: ReadOnly = ("campaign_id", "a resource stays in its campaign");
const EXPERIMENT: ReadOnly = ("experiment_id", "a variation stays in its experiment");
const REVISION: ReadOnly = ("revision", "publish the draft");
const MANAGER: ReadOnly = ("managed_by", "it says what manages the project");
const DRAFT: ReadOnly = ("draft", "it identifies the state of the draft");

/// The read-only fields of the project itself.
pub(super) const OF_PROJECT: [ReadOnly; 5] = [ID, ARCHIVED, REVISION, MANAGER, DRAFT];

/// The read-only fields of an existing resource.
pub(super) fn of_kind(kind: ResourceKind) -> &'static [ReadOnly] {
    match kind {
        ResourceKind::Attribute
        | ResourceKind::Page
        | ResourceKind::Audience
        | ResourceKind::Event
        | ResourceKind::Metric
        | ResourceKind::Group => &[ID, PROJECT, ARCHIVED],
        ResourceKind::Campaign => &[ID, PROJECT, STATUS, SHIPPED],
        ResourceKind::Experiment => &[ID, PROJECT, ARCHIVED, CAMPAIGN, STATUS],
        ResourceKind::Variation => &[ID, PROJECT, ARCHIVED, CAMPAIGN, EXPERIMENT],
    }
}

/// Fields about a resource's past and state in answers. A client may send them back, however old: they are ignored.
pub(crate) const TOLD_ONLY: [&str; 4] = ["created_at", "updated_at", "updated_by", "etag"];

/// Takes these fields out of a request. Fields that differ from `current` are faults.
pub(super) fn take_out(
    fields: &[ReadOnly],
    sent: &mut Map<String, Value>,
    current: &Value,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for field in TOLD_ONLY {
        sent.shift_remove(field);
    }
    for (field, instead) in fields {
        if sent.shift_remove(*field).is_some_and(|value| value != current[*field]) {
            let message = format!("`{field}` is read-only");
            let pointer = Pointer::root().field(field);
            faults.push(Fault::error("read_only_field", pointer, message).hint(*instead));
        }
    }
    faults
}
