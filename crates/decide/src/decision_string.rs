//! The decision string: campaign, experiment and variation in one line for analytics tools, cut to
//! fit fairly. [`crate::decision_object`] has the same in parts.

use std::fmt;

use crate::decision::{Decision, DecisionFormat, Label};
use crate::name_part::{cut, id_part, name_part, utf16_length};

const HOLDBACK: &str = "holdback";
const SEPARATOR: &str = ":";

/// `campaign(id):experiment(id):variation(id)`, with `:holdback` behind it for a held-back visitor;
/// an A/B test has no campaign part, and no text at all (`None`) when it holds the visitor
/// back.
///
/// # Errors
///
/// [`IdsTooLong`] when the string would be too long without any name.
///
/// ```
/// use decide::{Decision, DecisionFormat, Label, decision_string};
///
/// let decision = Decision::AbTest {
///     experiment: Label { name: Some("Hero text"), id: "4001" },
///     variation: Label { name: Some("Short"), id: "5002" },
///     is_held_back: false,
/// };
/// let text = decision_string(decision, DecisionFormat::default());
/// assert_eq!(text, Ok(Some("Hero text(4001):Short(5002)".to_owned())));
/// ```
pub fn decision_string(
    decision: Decision<'_>,
    format: DecisionFormat,
) -> Result<Option<String>, IdsTooLong> {
    match decision {
        Decision::AbTest { is_held_back: true, .. } => Ok(None),
        Decision::AbTest { experiment, variation, is_held_back: false } => {
            line(&[experiment, variation], None, format).map(Some)
        }
        Decision::Personalization { campaign, experiment, variation, is_held_back } => {
            line(&[campaign, experiment, variation], is_held_back.then_some(HOLDBACK), format)
                .map(Some)
        }
    }
}

/// The ids alone are longer than the string may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdsTooLong {
    /// The least maximum length that would do, in UTF-16 units.
    pub needed_length: usize,
}

impl fmt::Display for IdsTooLong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the ids alone need a maximum length of {}", self.needed_length)
    }
}

impl std::error::Error for IdsTooLong {}

fn line(
    labels: &[Label<'_>],
    ending: Option<&str>,
    format: DecisionFormat,
) -> Result<String, IdsTooLong> {
    let ids: Vec<String> = labels.iter().copied().map(id_part).collect();
    let names: Vec<String> = labels.iter().map(|label| name_part(*label, format)).collect();
    let room = room_for_names(&ids, ending, format.max_length)?;

    let parts = names.iter().zip(deal_out(room, &names)).zip(ids);
    let parts = parts.map(|((name, units), id)| [cut(name, units), &id].concat());
    let parts: Vec<String> = parts.chain(ending.map(str::to_owned)).collect();
    Ok(parts.join(SEPARATOR))
}

fn room_for_names(
    ids: &[String],
    ending: Option<&str>,
    max_length: usize,
) -> Result<usize, IdsTooLong> {
    let fixed: Vec<&str> = ids.iter().map(String::as_str).chain(ending).collect();
    let needed_length = utf16_length(&fixed.join(SEPARATOR));
    max_length.checked_sub(needed_length).ok_or(IdsTooLong { needed_length })
}

/// Units for each name. From last to first each may take an equal share of the room that is left,
/// so that what a short name or the rounding leaves goes to the names before it, and at last to the
/// campaign.
fn deal_out(mut room: usize, names: &[String]) -> Vec<usize> {
    let mut units = vec![0; names.len()];
    for (place, name) in names.iter().enumerate().rev() {
        let names_left = place + 1;
        units[place] = utf16_length(name).min(room / names_left);
        room -= units[place];
    }
    units
}
