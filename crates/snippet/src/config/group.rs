//! Groups of campaigns that exclude each other.

use std::collections::HashSet;

use domain::{CampaignId, Group, Project};

use super::campaign::cumulative_ends;
use super::running;
use crate::literal::Literal;

/// The groups that have a campaign running; a group that excludes nothing is left out.
pub(crate) fn used(project: &Project) -> Vec<&Group> {
    let running: HashSet<CampaignId> = running(project).map(|campaign| campaign.id).collect();
    let runs =
        |group: &&Group| group.members.iter().any(|member| running.contains(&member.campaign));
    project.groups.iter().filter(runs).collect()
}

/// Includes members that do not run: their visitors see none of the others.
pub(super) fn group(group: &Group) -> Literal {
    let members = group.members.iter().map(|member| Literal::Number(member.campaign.get()));
    Literal::tuple(vec![
        Literal::Number(group.id.get()),
        Literal::List(members.collect()),
        ends(group),
    ])
}

/// Whether the group shares its visitors out other than equally.
pub(crate) fn has_weights(group: &Group) -> bool {
    ends(group) != Literal::ABSENT
}

fn ends(group: &Group) -> Literal {
    cumulative_ends(group.members.iter().map(|member| member.weight))
}
