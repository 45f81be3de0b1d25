//! What is compared: the variations of an experiment, or those who are held back from a campaign with those who are not.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{BasisPoints, Campaign, Change, ChangeKind, Experiment, Project, Variation};
use events::VariationIndex;

use crate::results::packed_exposures::{Exposures, PackedExposure, ShownName};
use crate::results::weights::{Drawn, WeightHistory};

/// The variations of a comparison, the control first.
pub(super) struct ComparedVariations<'e> {
    /// What the comparison is called.
    pub(super) title: String,
    pub(super) all: Vec<ComparedVariation>,
    /// The experiment with the indexes of its variations by all their names; none of a holdback.
    experiment: Option<(&'e Experiment, HashMap<String, VariationIndex>)>,
}

/// One of them.
pub(super) struct ComparedVariation {
    pub(super) id: String,
    pub(super) key: String,
    pub(super) name: String,
    /// What [`crate::results::weights::WeightHistory`] knows its weight by.
    pub(super) number: u64,
    pub(super) weight: u32,
    /// Whether a change of its own sends visitors to another address.
    pub(super) redirects: bool,
}

/// Where an exposure belongs.
#[derive(Clone, Copy)]
pub(super) enum ExposureTarget {
    Variation(VariationIndex),
    /// To a variation that the experiment does not have.
    Unknown,
    /// It is about something else.
    Elsewhere,
}

/// Where exposures belong.
pub(super) enum ExposureTargets<'w> {
    /// By whether the visitor is held back; by the number of how the variation is named, with the weights that it was drawn by over time.
    OfHoldback(Vec<Drawn<'w>>),
    /// By the number of how the variation is named, with the weights that it was drawn by over time.
    ByName(Vec<(ExposureTarget, Drawn<'w>)>),
}

/// What the comparison of a holdback is called.
pub(super) const HOLDBACK: &str = "Shown or held back";

/// The numbers of the variations of a holdback: [`HELD_BACK`] is the control.
pub(super) const HELD_BACK: u64 = 0;
pub(super) const SHOWN: u64 = 1;

impl<'e> ComparedVariations<'e> {
    /// The variations of an experiment.
    pub(super) fn of(experiment: &'e Experiment) -> Self {
        let mut by_name = HashMap::new();
        for (place, variation) in experiment.variations.iter().enumerate() {
            let index = VariationIndex(u16::try_from(place).unwrap_or(u16::MAX));
            let name = variation.name.clone();
            let names = [Some(variation.id.to_string()), Some(variation.key.to_string()), name];
            for name in names.into_iter().flatten() {
                by_name.entry(name).or_insert(index);
            }
        }
        let compared = |variation: &Variation| ComparedVariation {
            id: variation.id.to_string(),
            key: variation.key.to_string(),
            name: variation.name.clone().unwrap_or_else(|| variation.key.to_string()),
            number: variation.id.get(),
            weight: u32::from(variation.weight.get()),
            redirects: redirects(&variation.changes),
        };
        Self {
            title: experiment.name.clone().unwrap_or_else(|| experiment.key.to_string()),
            all: experiment.variations.iter().map(compared).collect(),
            experiment: Some((experiment, by_name)),
        }
    }

    /// Those who are held back, and those who are not; none where no visitor is held back.
    pub(super) fn of_holdback(project: &Project, campaign: &Campaign) -> Option<Self> {
        let [held_back, shown] = holdback_weights(project, campaign);
        if campaign.holdback.get() == 0 || shown == 0 {
            return None;
        }
        let compared = |id: &str, name: &str, number, weight| {
            let (id, key, name) = (id.to_owned(), id.to_owned(), name.to_owned());
            let redirects = number == SHOWN && any_redirects(campaign);
            ComparedVariation { id, key, name, number, weight, redirects }
        };
        Some(Self {
            title: HOLDBACK.to_owned(),
            all: vec![
                compared("held_back", "Held back", HELD_BACK, held_back),
                compared("shown", "Shown", SHOWN, shown),
            ],
            experiment: None,
        })
    }

    /// Whether they are no variations.
    pub(super) fn are_of_holdback(&self) -> bool {
        self.experiment.is_none()
    }

    /// Where each of these belongs.
    pub(super) fn places<'w>(
        &self,
        exposures: &Exposures,
        history: &'w WeightHistory,
    ) -> ExposureTargets<'w> {
        let names = exposures.names().iter();
        let Some((experiment, by_name)) = &self.experiment else {
            return ExposureTargets::OfHoldback(names.map(|name| history.drawn(name)).collect());
        };
        let place = |name: &Arc<ShownName>| self.place(experiment, by_name, name);
        ExposureTargets::ByName(names.map(|name| (place(name), history.drawn(name))).collect())
    }

    fn place(
        &self,
        experiment: &Experiment,
        by_name: &HashMap<String, VariationIndex>,
        shown: &ShownName,
    ) -> ExposureTarget {
        let index = match shown {
            ShownName::Ids { experiment: id, .. } if experiment.id.get() != *id => {
                return ExposureTarget::Elsewhere;
            }
            ShownName::Ids { variation, .. } => {
                let place = self.all.iter().position(|one| one.number == *variation);
                place.and_then(|place| u16::try_from(place).ok()).map(VariationIndex)
            }
            ShownName::Names { experiment: Some(name), .. } if !is_called(experiment, name) => {
                return ExposureTarget::Elsewhere;
            }
            ShownName::Names { variation, .. } => by_name.get(variation).copied(),
        };
        index.map_or(ExposureTarget::Unknown, ExposureTarget::Variation)
    }
}

