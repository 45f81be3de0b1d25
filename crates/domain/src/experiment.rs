//! Experiments and their variations.

use crate::{Audiences, BasisPoints, Change, ExperimentId, Key, VariationId};

/// What a visitor is bucketed into within a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// Names the experiment for programs; the visitor's variation is drawn from it.
    pub id: ExperimentId,
    /// Names the experiment in documents; unique within its campaign.
    pub key: Key,
    /// What people call the experiment.
    pub name: Option<String>,
    /// Whom it is for.
    pub audiences: Audiences,
    /// The alternatives; a variation's index is its place here.
    pub variations: Vec<Variation>,
    /// The variation that was concluded to be the best; visitors notice it once the campaign is shipped.
    pub winner: Option<VariationId>,
    /// Whether it is archived: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}

impl Experiment {
    /// The place of the variation that won, if it can be given to visitors.
    #[must_use]
    pub fn winning_place(&self) -> Option<usize> {
        let winner = self.winner?;
        let place = self.variations.iter().position(|variation| variation.id == winner)?;
        (!self.variations[place].archived).then_some(place)
    }
}

/// One alternative of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// Names the variation for programs.
    pub id: VariationId,
    /// Names the variation in documents; unique within its experiment.
    pub key: Key,
    /// What people call the variation.
    pub name: Option<String>,
    /// Share of the experiment's visitors; all together at most 10000, and what is missing stays
    /// unbucketed.
    pub weight: BasisPoints,
    /// What it does to the page.
    pub changes: Vec<Change>,
    /// Whether it is stopped: its visitors keep it, and see the page as it is.
    pub paused: bool,
    /// Whether it is archived: it keeps its place and so the index of those beside it, but is shown to nobody.
    pub archived: bool,
}
