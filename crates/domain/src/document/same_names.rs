//! Warns of names that several variations of an experiment or experiments of a campaign have: where results are read, they look alike.

use std::collections::HashSet;
use std::sync::Arc;

use super::reader::{At, Reader};
use crate::{Campaign, Experiment};

/// Warns of such names in the campaigns of a project; what is archived is in no new results.
pub(super) fn warn_of_same_names(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    campaigns: &[Arc<Campaign>],
) {
    let campaigns_at = at.field_or_self("campaigns");
    for (place, campaign) in campaigns.iter().enumerate() {
        let at = campaigns_at.element(place).field_or_self("experiments");
        let experiments =
            || campaign.experiments.iter().enumerate().filter(|(_, one)| !one.archived);
        let titles = experiments().map(|(place, one)| (place, one.title()));
        warn_of(reader, &at, "experiment of the campaign", titles);
        for (place, experiment) in experiments() {
            let at = at.element(place).field_or_self("variations");
            warn_of(reader, &at, "variation of the experiment", titles_of_variations(experiment));
        }
    }
}

fn titles_of_variations(experiment: &Experiment) -> impl Iterator<Item = (usize, &str)> {
    let variations = experiment.variations.iter().enumerate();
    variations.filter(|(_, one)| !one.archived).map(|(place, one)| (place, one.title()))
}

fn warn_of<'n>(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    what: &str,
    titles: impl Iterator<Item = (usize, &'n str)>,
) {
    let mut known = HashSet::new();
    for (place, title) in titles.filter(|(_, title)| !known.insert(*title)) {
        let at = at.element(place).field_or_self("name");
        let message = format!("another {what} has the name `{title}`, too");
        let hint = "give each a name of its own: results are read by names";
        reader.report(&at, at.warning("same_name", message).hint(hint));
    }
}