impl ExposureTargets<'_> {
    pub(super) fn find(&self, exposure: &PackedExposure) -> ExposureTarget {
        match self {
            // A variation that is stopped holds its visitors back, too, and so says nothing of the campaign's.
            Self::OfHoldback(drawn) if drawn[exposure.what as usize].is_nobody(exposure.at) => {
                ExposureTarget::Elsewhere
            }
            Self::OfHoldback(_) => {
                ExposureTarget::Variation(VariationIndex(u16::from(!exposure.is_held_back)))
            }
            Self::ByName(_) if exposure.is_held_back => ExposureTarget::Elsewhere,
            Self::ByName(places) => places[exposure.what as usize].0,
        }
    }

    /// Whether the visitor was given a variation of the experiment that was stopped, and so was shown nothing.
    pub(super) fn is_stopped(&self, exposure: &PackedExposure) -> bool {
        let Self::ByName(places) = self else { return false };
        let (place, drawn) = &places[exposure.what as usize];
        let is_here = matches!(place, ExposureTarget::Variation(_));
        is_here && exposure.is_held_back && drawn.is_nobody(exposure.at)
    }

    /// Whether a visitor may change from one variation to the other although nothing is wrong: shares of a holdback are raised and lowered.
    pub(super) fn may_change(&self) -> bool {
        matches!(self, Self::OfHoldback(_))
    }
}

/// What visitors are drawn by while a revision is live: a variation that is stopped gets no visitor, and shows nothing to those who have it.
pub(super) fn weight_of(variation: &Variation) -> u32 {
    if variation.paused { 0 } else { u32::from(variation.weight.get()) }
}

/// The weights of those who are held back and of those who are not. The project and the campaign draw them independently of each other.
pub(super) fn holdback_weights(project: &Project, campaign: &Campaign) -> [u32; 2] {
    let all = u32::from(BasisPoints::ALL.get());
    let rest = |points: BasisPoints| all.saturating_sub(u32::from(points.get()));
    let shown = rest(project.holdback) * rest(campaign.holdback);
    [all * all - shown, shown]
}

fn redirects(changes: &[Change]) -> bool {
    changes.iter().any(|change| matches!(change.kind, ChangeKind::Redirect { .. }))
}

/// Whether some of those who are shown the campaign are sent to another address.
fn any_redirects(campaign: &Campaign) -> bool {
    let mut variations = campaign.experiments.iter().flat_map(|one| &one.variations);
    redirects(&campaign.changes) || variations.any(|one| redirects(&one.changes))
}

fn is_called(experiment: &Experiment, name: &str) -> bool {
    experiment.key.as_str() == name
        || experiment.id.to_string() == name
        || experiment.name.as_deref() == Some(name)
}
