//! The experiments that visitors take part in and that a draft ends. Publishing it ends them.

use domain::{Campaign, CampaignStatus, Ending, Experiment, ending};

/// The experiments of a live campaign that the same campaign of a draft ends, each with how; none if no visitor can have met them.
pub fn ended_experiments<'l>(
    live: &'l Campaign,
    draft: &'l Campaign,
) -> impl Iterator<Item = (&'l Experiment, Ending<'l>)> {
    let is_begun = live.status != CampaignStatus::NotStarted;
    let met = live.experiments.iter().enumerate().filter(move |(_, one)| is_begun && !one.archived);
    met.filter_map(|(place, one)| {
        Some((one, ending(place, &live.experiments, &draft.experiments)?))
    })
}
