//! Copies one campaign into another document, with all that it needs, so that members can look at it without the others. For one that starts,
//! see `campaign_start.rs`.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::json;

use crate::{
    Attribute, Audience, AudienceId, Audiences, BehaviorEvent, Campaign, CampaignId,
    CampaignStatus, Change, ConditionKind, Event, EventId, Group, Metric, MetricId, PageId,
    Project, SharedDocument, parse_shared,
};

impl Project {
    /// The project itself, without resources.
    #[must_use]
    pub fn without_contents(&self) -> Self {
        Self {
            attributes: Vec::new(),
            pages: Vec::new(),
            audiences: Vec::new(),
            events: Vec::new(),
            metrics: Vec::new(),
            campaigns: Vec::new(),
            groups: Vec::new(),
            ..self.clone()
        }
    }

    /// This project with one campaign alone, and with what it needs. Its group has no other members: a campaign needs none.
    #[must_use]
    pub fn with_campaign_alone(&self, id: CampaignId) -> Self {
        let mut alone = self.without_contents();
        if let Some(campaign) = self.campaigns.iter().find(|one| one.id == id) {
            alone.take_contents_of(self, campaign);
        }
        let groups = self.groups.iter().filter(|group| group.has(id)).cloned();
        alone.groups = groups.collect();
        for group in &mut alone.groups {
            group.members.retain(|member| member.campaign == id);
        }
        alone
    }

    /// This project with one campaign from `other`, and with the pages, audiences, attributes, metrics, events and group memberships that it
    /// needs from there, also in place of those here: for previews, in which no other campaign is seen. Everything else stays; the caller
    /// must check that all of it fits together.
    #[must_use]
    pub fn with_campaign_of(&self, other: &Self, id: CampaignId) -> Self {
        let mut next = self.clone();
        if let Some(campaign) = other.campaigns.iter().find(|one| one.id == id) {
            next.take_contents_of(other, campaign);
            next.join_groups_of(other, id);
        }
        next
    }

    /// Takes a campaign from `other`, with all that it needs but its groups.
    fn take_contents_of(&mut self, other: &Self, campaign: &Arc<Campaign>) {
        let audiences = other.audiences_of(campaign);
        let names = names_of_attributes(&audiences);
        let is_named = |attribute: &&Attribute| names.contains(attribute.key.as_str());
        self.take_keys_of(other.attributes.iter().filter(is_named));
        let metrics = other.metrics_of(campaign);
        let events = other.events_of(&metrics);
        let mut pages = pages_of(campaign);
        pages.extend(pages_asked_for(&audiences));
        pages.extend(events.iter().filter_map(|event| event.page));
        let pages = other.pages.iter().filter(|page| pages.contains(&page.id));
        put(&mut self.attributes, other.attributes.iter().filter(is_named), |one| one.id);
        put(&mut self.pages, pages, |one| one.id);
        put(&mut self.events, events, |one| one.id);
        put(&mut self.metrics, metrics, |one| one.id);
        put(&mut self.audiences, audiences.iter().copied(), |one| one.id);
        put(&mut self.campaigns, [campaign], |one| one.id);
    }

