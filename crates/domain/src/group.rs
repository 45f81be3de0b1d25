//! Groups of campaigns that exclude each other.

use std::collections::HashMap;

use crate::{BasisPoints, CampaignId, GroupId, Key, Project};

/// Campaigns of which a visitor sees at most one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Names the group for programs; bucketing into its campaigns depends on it.
    pub id: GroupId,
    /// Names the group in documents.
    pub key: Key,
    /// The group's display name.
    pub name: Option<String>,
    /// The campaigns and their shares, which total at most 10000.
    pub members: Vec<GroupMember>,
    /// Whether it is archived: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}

impl Group {
    /// Whether a campaign is one of its members.
    pub(crate) fn has(&self, campaign: CampaignId) -> bool {
        self.members.iter().any(|member| member.campaign == campaign)
    }
}

/// One campaign of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupMember {
    /// The campaign.
    pub campaign: CampaignId,
    /// Share of visitors who get this campaign of the group.
    pub weight: BasisPoints,
}

/// Which of a group's visitors get a campaign: those with a bucket in this range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupShare {
    pub(crate) group: GroupId,
    start: u32,
    end: u32,
}

impl Project {
    /// The range that each campaign has in its group.
    pub(crate) fn group_shares(&self) -> HashMap<CampaignId, GroupShare> {
        let groups = self.groups.iter().filter(|group| !group.archived);
        let shares = groups.flat_map(|group| {
            let mut end = 0;
            group.members.iter().map(move |member| {
                let start = end;
                end += u32::from(member.weight.get());
                (member.campaign, GroupShare { group: group.id, start, end })
            })
        });
        shares.collect()
    }
}
