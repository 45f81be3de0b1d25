//! What goes live when a campaign starts: the campaign, and what it needs and is not live yet. What is live already stays as it is, since
//! other campaigns run with it.

use std::sync::Arc;

use domain::{CampaignId, Fault, KeptBack, Notice, Pointer, Project, SharedDocument, kept_back};

use crate::computation::compute;
use crate::documents::{ResourceKind, check_shared};
use crate::drafts::{EditError, ReadError};
use crate::publishing::RevisionDocument;

/// The live project with this campaign of the draft.
pub(super) fn with_started(
    live: Option<&RevisionDocument>,
    draft: &Project,
    id: CampaignId,
) -> Result<Project, EditError> {
    let Some(live) = live else {
        let alone = draft.without_contents().with_campaign_started(draft, id);
        let alone = alone.map_err(|fault| EditError::Invalid(vec![*fault]))?;
        return Ok(check_shared(&alone).map_err(EditError::Invalid)?.project);
    };
    let refused = |fault: Box<Fault>| EditError::Invalid(vec![beside_live(*fault)]);
    let document = live.project.with_campaign_started(draft, id).map_err(refused)?;
    let checked = check_shared(&document).map_err(|faults| {
        let named = faults.into_iter().map(|fault| named_by_key(fault, &document));
        EditError::Invalid(named.map(beside_live).collect())
    })?;
    Ok(checked.project)
}

/// What the start of a campaign does beside starting it.
#[derive(Debug)]
pub struct AtStart {
    /// What the campaign needs, and takes as it is live although the draft has another state of it.
    pub kept_back: Vec<KeptBack>,
    /// What happens to others.
    pub others: Vec<Notice>,
}

/// What the start of this campaign of the draft would do beside starting it.
///
/// # Errors
/// If the computation fails.
pub async fn at_start(
    live: &Arc<RevisionDocument>,
    draft: &Arc<Project>,
    id: CampaignId,
) -> Result<AtStart, ReadError> {
    let (live, draft) = (Arc::clone(live), Arc::clone(draft));
    let work = move || AtStart {
        kept_back: kept_back(live.document(), &draft, id),
        others: live.project.what_others_notice_of_start(&draft, id),
    };
    Ok(compute("compare_needs", work).await?)
}

/// A fault that only the live state of something makes: the draft has none.
fn beside_live(fault: Fault) -> Fault {
    let message = format!("the campaign does not fit what is live: {}", fault.message);
    let fault = Fault { message, pointer: Pointer::root(), ..fault };
    fault.hint("publish the draft first")
}

/// A fault that names resources by their keys, as members do; the document refers to them by ids.
fn named_by_key(fault: Fault, document: &SharedDocument) -> Fault {
    let mut message = fault.message;
    for kind in ResourceKind::ALL {
        for resource in document.list(kind.collection()) {
            let [id, key] = ["id", "key"].map(|field| resource[field].as_str().unwrap_or_default());
            let [by_id, by_key] = [id, key].map(|name| format!("{} `{name}`", kind.word()));
            message = message.replace(&by_id, &by_key);
        }
    }
    Fault { message, ..fault }
}
