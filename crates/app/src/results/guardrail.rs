//! Guardrails: whether a variation may have made worse what must not become worse.

use stats::{Direction, GuardrailVerdict, Look, Margin, NoFigure, judge_guardrail};

use crate::results::report::ComparisonVerdict::{self, Inconclusive, NoWorse, Worse};

/// What is said of a guardrail and a variation.
pub(super) struct Judged {
    pub(super) verdict: ComparisonVerdict,
    /// The look since which it is said.
    pub(super) at: Option<usize>,
}

/// What a look is judged by: what is known at it, and the multiplier of its interval.
type Known = Result<(Look, f64), NoFigure>;

/// Judges by a method that is right about all looks together. A harm that a look found stays until a later one excludes a harm above the margin;
/// that such a harm is excluded has to be so today.
pub(super) fn judged(looks: impl Iterator<Item = Known>, margin: f64, good: Direction) -> Judged {
    followed(looks, (margin, good), |before, now| now == Inconclusive && before == Worse)
}

/// Judges by today's look alone, and goes back as long as looks say the same.
pub(super) fn judged_today(
    looks: impl Iterator<Item = Known>,
    margin: f64,
    good: Direction,
) -> Judged {
    followed(looks, (margin, good), |_, _| false)
}

/// What the looks come to, one after the other, if what was said stays where `stays` says so of it and of a later look.
fn followed(
    looks: impl Iterator<Item = Known>,
    (margin, good): (f64, Direction),
    stays: fn(ComparisonVerdict, ComparisonVerdict) -> bool,
) -> Judged {
    let mut judged = Judged { verdict: Inconclusive, at: None };
    let Some(margin) = Margin::new(margin) else { return judged };
    for (at, look) in looks.enumerate() {
        let verdict = verdict(look, margin, good);
        if verdict != judged.verdict && !stays(judged.verdict, verdict) {
            judged = Judged { verdict, at: (verdict != Inconclusive).then_some(at) };
        }
    }
    judged
}

/// What a look says alone.
fn verdict(look: Known, margin: Margin, good: Direction) -> ComparisonVerdict {
    let verdict = look.and_then(|(Look { control, variation }, multiplier)| {
        judge_guardrail(&control, &variation, margin, good, multiplier)
    });
    match verdict {
        Ok(GuardrailVerdict::NoWorse) => NoWorse,
        Ok(GuardrailVerdict::Worse) => Worse,
        Ok(GuardrailVerdict::Inconclusive) | Err(_) => Inconclusive,
    }
}
