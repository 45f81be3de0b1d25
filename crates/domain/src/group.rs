//! Groups of campaigns that exclude each other.

use crate::{BasisPoints, CampaignId, GroupId, Key};

/// Campaigns of which a visitor sees at most one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Names the group for programs; the visitor's campaign is drawn from it.
    pub id: GroupId,
    /// Names the group in documents.
    pub key: Key,
    /// What people call the group.
    pub name: Option<String>,
    /// The campaigns and their shares, all together at most 10000.
    pub members: Vec<GroupMember>,
    /// Whether it is put away: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}

/// One campaign of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupMember {
    /// The campaign.
    pub campaign: CampaignId,
    /// Share of visitors for whom it is this campaign.
    pub weight: BasisPoints,
}
