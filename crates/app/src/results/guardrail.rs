//! Guardrails: whether a variation may have made worse what must not become worse.

use stats::{Direction, GuardrailVerdict, Look, Margin, NoFigure, judge_guardrail};

/// What is said of a guardrail and a variation.
pub(super) struct Judged {
    pub(super) word: &'static str,
    /// The look since which it is said.
    pub(super) at: Option<usize>,
}

/// What a look is judged by: what is known at it, and the multiplier of its interval.
type Known = Result<(Look, f64), NoFigure>;

const INCONCLUSIVE: &str = "inconclusive";
const WORSE: &str = "worse";

/// Judges by a method that is right about all looks together. A harm that a look found stays until a later one excludes a harm above the margin;
/// that such a harm is excluded has to be so today.
pub(super) fn judged(looks: impl Iterator<Item = Known>, margin: f64, good: Direction) -> Judged {
    followed(looks, (margin, good), |before, now| now == INCONCLUSIVE && before == WORSE)
}

/// Judges by today's look alone, and goes back as long as looks say the same.
pub(super) fn judged_today(
    looks: impl Iterator<Item = Known>,
    margin: f64,
    good: Direction,
) -> Judged {
    followed(looks, (margin, good), |_, _| false)
}

/// What the looks come to, one after the other, if what was said stays where `stays` says so of it and of the word of a later look.
fn followed(
    looks: impl Iterator<Item = Known>,
    (margin, good): (f64, Direction),
    stays: fn(&str, &str) -> bool,
) -> Judged {
    let mut judged = Judged { word: INCONCLUSIVE, at: None };
    let Some(margin) = Margin::new(margin) else { return judged };
    for (at, look) in looks.enumerate() {
        let word = word(look, margin, good);
        if word != judged.word && !stays(judged.word, word) {
            judged = Judged { word, at: (word != INCONCLUSIVE).then_some(at) };
        }
    }
    judged
}

/// What a look says alone.
fn word(look: Known, margin: Margin, good: Direction) -> &'static str {
    let verdict = look.and_then(|(Look { control, variation }, multiplier)| {
        judge_guardrail(&control, &variation, margin, good, multiplier)
    });
    match verdict {
        Ok(GuardrailVerdict::NoWorse) => "no_worse",
        Ok(GuardrailVerdict::Worse) => WORSE,
        Ok(GuardrailVerdict::Inconclusive) | Err(_) => INCONCLUSIVE,
    }
}
