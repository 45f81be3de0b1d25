//! Finds breaking changes to running experiments: visitors got variations by one rule and would now get them by another, so that the counts
//! would mix both. Members make such a change as a new phase: an experiment of its own.
//!
//! `running/campaign.rs` checks what buckets all experiments of a campaign, `running/project.rs` what a whole project shares.

mod campaign;
mod project;

use std::collections::HashMap;

use crate::document::percent;
use crate::{
    Campaign, CampaignStatus, Experiment, ExperimentId, Fault, Pointer, Project, Variation,
};

/// Where `next` changes the bucketing of experiments that have begun in `live`. Pointers lead into `next`.
#[must_use]
pub fn breaking_changes(live: &Project, next: &Project) -> Vec<Fault> {
    let begun = live.campaigns.iter().filter(|campaign| has_begun(campaign));
    let known: HashMap<ExperimentId, Begun<'_>> = begun
        .flat_map(|campaign| {
            let experiments = campaign.experiments.iter();
            experiments.map(move |experiment| (experiment.id, Begun { campaign, experiment }))
        })
        .collect();
    let mut faults = Vec::new();
    let mut going_on = Vec::new();
    for (place, campaign) in next.campaigns.iter().enumerate() {
        let mut before = None;
        for (experiment_place, experiment) in campaign.experiments.iter().enumerate() {
            if let Some(begun) = known.get(&experiment.id) {
                compare(begun.experiment, experiment, (place, experiment_place), &mut faults);
                before = before.or(Some(begun.campaign));
            }
        }
        if let Some(before) = before {
            campaign::compare(before, campaign, place, &mut faults);
            if is_on(before) && is_on(campaign) {
                going_on.push(campaign.id);
            }
        }
    }
    project::compare((live, next), &going_on, &mut faults);
    faults
}

/// An experiment that has begun, and its campaign.
struct Begun<'p> {
    campaign: &'p Campaign,
    experiment: &'p Experiment,
}

/// A paused campaign resumes with the visitors it has, and so can an archived one.
fn has_begun(campaign: &Campaign) -> bool {
    match campaign.status {
        CampaignStatus::Running
        | CampaignStatus::Paused
        | CampaignStatus::Concluded
        | CampaignStatus::Archived => true,
        CampaignStatus::NotStarted => false,
    }
}

/// Whether visitors take part, or will again once it resumes. Shared settings may change once the other campaigns are over: a campaign that
/// ended years ago must not freeze a project's settings for ever.
fn is_on(campaign: &Campaign) -> bool {
    match campaign.status {
        CampaignStatus::Running | CampaignStatus::Paused => true,
        CampaignStatus::NotStarted | CampaignStatus::Concluded | CampaignStatus::Archived => {
            campaign.is_served()
        }
    }
}

/// The place of an experiment: its campaign's index, and its own index in the campaign.
type ExperimentPlace = (usize, usize);

fn campaign_at(place: usize) -> Pointer {
    Pointer::root().field("campaigns").element(place)
}

fn variations_of((campaign, experiment): ExperimentPlace) -> Pointer {
    campaign_at(campaign).field("experiments").element(experiment).field("variations")
}

fn compare(
    before: &Experiment,
    after: &Experiment,
    experiment: ExperimentPlace,
    faults: &mut Vec<Fault>,
) {
    let (before, after) = (&before.variations, &after.variations);
    if !before.iter().map(|variation| variation.id).eq(ids_at_the_places(before, after)) {
        let message = "the experiment has begun, and variations are known by their places, which reports and pages rely on";
        faults.push(breaking_change("reorder_after_start", variations_of(experiment), message));
        return;
    }
    for (place, variation) in after.iter().enumerate() {
        let weight = before.get(place).map_or(0, |before| before.weight.get());
        if weight != variation.weight.get() {
            let message = format!(
                "the experiment has begun, and its visitors were drawn with a weight of {} here",
                percent(weight.into())
            );
            let pointer = variations_of(experiment).element(place).field("weight");
            faults.push(breaking_change("weight_change_while_running", pointer, message));
        }
    }
}

/// The ids now at the places of the former variations.
fn ids_at_the_places(
    before: &[Variation],
    after: &[Variation],
) -> impl Iterator<Item = crate::VariationId> {
    after.iter().take(before.len()).map(|variation| variation.id)
}

fn breaking_change(code: &'static str, pointer: Pointer, message: impl Into<String>) -> Fault {
    Fault::error(code, pointer, message)
        .hint("start a new phase of the experiment, whose visitors are drawn anew")
}
