//! The project: one document with everything that goes into a snippet.
//!
//! A `Project` can only come from [`crate::parse`], which upholds what the rest of the product
//! relies on: ids and keys are unique, every reference names something in the same project, weights
//! total at most 10000. Serializing one writes a document that parses to an equal project
//! (`document/write.rs`).

use std::collections::HashMap;
use std::sync::Arc;

use crate::words::words;
use crate::{
    ApplicationDeclaration, Attribute, Audience, BasisPoints, Campaign, CampaignId, Event, Group,
    Integration, Key, Metric, Origin, Page, ProjectId, SnippetSettings,
};

/// A whole, valid project document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Names the project for programs, and in the address of its snippet.
    pub id: ProjectId,
    /// Names the project for people; missing ids are derived from it.
    pub key: Key,
    /// The project's display name.
    pub name: Option<String>,
    /// Share of visitors whom all campaigns bucket and none shows anything.
    pub holdback: BasisPoints,
    /// Whether it is archived: its snippet has no campaigns.
    pub archived: bool,
    /// Whether the snippet tells this server what visitors see and do.
    pub results: Results,
    /// Whose pages may send events; pages of any site, if there are none.
    pub origins: Vec<Origin>,
    /// How the snippet behaves on the visitor's page.
    pub snippet: SnippetSettings,
    /// Custom attributes of visitors that audiences may test.
    pub attributes: Vec<Attribute>,
    /// Where campaigns run.
    pub pages: Vec<Page>,
    /// Visitors' actions that the site counts.
    pub events: Vec<Event>,
    /// What results compare between variations.
    pub metrics: Vec<Metric>,
    /// Groups of visitors that experiments target.
    pub audiences: Vec<Audience>,
    /// The campaigns. Earlier states of the project share them: of ten thousand campaigns, an edit changes one.
    pub campaigns: Vec<Arc<Campaign>>,
    /// Campaigns of which a visitor sees at most one.
    pub groups: Vec<Group>,
    /// OAuth clients that the document declares.
    pub applications: Vec<ApplicationDeclaration>,
    /// Analytics tools to which the snippet reports every decision.
    pub integrations: Vec<Integration>,
}

words! {
    /// Whether the snippet tells this server what visitors see and do.
    #[derive(Default)]
    pub enum Results {
        /// It does: results are counted here.
        On = "on",
        /// It does not.
        #[default]
        Off = "off",
    }
}

impl Project {
    /// The campaign with this id.
    #[must_use]
    pub fn campaign(&self, id: CampaignId) -> Option<&Campaign> {
        self.campaigns.iter().find(|campaign| campaign.id == id).map(|campaign| &**campaign)
    }

    /// The same campaign, to change in this project alone.
    pub fn campaign_mut(&mut self, id: CampaignId) -> Option<&mut Campaign> {
        self.campaigns.iter_mut().find(|campaign| campaign.id == id).map(Arc::make_mut)
    }

    /// Shares the campaigns that equal those in `other`, an earlier state of this project.
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
