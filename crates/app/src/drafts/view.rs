//! A resource as programs see it: its document, its parents, and when it last changed.

use domain::{ProjectId, SharedDocument};
use serde_json::{Value, json};
use storage::{ProjectHead, ResourceStamp};

use crate::documents::{
    ResourceKind, ResourcePath, find, id_of, is_same_text, stamp, stamp_live, tag_of,
};
use crate::drafts::Draft;

/// The resource of this kind at this path in a draft.
pub(crate) fn view(draft: &Draft, kind: ResourceKind, path: &ResourcePath) -> Value {
    let known = draft.stamp_of(kind, id_of(path.get(&draft.document)));
    let mut view = view_in(&draft.document, draft.project.id, kind, path);
    stamp(&mut view, known.as_ref());
    tagged(view)
}

/// The live resource of this kind at this path. The draft knows when it last changed.
pub(crate) fn live_view(
    (live, draft): (&SharedDocument, &Draft),
    kind: ResourceKind,
    path: &ResourcePath,
) -> Value {
    let resource = path.get(live);
    let known = draft.stamp_of(kind, id_of(resource));
    let in_draft = find(&draft.document, kind, id_of(resource))
        .filter(|path| is_same_text(path.get(&draft.document), resource));
    let mut view = view_in(live, draft.project.id, kind, path);
    match in_draft {
        Some(_) => stamp(&mut view, known.as_ref()),
        None => stamp_live(&mut view, known.as_ref()),
    }
    tagged(view)
}

/// The representation with its entity tag, computed from its other fields.
fn tagged(mut view: Value) -> Value {
    view["etag"] = json!(tag_of(&view.to_string()));
    view
}

fn view_in(
    document: &SharedDocument,
    id: ProjectId,
    kind: ResourceKind,
    path: &ResourcePath,
) -> Value {
    let mut view = path.get(document).clone();
    view["project_id"] = json!(id);
    if let Some(((_, field), parent)) = kind.parent().zip(path.parent()) {
        let parent_value = parent.get(document);
        view[field] = parent_value["id"].clone();
        if let Some(campaign) = parent.parent() {
            view["campaign_id"] = campaign.get(document)["id"].clone();
        }
        if kind == ResourceKind::Experiment {
            view["status"] = parent_value["status"].clone();
        }
    }
    view
}

/// The project itself, without its resources. Its `draft` is the entity tag of the whole draft.
#[must_use]
pub fn project_view(draft: &Draft) -> Value {
    let mut view = draft.document.value("project").clone();
    view["revision"] = json!(draft.head.live_revision);
    view["managed_by"] = json!(draft.head.managed_by.as_str());
    view["draft"] = json!(draft.tag);
    let known = draft.stamp_of_project();
    stamp(&mut view, known.as_ref());
    view["etag"] = json!(project_tag(draft.project.id, draft.head, known.as_ref()));
    view
}

/// The entity tag of a project, in its quotes: made from its head and the draft's last change. Lists compute it without the document.
#[must_use]
pub fn project_tag(id: ProjectId, head: ProjectHead, stamp: Option<&ResourceStamp>) -> String {
    let ProjectHead { draft_version, live_revision, managed_by } = head;
    let at = stamp.map(|stamp| stamp.updated_at.as_milliseconds());
    tag_of(&json!([id, draft_version, live_revision, managed_by.as_str(), at]).to_string())
}
