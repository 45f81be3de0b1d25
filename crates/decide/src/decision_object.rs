//! The decision object: the parts of a decision as separate strings, each cut alone.
//! [`crate::decision_string`] has the same in one line.

use crate::decision::{Decision, DecisionFormat, Label};
use crate::name_part::{cut, id_part, name_part, utf16_length};

/// A decision in parts, each `name (id)`. An A/B test has neither campaign nor holdback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionObject {
    /// Name and id of the experiment.
    pub experiment: String,
    /// Name and id of the variation.
    pub variation: String,
    /// Name and id of the campaign; of personalizations only.
    pub campaign: Option<String>,
    /// Whether the visitor is in the campaign holdback; of personalizations only.
    pub holdback: Option<bool>,
}

/// The decision in parts, or nothing when an A/B test holds the visitor back. An id longer than the
/// maximum length stands alone, uncut.
#[must_use]
pub fn decision_object(decision: Decision<'_>, format: DecisionFormat) -> Option<DecisionObject> {
    match decision {
        Decision::AbTest { is_held_back: true, .. } => None,
        Decision::AbTest { experiment, variation, is_held_back: false } => Some(DecisionObject {
            experiment: part(experiment, format),
            variation: part(variation, format),
            campaign: None,
            holdback: None,
        }),
        Decision::Personalization { campaign, experiment, variation, is_held_back } => {
            Some(DecisionObject {
                experiment: part(experiment, format),
                variation: part(variation, format),
                campaign: Some(part(campaign, format)),
                holdback: Some(is_held_back),
            })
        }
    }
}

/// The space goes first when room is short, then the end of the name.
fn part(label: Label<'_>, format: DecisionFormat) -> String {
    let (name, id) = (name_part(label, format), id_part(label));
    if name.is_empty() {
        return id;
    }
    let room = format.max_length.saturating_sub(utf16_length(&id));
    if utf16_length(&name) < room {
        return [&name, " ", &id].concat();
    }
    [cut(&name, room), &id].concat()
}
