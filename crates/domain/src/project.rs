//! The project: one document that holds everything a snippet is made of.
//!
//! A `Project` can only come from [`crate::parse`], which upholds what the rest of the product
//! relies on: ids and keys are unique, every reference names something in the same project, weights
//! total at most 10000. Serializing one writes a document that parses to an equal project
//! (`document/write.rs`).

use std::collections::HashMap;
use std::sync::Arc;

use crate::{
    ApplicationDeclaration, Attribute, Audience, BasisPoints, Campaign, CampaignId, Event, Group,
    Integration, Key, Page, ProjectId, SnippetSettings,
};

/// A whole, valid project document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Names the project for programs, and the address of its snippet.
    pub id: ProjectId,
    /// Names the project for people; ids that the document leaves out are derived from it.
    pub key: Key,
    /// What people call the project.
    pub name: Option<String>,
    /// Share of visitors who are bucketed in all campaigns but shown nothing by any.
    pub holdback: BasisPoints,
    /// Whether it is archived: its snippet has no campaigns.
    pub archived: bool,
    /// How the snippet behaves on the visitor's page.
    pub snippet: SnippetSettings,
    /// Custom attributes of visitors that audiences may ask for.
    pub attributes: Vec<Attribute>,
    /// Where campaigns run.
    pub pages: Vec<Page>,
    /// What visitors do that is counted.
    pub events: Vec<Event>,
    /// Whom experiments are for.
    pub audiences: Vec<Audience>,
    /// What runs. Shared with the states of the project that it was made from: of ten thousand campaigns, an edit changes one.
    pub campaigns: Vec<Arc<Campaign>>,
    /// Campaigns of which a visitor sees at most one.
    pub groups: Vec<Group>,
    /// OAuth clients that come with the project.
    pub applications: Vec<ApplicationDeclaration>,
    /// Analytics tools that are told of every decision.
    pub integrations: Vec<Integration>,
}

impl Project {
    /// The campaign with this id.
    #[must_use]
    pub fn campaign(&self, id: CampaignId) -> Option<&Campaign> {
        self.campaigns.iter().find(|campaign| campaign.id == id).map(|campaign| &**campaign)
    }

    /// The same, to be changed in this project alone.
    pub fn campaign_mut(&mut self, id: CampaignId) -> Option<&mut Campaign> {
        self.campaigns.iter_mut().find(|campaign| campaign.id == id).map(Arc::make_mut)
    }

    /// Shares the campaigns that are as they are in `other`, an earlier state of this project.
    pub fn share_campaigns_with(&mut self, other: &Self) {
        let known: HashMap<CampaignId, &Arc<Campaign>> =
            other.campaigns.iter().map(|campaign| (campaign.id, campaign)).collect();
        for campaign in &mut self.campaigns {
            if let Some(known) = known.get(&campaign.id).filter(|known| **known == campaign) {
                *campaign = Arc::clone(known);
            }
        }
    }
}
