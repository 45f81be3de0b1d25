//! How visitors were spread over the variations, beside the weights: the check, and a table.

use app::numerals::{quantity, thousands};
use app::results::{HealthReport, Results};

use super::check::{Check, CheckState};
use super::figures::{p_value, reason, share};

/// The visitors of a variation with the shares that came and that were promised.
pub(super) struct ShareRow {
    pub(super) place: usize,
    pub(super) name: String,
    pub(super) visitors: String,
    pub(super) share: String,
    pub(super) expected: String,
}

/// Whether visitors came in the shares of the weights.
pub(super) fn check_shares(health: &HealthReport) -> Check {
    let ratio = &health.sample_ratio;
    let check = |state, words, next| Check { state, title: "Shares of the visitors", words, next };
    let without_weight = without_weight(ratio.without_weight);
    match (ratio.p_value, ratio.is_alarmed) {
        (Some(value), true) => check(
            CheckState::Alarm,
            format!(
                "Visitors did not come in the shares of the weights: chance alone would do this once in {}. That was clear by the end of {}.{}{without_weight}",
                once_in(value),
                ratio.alarmed_on.as_deref().unwrap_or("a day before"),
                ratio
                    .suspects
                    .iter()
                    .map(|one| [" ", &one.sentence()].concat())
                    .collect::<String>()
            ),
            Some(
                "Look at what changed on that day or shortly before. Usual causes: a variation that redirects and loses visitors on the way, code of a variation that fails before the visit is counted, weights that changed while it ran, bots that get one variation only. Correct it, then begin a new phase.",
            ),
        ),
        (value, _) => {
            let (state, words) = if let Some(value) = value {
                let words =
                    format!("Visitors came in the shares of the weights (p = {}).", p_value(value));
                (CheckState::Fine, words)
            } else {
                let why = ratio.reason.map_or("nothing is known", reason);
                (CheckState::Unknown, format!("They cannot be checked, because {why}."))
            };
            let next = (ratio.without_weight > 0).then_some(
                "Look at who sends the exposures of the variation without weight. Usual causes: rows of a file from before the weight became 0, or from a tool that assigns visitors itself.",
            );
            let state = if next.is_some() { CheckState::Look } else { state };
            check(state, words + &without_weight, next)
        }
    }
}

/// Their shares cannot be checked, so the check of the others says so.
fn without_weight(visitors: u64) -> String {
    if visitors == 0 {
        return String::new();
    }
    let people = quantity(visitors, "visitor was", "visitors were");
    format!(
        " {people} given a variation that had no weight: they count like all others, and no share of theirs can be checked."
    )
}

/// How many such experiments chance would need.
fn once_in(p_value: f64) -> String {
    const MORE: f64 = 1e6;
    let times = 1.0 / p_value.max(1.0 / MORE);
    if times >= MORE { "more than a million".to_owned() } else { format!("{times:.0}") }
}

/// How visitors were spread.
pub(super) fn share_rows(results: &Results) -> Vec<ShareRow> {
    let all = results.variations.iter().map(|one| number(one.visitors)).sum::<f64>();
    let rows = results.variations.iter().enumerate().map(|(place, one)| ShareRow {
        place: place % 6,
        name: one.name.clone(),
        visitors: thousands(one.visitors),
        share: if all > 0.0 { share(number(one.visitors) / all) } else { "–".to_owned() },
        expected: share(one.expected_share),
    });
    rows.collect()
}

fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