    /// Takes other keys for some of its attributes; conditions follow the new keys.
    fn take_keys_of<'a>(&mut self, attributes: impl Iterator<Item = &'a Attribute>) {
        let place_of = |attribute: &Attribute| {
            let mut here = self.attributes.iter();
            here.position(|here| here.id == attribute.id && here.key != attribute.key)
        };
        let renamed = attributes.filter_map(|one| Some((place_of(one)?, &one.key)));
        let renamed: Vec<_> = renamed.collect();
        if renamed.is_empty() {
            return;
        }
        // In this document, conditions name attributes by their ids.
        let mut document = SharedDocument::of_project(self);
        for (place, key) in renamed {
            if let Some(attribute) = document.resource_mut("attributes", place) {
                attribute["key"] = json!(key);
            }
        }
        if let Ok((project, _)) = parse_shared(&document) {
            *self = project;
        }
    }

    /// The audiences that a campaign names, directly or through other audiences.
    pub(crate) fn audiences_of(&self, campaign: &Campaign) -> Vec<&Audience> {
        self.unknown_audiences_of(campaign, HashSet::new())
    }

    /// The same without those that are known, and what only these name.
    pub(crate) fn unknown_audiences_of(
        &self,
        campaign: &Campaign,
        known: HashSet<AudienceId>,
    ) -> Vec<&Audience> {
        let trees = campaign.experiments.iter().filter_map(|experiment| {
            let Audiences::Tree(tree) = &experiment.audiences else { return None };
            Some(tree.audiences())
        });
        let mut waiting: Vec<AudienceId> = trees.flatten().collect();
        let (mut seen, mut found) = (known, HashSet::new());
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                found.insert(id);
                let audience = self.audiences.iter().find(|audience| audience.id == id);
                let leaves =
                    audience.into_iter().flat_map(|audience| audience.conditions.tree.leaves());
                waiting.extend(leaves.filter_map(|condition| condition.kind.audience()));
            }
        }
        self.audiences.iter().filter(|audience| found.contains(&audience.id)).collect()
    }

    /// The metrics of a campaign.
    pub(crate) fn metrics_of(&self, campaign: &Campaign) -> Vec<&Metric> {
        let named: HashSet<MetricId> = campaign.metrics.all().collect();
        self.metrics.iter().filter(|metric| named.contains(&metric.id)).collect()
    }

    /// The events that metrics count.
    pub(crate) fn events_of(&self, metrics: &[&Metric]) -> Vec<&Event> {
        let counted = metrics.iter().flat_map(|metric| metric.all_measured());
        let counted: HashSet<EventId> = counted.map(|measured| measured.event).collect();
        self.events.iter().filter(|event| counted.contains(&event.id)).collect()
    }

    /// Removes the campaign from all groups, then copies its groups from `other` whole, since one campaign's share of a group ends where
    /// the next one's begins. Campaigns missing here come along, but do not start.
    fn join_groups_of(&mut self, other: &Self, id: CampaignId) {
        for group in &mut self.groups {
            group.members.retain(|member| member.campaign != id);
        }
        let joined: Vec<&Group> = other.groups.iter().filter(|group| group.has(id)).collect();
        for member in joined.iter().flat_map(|group| &group.members) {
            if self.campaign(member.campaign).is_some() {
                continue;
            }
            let mut theirs = other.campaigns.iter();
            let Some(campaign) = theirs.find(|one| one.id == member.campaign) else { continue };
            self.take_contents_of(other, campaign);
            if let Some(added) = self.campaign_mut(member.campaign) {
                rest(added);
            }
        }
        put(&mut self.groups, joined, |group| group.id);
    }
}

/// Stops a campaign: visitors do not get it, neither now nor by its schedule.
pub(crate) fn rest(campaign: &mut Campaign) {
    campaign.schedule = None;
    campaign.shipped = false;
    match campaign.status {
        CampaignStatus::Running | CampaignStatus::Paused => {
            campaign.status = CampaignStatus::NotStarted;
        }
        CampaignStatus::NotStarted | CampaignStatus::Concluded | CampaignStatus::Archived => {}
    }
}

/// The pages that a campaign runs on, and the pages that its changes are limited to.
pub(crate) fn pages_of(campaign: &Campaign) -> HashSet<PageId> {
    let variations = campaign.experiments.iter().flat_map(|experiment| &experiment.variations);
    let changes: Vec<&Change> =
        variations.flat_map(|variation| &variation.changes).chain(&campaign.changes).collect();
    let limited = changes.into_iter().filter_map(|change| change.page);
    campaign.pages.iter().copied().chain(limited).collect()
}

/// The pages of the audiences' `behavior` conditions.
pub(crate) fn pages_asked_for(audiences: &[&Audience]) -> Vec<PageId> {
    let leaves = audiences.iter().flat_map(|audience| audience.conditions.tree.leaves());
    let behaviors = leaves.filter_map(|condition| condition.behavior.as_ref());
    let pages = behaviors.filter_map(|behavior| match behavior.event {
        BehaviorEvent::Page(page) => Some(page),
        BehaviorEvent::Event(_) => None,
    });
    pages.collect()
}

/// The keys of the attributes that audiences test.
pub(crate) fn names_of_attributes<'a>(audiences: &[&'a Audience]) -> HashSet<&'a str> {
    let leaves = audiences.iter().flat_map(|audience| audience.conditions.tree.leaves());
    leaves
        .filter(|condition| condition.kind == ConditionKind::CustomAttribute)
        .filter_map(|condition| condition.name.as_deref())
        .collect()
}

/// Replaces the resources with the same ids; adds others at the end.
pub(crate) fn put<'t, T: Clone + 't, I: PartialEq>(
    list: &mut Vec<T>,
    resources: impl IntoIterator<Item = &'t T>,
    id: impl Fn(&T) -> I,
) {
    for resource in resources {
        match list.iter_mut().find(|other| id(other) == id(resource)) {
            Some(other) => other.clone_from(resource),
            None => list.push(resource.clone()),
        }
    }
}
