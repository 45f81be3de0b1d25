//! A thing as programs see it: what the document says of it, and where it belongs.

use domain::{ProjectId, SharedDocument};
use serde_json::{Value, json};

use crate::documents::{Place, ResourceKind};
use crate::drafts::Draft;

/// The thing of this kind at this place of a draft.
pub(crate) fn view(draft: &Draft, kind: ResourceKind, place: &Place) -> Value {
    view_in(&draft.document, draft.project.id, kind, place)
}

/// The same, of any document of a project.
pub(crate) fn view_in(
    document: &SharedDocument,
    id: ProjectId,
    kind: ResourceKind,
    place: &Place,
) -> Value {
    let mut view = place.get(document).clone();
    view["project_id"] = json!(id);
    if let Some(((_, field), parent)) = kind.parent().zip(place.parent()) {
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

/// The project itself, without what is in it. Its `draft` names the state that the whole draft is in.
#[must_use]
pub fn project_view(draft: &Draft) -> Value {
    let mut view = draft.document.value("project").clone();
    view["revision"] = json!(draft.head.live_revision);
    view["managed_by"] = json!(draft.head.managed_by.as_str());
    view["draft"] = json!(draft.tag);
    view
}
