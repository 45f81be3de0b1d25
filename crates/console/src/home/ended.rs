//! The experiments that a publication ends.

use app::campaigns::ended_experiments;
use domain::{Ending, Project};

pub(super) struct EndedExperiment {
    pub(super) title: String,
    pub(super) campaign: String,
    /// Whether a new phase takes its place.
    pub(super) is_replaced: bool,
    /// Where its results are.
    pub(super) results: String,
}

impl EndedExperiment {
    /// Every experiment that visitors take part in and that the draft ends, of campaigns that stay.
    pub(super) fn all(live: &Project, draft: &Project) -> Vec<Self> {
        let both = live.campaigns.iter().filter_map(|before| {
            let after = draft.campaigns.iter().find(|after| after.id == before.id)?;
            Some((before, after))
        });
        let ended = both.flat_map(|(before, after)| {
            ended_experiments(before, after).map(|(experiment, how)| Self {
                title: experiment.title().to_owned(),
                campaign: after.title().to_owned(),
                is_replaced: matches!(how, Ending::Replaced(_)),
                results: format!("/projects/{}/campaigns/{}/results", draft.id, after.id),
            })
        });
        ended.collect()
    }
}
