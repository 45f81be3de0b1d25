//! Changes that would spoil an experiment that runs: visitors were given variations by one rule, and would go on to be given them by
//! another, so that what is counted would mix the two. The way to make them is a new phase: an experiment of its own.

use std::collections::HashMap;

use crate::{
    Campaign, CampaignStatus, Experiment, ExperimentId, Fault, Pointer, Project, Variation,
};

/// Where `next` changes what visitors of experiments are drawn from that have begun in `live`. Pointers lead into `next`.
#[must_use]
pub fn changes_that_spoil(live: &Project, next: &Project) -> Vec<Fault> {
    let begun = live.campaigns.iter().filter(|campaign| has_begun(campaign));
    let known: HashMap<ExperimentId, &Experiment> = begun
        .flat_map(|campaign| &campaign.experiments)
        .map(|experiment| (experiment.id, experiment))
        .collect();
    let mut faults = Vec::new();
    for (place, experiment) in located_experiments(next) {
        if let Some(before) = known.get(&experiment.id) {
            compare(before, experiment, place, &mut faults);
        }
    }
    faults
}

/// A paused campaign goes on with the visitors it has, and so can one that was put away.
fn has_begun(campaign: &Campaign) -> bool {
    match campaign.status {
        CampaignStatus::Running
        | CampaignStatus::Paused
        | CampaignStatus::Concluded
        | CampaignStatus::Archived => true,
        CampaignStatus::NotStarted => false,
    }
}

/// Where an experiment stands: its campaign's place, and its own there.
type ExperimentPlace = (usize, usize);

fn located_experiments(project: &Project) -> impl Iterator<Item = (ExperimentPlace, &Experiment)> {
    project.campaigns.iter().enumerate().flat_map(|(campaign, one)| {
        let experiments = one.experiments.iter().enumerate();
        experiments.map(move |(place, experiment)| ((campaign, place), experiment))
    })
}

fn variations_of((campaign, experiment): ExperimentPlace) -> Pointer {
    let campaign = Pointer::root().field("campaigns").element(campaign);
    campaign.field("experiments").element(experiment).field("variations")
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
        faults.push(spoiling("reorder_after_start", variations_of(experiment), message));
        return;
    }
    for (place, variation) in after.iter().enumerate() {
        let weight = before.get(place).map_or(0, |before| before.weight.get());
        if weight != variation.weight.get() {
            let message = format!(
                "the experiment has begun, and its visitors were drawn with a weight of {weight} here"
            );
            let pointer = variations_of(experiment).element(place).field("weight");
            faults.push(spoiling("weight_change_while_running", pointer, message));
        }
    }
}

/// What stands where the variations stood before.
fn ids_at_the_places(
    before: &[Variation],
    after: &[Variation],
) -> impl Iterator<Item = crate::VariationId> {
    after.iter().take(before.len()).map(|variation| variation.id)
}

fn spoiling(code: &'static str, pointer: Pointer, message: impl Into<String>) -> Fault {
    Fault::error(code, pointer, message)
        .hint("start a new phase of the experiment, whose visitors are drawn anew")
}
