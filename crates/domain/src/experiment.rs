//! Experiments and their variations.

use crate::{Audiences, BasisPoints, Change, ExperimentId, Key, VariationId};

/// What a visitor is bucketed into within a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// Names the experiment for programs; bucketing into variations depends on it.
    pub id: ExperimentId,
    /// Names the experiment in documents; unique within its campaign.
    pub key: Key,
    /// The experiment's display name.
    pub name: Option<String>,
    /// Which visitors it targets.
    pub audiences: Audiences,
    /// The alternatives; a variation's index is its place here.
    pub variations: Vec<Variation>,
    /// The variation that members concluded to be the best; visitors get it once the campaign is shipped.
    pub winner: Option<VariationId>,
    /// Whether it is archived: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}

impl Experiment {
    /// Its display name: the name, or else the key.
    #[must_use]
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.key.as_str())
    }

    /// The index of the winning variation, if visitors can get it.
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
    /// The variation's display name.
    pub name: Option<String>,
    /// Share of the experiment's visitors; weights total at most 10000, and the remaining visitors stay unbucketed.
    pub weight: BasisPoints,
    /// What it does to the page.
    pub changes: Vec<Change>,
    /// Whether it is stopped: its visitors keep it, but see the page unchanged.
    pub paused: bool,
    /// Whether it is archived: it keeps its place, and so the index of its siblings, but no visitor sees it.
    pub archived: bool,
}

impl Variation {
    /// Its display name: the name, or else the key.
    #[must_use]
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.key.as_str())
    }
}
