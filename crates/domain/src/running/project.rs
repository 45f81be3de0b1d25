//! Breaking changes to what buckets visitors in all campaigns: who a visitor is, and the groups of campaigns that exclude each other.

use std::collections::HashSet;

use super::breaking_change;
use crate::{CampaignId, Fault, GroupId, Pointer, Project};

/// Where `next` buckets the visitors of these ongoing campaigns differently than `live`.
pub(super) fn compare(
    (live, next): (&Project, &Project),
    going_on: &[CampaignId],
    faults: &mut Vec<Fault>,
) {
    if going_on.is_empty() {
        return;
    }
    let [before, after] = [live, next].map(|project| &project.snippet.visitor_id);
    let settings = Pointer::root().field("project").field("snippet").field("visitor_id");
    let changed = [("source", before.source == after.source), ("name", before.name == after.name)];
    if let Some((field, _)) = changed.into_iter().find(|(_, is_same)| !is_same) {
        let message = format!(
            "{} in progress, and with another visitor id all visitors are drawn anew",
            counted(going_on.len())
        );
        let fault = Fault::error("visitor_id_change_while_running", settings.field(field), message);
        faults.push(fault.hint("start new phases of all experiments that are in progress, or conclude them, in the same publication"));
    }
    compare_groups((live, next), going_on, faults);
}

fn compare_groups(
    (live, next): (&Project, &Project),
    going_on: &[CampaignId],
    faults: &mut Vec<Fault>,
) {
    let [before, after] = [live, next].map(Project::group_shares);
    let mut told: HashSet<Option<GroupId>> = HashSet::new();
    for campaign in going_on {
        let (earlier, later) = (before.get(campaign), after.get(campaign));
        let group = later.or(earlier).map(|share| share.group);
        if earlier == later || !told.insert(group) {
            continue;
        }
        let place = next.groups.iter().position(|one| Some(one.id) == group);
        let groups = Pointer::root().field("groups");
        let pointer =
            place.map_or_else(|| groups.clone(), |place| groups.element(place).field("members"));
        let what = match (earlier, later) {
            (None, _) => "was drawn without this group",
            (_, None) => "was drawn in a group, which it leaves",
            (Some(_), Some(_)) => "was drawn with another share of the group",
        };
        let message = format!("campaign {campaign} has begun, and {what}");
        faults.push(breaking_change("group_change_while_running", pointer, message));
    }
}

fn counted(campaigns: usize) -> String {
    if campaigns == 1 { "a campaign is".to_owned() } else { format!("{campaigns} campaigns are") }
}
