//! The experiments that visitors take part in and that a draft has replaced, as by a new phase. Publishing the draft ends them.

use domain::{Campaign, CampaignStatus, Experiment};

/// The experiments of a live campaign that the same campaign of a draft has no more; none if no visitor can have met them.
#[must_use]
pub fn replaced_experiments<'l>(live: &'l Campaign, draft: &Campaign) -> Vec<&'l Experiment> {
    if live.status == CampaignStatus::NotStarted {
        return Vec::new();
    }
    let is_kept = |one: &Experiment| draft.experiments.iter().any(|kept| kept.id == one.id);
    live.experiments.iter().filter(|one| !one.archived && !is_kept(one)).collect()
}
