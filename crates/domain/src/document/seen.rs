//! Whether any visitor can see a campaign, once it runs. `unseen.rs` and `never_holds.rs` warn of the single reasons.

use std::collections::HashSet;

use super::never_holds::never_holds;
use super::unseen::{may_have_members, may_hold};
use crate::{
    Audience, AudienceId, Audiences, BasisPoints, Campaign, CampaignId, Condition, ConditionTree,
    Experiment, GroupMember, Project,
};

impl Project {
    /// Whether no visitor sees this campaign even while it runs: it has no page that an address can match, all visitors are held back or
    /// get other campaigns of its group, or none of its experiments has a variation for an audience that can have members. A project
    /// without the campaign shows nothing of it, either.
    #[must_use]
    pub fn hides_from_everyone(&self, id: CampaignId) -> bool {
        let Some(campaign) = self.campaign(id) else { return true };
        let pages = self.pages.iter().filter(|page| campaign.pages.contains(&page.id));
        let mut trees = pages.filter(|page| !page.archived).map(|page| &page.conditions.tree);
        let has_page = trees.any(|tree| may_hold(tree, &|leaf| !never_holds(leaf)));
        let empty = empty_audiences(&self.audiences, &|leaf| !never_holds(leaf));
        let is_seen = |experiment: &Experiment| match &experiment.audiences {
            Audiences::Tree(tree) => may_have_members(tree, &empty),
            Audiences::Everyone => true,
        };
        let mut experiments = campaign.experiments.iter().filter(|one| !one.archived);
        let holds_all_back =
            [self.holdback, campaign.holdback].into_iter().any(|share| share == BasisPoints::ALL);
        !has_page
            || holds_all_back
            || self.member_without_share(id).is_some()
            || !experiments.any(|one| is_seen(one) && shows_variation(campaign, one))
    }

    /// Where a campaign's group gives it to no visitor: the places of the group and of its member.
    pub(super) fn member_without_share(&self, id: CampaignId) -> Option<(usize, usize)> {
        let is_without =
            |member: &GroupMember| member.campaign == id && member.weight == BasisPoints::ZERO;
        let groups = self.groups.iter().enumerate().filter(|(_, group)| !group.archived);
        let mut members = groups
            .filter_map(|(place, group)| Some((place, group.members.iter().position(is_without)?)));
        members.next()
    }
}

/// Whether visitors of an experiment can get a variation that is not paused.
pub(super) fn shows_variation(campaign: &Campaign, experiment: &Experiment) -> bool {
    let shipped = experiment.winning_place().filter(|_| campaign.is_shipped());
    let mut variations = experiment.variations.iter().enumerate();
    variations.any(|(place, variation)| {
        let has_visitors = match shipped {
            Some(shipped) => place == shipped,
            None => variation.weight != BasisPoints::ZERO,
        };
        has_visitors && !variation.paused && !variation.archived
    })
}

/// Audiences in which no visitor can be, also because they build on one; of other conditions, `may_hold` says whether they can hold.
pub(super) fn empty_audiences(
    audiences: &[Audience],
    may_hold: &impl Fn(&Condition) -> bool,
) -> HashSet<AudienceId> {
    let mut empty = HashSet::new();
    loop {
        let before = empty.len();
        let found = audiences
            .iter()
            .filter(|one| is_empty_audience(&one.conditions.tree, &empty, may_hold));
        let found: Vec<_> = found.map(|audience| audience.id).collect();
        empty.extend(found);
        if empty.len() == before {
            return empty;
        }
    }
}

fn is_empty_audience(
    tree: &ConditionTree,
    empty: &HashSet<AudienceId>,
    can_hold: &impl Fn(&Condition) -> bool,
) -> bool {
    let may_be = |condition: &Condition| match condition.kind.audience() {
        Some(id) => !empty.contains(&id),
        None => can_hold(condition),
    };
    *tree == ConditionTree::Empty || !may_hold(tree, &may_be)
}
