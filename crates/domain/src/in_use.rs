//! The part of a project that can run: everything except archived resources and changes that lost to a shipped winner.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{Campaign, Project, Variation};

impl Project {
    /// The project without archived resources and without changes that lost to a shipped winner; itself if it has neither.
    ///
    /// An archived variation stays, since the index of its siblings counts, but loses its name and changes. A campaign without experiments
    /// is removed.
    #[must_use]
    pub fn in_use(&self) -> Cow<'_, Self> {
        if !self.has_unused() {
            return Cow::Borrowed(self);
        }
        let mut used = self.clone();
        used.attributes.retain(|attribute| !attribute.archived);
        used.pages.retain(|page| !page.archived);
        used.events.retain(|event| !event.archived);
        used.metrics.retain(|metric| !metric.archived);
        used.audiences.retain(|audience| !audience.archived);
        used.groups.retain(|group| !group.archived);
        for campaign in &mut used.campaigns {
            if has_archived(campaign) {
                take_out_archived(Arc::make_mut(campaign));
            }
            if campaign.is_shipped() {
                keep_winners(Arc::make_mut(campaign));
            }
        }
        used.campaigns.retain(|campaign| !self.archived && !campaign.experiments.is_empty());
        Cow::Owned(used)
    }

    fn has_unused(&self) -> bool {
        self.archived
            || self.attributes.iter().any(|attribute| attribute.archived)
            || self.pages.iter().any(|page| page.archived)
            || self.events.iter().any(|event| event.archived)
            || self.metrics.iter().any(|metric| metric.archived)
            || self.audiences.iter().any(|audience| audience.archived)
            || self.groups.iter().any(|group| group.archived)
            || self.campaigns.iter().any(|one| one.is_shipped() || has_archived(one))
    }
}

fn has_archived(campaign: &Campaign) -> bool {
    campaign.experiments.iter().any(|experiment| {
        experiment.archived || experiment.variations.iter().any(|one| one.archived)
    })
}

fn take_out_archived(campaign: &mut Campaign) {
    campaign.experiments.retain(|experiment| !experiment.archived);
    let left: Vec<_> = campaign.experiments.iter().map(|experiment| experiment.id).collect();
    campaign.priorities.iter_mut().for_each(|group| group.retain(|id| left.contains(id)));
    campaign.priorities.retain(|group| !group.is_empty());
    let variations =
        campaign.experiments.iter_mut().flat_map(|experiment| &mut experiment.variations);
    variations.filter(|variation| variation.archived).for_each(empty);
}

/// Visitors no longer see the other variations. These keep their names, which the runtime tells visitors who had them.
fn keep_winners(campaign: &mut Campaign) {
    for experiment in &mut campaign.experiments {
        let winner = experiment.winner;
        let others = experiment.variations.iter_mut().filter(|one| Some(one.id) != winner);
        others.for_each(|variation| variation.changes = Vec::new());
    }
}

fn empty(variation: &mut Variation) {
    variation.name = None;
    variation.changes = Vec::new();
}
