//! Who was given which side of a comparison.

use events::{Assignment, Assignments, Exposure};

use crate::results::find::ResultsError;
use crate::results::measured::{Done, Shown};
use crate::results::sides::{Found, Sides};
use crate::results::weights::Epochs;

/// Who was given which side of a comparison.
pub(super) struct Exposed {
    pub(super) assignments: Assignments,
    pub(super) unknown: u64,
    pub(super) unknown_variation: Option<String>,
}

impl Exposed {
    pub(super) fn to<'s>(
        sides: &Sides<'_>,
        epochs: &Epochs,
        exposures: impl Iterator<Item = &'s Shown>,
    ) -> Self {
        let (mut unknown, mut unknown_variation) = (0, None);
        let exposures = exposures.filter_map(|shown| match sides.find(shown) {
            Found::Arm(arm) => {
                let assignment = Assignment { arm, epoch: epochs.at(shown.at), at: shown.at };
                Some(Exposure { visitor: shown.visitor, assignment })
            }
            Found::Unknown(variation) => {
                unknown += 1;
                unknown_variation.get_or_insert(variation);
                None
            }
            Found::Elsewhere => None,
        });
        let assignments = Assignments::of(exposures);
        Self { assignments, unknown, unknown_variation }
    }

    /// Events of visitors who were given nothing.
    pub(super) fn without(&self, events: &[Done]) -> u64 {
        events.iter().filter(|done| !self.assignments.knows(done.visitor)).map(|_| 1).sum()
    }

    /// Why there is nothing to compare.
    pub(super) fn none(&self, sides: &Sides<'_>) -> ResultsError {
        let given = self.unknown_variation.as_ref().map(|name| format!("; they name `{name}`"));
        ResultsError::NoExposure {
            experiment: sides.title.clone(),
            known: quoted(sides.all.iter().map(|side| side.key.as_str())),
            given: given.unwrap_or_default(),
        }
    }
}

/// Some names, as messages quote them.
pub(super) fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const NAMES_TOLD: usize = 10;
    let told: Vec<_> = names.take(NAMES_TOLD).map(|name| format!("`{name}`")).collect();
    told.join(", ")
}
