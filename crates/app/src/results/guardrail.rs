//! Guardrails: whether a variation may have made worse what must not become worse.

use stats::{Direction, GuardrailVerdict, Look, Margin, NoFigure, judge_guardrail};

/// What is said of a guardrail and a variation.
pub(super) struct Judged {
    pub(super) word: &'static str,
    /// The look since which it is said.
    pub(super) at: Option<usize>,
}

/// Judges every look with the multiplier of its interval. What was found at one holds at all later ones, until something else is found.
pub(super) fn judged(
    looks: impl Iterator<Item = Result<(Look, f64), NoFigure>>,
    margin: f64,
    good: Direction,
) -> Judged {
    let mut judged = Judged { word: "inconclusive", at: None };
    let Some(margin) = Margin::new(margin) else { return judged };
    for (at, look) in looks.enumerate() {
        let Ok((Look { control, variation }, multiplier)) = look else { continue };
        let word = match judge_guardrail(&control, &variation, margin, good, multiplier) {
            Ok(GuardrailVerdict::NoWorse) => "no_worse",
            Ok(GuardrailVerdict::Worse) => "worse",
            Ok(GuardrailVerdict::Inconclusive) | Err(_) => continue,
        };
        if word != judged.word {
            judged = Judged { word, at: Some(at) };
        }
    }
    judged
}
