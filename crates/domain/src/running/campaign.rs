//! Breaking changes to a begun campaign as a whole: to its id, its kind, and the order of its experiments.

use std::collections::HashSet;

use super::{breaking_change, campaign_at};
use crate::{Campaign, CampaignKind, ExperimentId, Fault};

/// Where `after`, at `place` in its document, buckets visitors differently than `before`.
pub(super) fn compare(before: &Campaign, after: &Campaign, place: usize, faults: &mut Vec<Fault>) {
    let at = campaign_at(place);
    if before.id != after.id {
        let message = format!(
            "the experiment has begun in campaign {}, whose id its visitors were drawn by",
            before.id
        );
        faults.push(breaking_change("campaign_change_while_running", at.field("id"), message));
        return;
    }
    if before.kind != after.kind {
        let message = format!(
            "the campaign has begun as `{}`: another type draws and reports its visitors otherwise",
            before.kind
        );
        let fault = Fault::error("type_change_while_running", at.field("type"), message);
        faults.push(fault.hint("conclude this campaign, and begin another one"));
        return;
    }
    if after.kind == CampaignKind::Personalization && ranks(before, after) != ranks(after, before) {
        let message = "the campaign has begun, and who comes first decides which experience its visitors were given";
        let fault = Fault::error("priority_change_while_running", at.field("priorities"), message);
        faults.push(fault.hint("conclude this campaign, and begin another one with that order"));
    }
}

/// The order of the experiments that visitors can get in both. Adding or archiving one does not change the order of the others.
fn ranks(one: &Campaign, other: &Campaign) -> Vec<Vec<ExperimentId>> {
    let others: HashSet<ExperimentId> = given(other).collect();
    let shared: HashSet<ExperimentId> = given(one).filter(|id| others.contains(id)).collect();
    let groups = one.priorities.iter().map(|group| -> Vec<ExperimentId> {
        group.iter().copied().filter(|id| shared.contains(id)).collect()
    });
    groups.filter(|group| !group.is_empty()).collect()
}

fn given(campaign: &Campaign) -> impl Iterator<Item = ExperimentId> {
    let experiments = campaign.experiments.iter();
    experiments.filter(|experiment| !experiment.archived).map(|experiment| experiment.id)
}
