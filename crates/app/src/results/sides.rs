//! What is compared: the variations of an experiment, or those who are held back from a campaign with those who are not.

use std::collections::HashMap;

use domain::{BasisPoints, Campaign, Experiment, Variation};
use events::Arm;

use crate::results::measured::{Shown, ShownAs};

/// The sides of a comparison, the control first.
pub(super) struct Sides<'e> {
    /// What the comparison is called.
    pub(super) title: String,
    pub(super) all: Vec<Side>,
    /// The experiment with the arms of its variations by all their names; none of a holdback.
    experiment: Option<(&'e Experiment, HashMap<String, Arm>)>,
}

/// One of them.
pub(super) struct Side {
    pub(super) id: String,
    pub(super) key: String,
    pub(super) name: String,
    /// What [`crate::results::weights::WeightHistory`] knows its weight by.
    pub(super) number: u64,
    pub(super) weight: u16,
}

/// Which side an exposure is to.
pub(super) enum Found {
    Arm(Arm),
    /// A variation that the experiment does not have.
    Unknown(String),
    /// It is about something else.
    Elsewhere,
}

/// What the comparison of a holdback is called.
pub(super) const HOLDBACK: &str = "Shown or held back";

/// The numbers of the sides of a holdback: [`HELD_BACK`] is the control.
pub(super) const HELD_BACK: u64 = 0;
pub(super) const SHOWN: u64 = 1;

impl<'e> Sides<'e> {
    /// The variations of an experiment.
    pub(super) fn of(experiment: &'e Experiment) -> Self {
        let mut by_name = HashMap::new();
        for (place, variation) in experiment.variations.iter().enumerate() {
            let arm = Arm(u16::try_from(place).unwrap_or(u16::MAX));
            let name = variation.name.clone();
            let names = [Some(variation.id.to_string()), Some(variation.key.to_string()), name];
            for name in names.into_iter().flatten() {
                by_name.entry(name).or_insert(arm);
            }
        }
        let side = |variation: &Variation| Side {
            id: variation.id.to_string(),
            key: variation.key.to_string(),
            name: variation.name.clone().unwrap_or_else(|| variation.key.to_string()),
            number: variation.id.get(),
            weight: variation.weight.get(),
        };
        Self {
            title: experiment.name.clone().unwrap_or_else(|| experiment.key.to_string()),
            all: experiment.variations.iter().map(side).collect(),
            experiment: Some((experiment, by_name)),
        }
    }

    /// Those who are held back, and those who are not; none where nobody is.
    pub(super) fn of_holdback(campaign: &Campaign) -> Option<Self> {
        let [held_back, shown] = holdback_weights(campaign)?;
        let side = |id: &str, name: &str, number, weight| {
            let (id, key, name) = (id.to_owned(), id.to_owned(), name.to_owned());
            Side { id, key, name, number, weight }
        };
        Some(Self {
            title: HOLDBACK.to_owned(),
            all: vec![
                side("held_back", "Held back", HELD_BACK, held_back),
                side("shown", "Shown", SHOWN, shown),
            ],
            experiment: None,
        })
    }

    pub(super) fn find(&self, exposure: &Shown) -> Found {
        let Some((experiment, by_name)) = &self.experiment else {
            return Found::Arm(Arm(u16::from(!exposure.is_held_back)));
        };
        let arm = match &exposure.what {
            ShownAs::Ids { experiment: id, .. } if experiment.id.get() != *id => None,
            ShownAs::Ids { variation, .. } => {
                let place = self.all.iter().position(|side| side.number == *variation);
                Some(place.and_then(|place| u16::try_from(place).ok()).map(Arm))
            }
            ShownAs::Names { experiment: Some(name), .. } if !is_called(experiment, name) => None,
            ShownAs::Names { variation, .. } => Some(by_name.get(variation).copied()),
        };
        match arm {
            None => Found::Elsewhere,
            Some(_) if exposure.is_held_back => Found::Elsewhere,
            Some(Some(arm)) => Found::Arm(arm),
            Some(None) => Found::Unknown(exposure.what.variation()),
        }
    }
}

/// The weights of those who are held back and of those who are not, if there are both.
pub(super) fn holdback_weights(campaign: &Campaign) -> Option<[u16; 2]> {
    let held_back = campaign.holdback.get();
    let shown = BasisPoints::ALL.get().saturating_sub(held_back);
    (held_back > 0 && shown > 0).then_some([held_back, shown])
}

fn is_called(experiment: &Experiment, name: &str) -> bool {
    experiment.key.as_str() == name
        || experiment.id.to_string() == name
        || experiment.name.as_deref() == Some(name)
}
