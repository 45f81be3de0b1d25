//! How an experiment ends with a later state of its campaign.

use crate::experiment::Experiment;

/// How an experiment ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending<'a> {
    /// Another one is in its place: its new phase, most often.
    Replaced(&'a Experiment),
    /// It is archived.
    Archived,
    /// It is not there any more.
    Removed,
}

/// How the experiment at a place of a campaign's experiments ends with those of a later state; `None` if it goes on.
#[must_use]
pub fn ending<'a>(
    place: usize,
    before: &[Experiment],
    after: &'a [Experiment],
) -> Option<Ending<'a>> {
    let earlier = before.get(place)?;
    if let Some(later) = after.iter().find(|later| later.id == earlier.id) {
        return (later.archived && !earlier.archived).then_some(Ending::Archived);
    }
    let is_new = |later: &&Experiment| before.iter().all(|before| before.id != later.id);
    let replacing = after.get(place).filter(is_new);
    Some(replacing.map_or(Ending::Removed, Ending::Replaced))
}
