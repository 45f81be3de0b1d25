//! The experiments that a publication ends because a new phase takes their place: their results are no longer shown.

use app::campaigns::replaced_experiments;
use domain::Project;

pub(super) struct EndedPhase {
    pub(super) experiment: String,
    pub(super) campaign: String,
    /// Where its results are, until then.
    pub(super) results: String,
}

impl EndedPhase {
    /// Every experiment that visitors take part in and that the draft has no more.
    pub(super) fn all(live: &Project, draft: &Project) -> Vec<Self> {
        let both = live.campaigns.iter().filter_map(|before| {
            let after = draft.campaigns.iter().find(|after| after.id == before.id)?;
            Some((before, after))
        });
        let ended = both.flat_map(|(before, after)| {
            let replaced = replaced_experiments(before, after).into_iter();
            replaced.map(|experiment| Self {
                experiment: experiment.title().to_owned(),
                campaign: after.title().to_owned(),
                results: format!("/projects/{}/campaigns/{}/results", draft.id, after.id),
            })
        });
        ended.collect()
    }
}
