//! Who was given which variation of an experiment.

use std::collections::HashMap;

use domain::{Experiment, Variation};
use events::{Arm, Assignment, Assignments, Exposure};

use crate::results::find::ResultsError;
use crate::results::measured::{Done, Shown, ShownAs};
use crate::results::weights::Epochs;

/// Who was given which variation of an experiment.
pub(super) struct Exposed {
    pub(super) assignments: Assignments,
    pub(super) unknown: u64,
    pub(super) unknown_variation: Option<String>,
}
impl Exposed {
    pub(super) fn to<'s>(
        experiment: &Experiment,
        epochs: &Epochs,
        exposures: impl Iterator<Item = &'s Shown>,
    ) -> Self {
        let arms = Arms::of(experiment);
        let (mut unknown, mut unknown_variation) = (0, None);
        let known = exposures.filter(|shown| is_of(experiment, &shown.what));
        let exposures = known.filter_map(|shown| {
            let Some(arm) = arms.find(&shown.what) else {
                unknown += 1;
                unknown_variation.get_or_insert_with(|| shown.what.variation());
                return None;
            };
            let assignment = Assignment { arm, epoch: epochs.at(shown.at), at: shown.at };
            Some(Exposure { visitor: shown.visitor, assignment })
        });
        let assignments = Assignments::of(exposures);
        Self { assignments, unknown, unknown_variation }
    }

    /// Events of visitors who were given nothing.
    pub(super) fn without(&self, events: &[Done]) -> u64 {
        events.iter().filter(|done| !self.assignments.knows(done.visitor)).map(|_| 1).sum()
    }

    /// Why there is nothing to compare.
    pub(super) fn none(&self, experiment: &Experiment, title: &str) -> ResultsError {
        let variations = experiment.variations.iter().map(|one| one.key.as_str());
        let given = self.unknown_variation.as_ref().map(|name| format!("; they name `{name}`"));
        ResultsError::NoExposure {
            experiment: title.to_owned(),
            known: quoted(variations),
            given: given.unwrap_or_default(),
        }
    }
}

/// What a variation is called.
pub(super) fn name_of(variation: &Variation) -> String {
    variation.name.clone().unwrap_or_else(|| variation.key.to_string())
}

/// The arms of an experiment.
struct Arms {
    by_id: HashMap<u64, Arm>,
    by_name: HashMap<String, Arm>,
}

impl Arms {
    /// By the ids, keys and names of variations.
    fn of(experiment: &Experiment) -> Self {
        let (mut by_id, mut by_name) = (HashMap::new(), HashMap::new());
        for (place, variation) in experiment.variations.iter().enumerate() {
            let arm = Arm(u16::try_from(place).unwrap_or(u16::MAX));
            by_id.insert(variation.id.get(), arm);
            let name = variation.name.clone();
            let names = [Some(variation.id.to_string()), Some(variation.key.to_string()), name];
            for name in names.into_iter().flatten() {
                by_name.entry(name).or_insert(arm);
            }
        }
        Self { by_id, by_name }
    }

    fn find(&self, shown: &ShownAs) -> Option<Arm> {
        match shown {
            ShownAs::Ids { variation, .. } => self.by_id.get(variation).copied(),
            ShownAs::Names { variation, .. } => self.by_name.get(variation).copied(),
        }
    }
}

/// Whether the exposure is to this experiment; a file may be about one alone.
fn is_of(experiment: &Experiment, shown: &ShownAs) -> bool {
    match shown {
        ShownAs::Ids { experiment: id, .. } => experiment.id.get() == *id,
        ShownAs::Names { experiment: name, .. } => {
            name.as_deref().is_none_or(|name| is_called(experiment, name))
        }
    }
}

fn is_called(experiment: &Experiment, name: &str) -> bool {
    experiment.key.as_str() == name
        || experiment.id.to_string() == name
        || experiment.name.as_deref() == Some(name)
}

/// Some names, as messages quote them.
pub(super) fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const NAMES_TOLD: usize = 10;
    let told: Vec<_> = names.take(NAMES_TOLD).map(|name| format!("`{name}`")).collect();
    told.join(", ")
}
