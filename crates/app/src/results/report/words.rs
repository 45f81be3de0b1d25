//! What results say in a word: programs read it, and everything that is said in sentences follows from it.

use serde::{Serialize, Serializer};
use stats::{NoFigure, Verdict};

/// What is decided of a variation by a metric.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ComparisonVerdict {
    /// It is better than the control.
    Better,
    /// It is worse; by a guardrail, it does harm.
    Worse,
    /// The evidence does not suffice for either.
    #[default]
    Inconclusive,
    /// A guardrail excludes more harm than its margin.
    NoWorse,
    /// Figures of a secondary metric are shown, and nothing is decided by them.
    NotJudged,
}

impl ComparisonVerdict {
    /// The word, for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Inconclusive => "inconclusive",
            Self::NoWorse => "no_worse",
            Self::NotJudged => "not_judged",
        }
    }

    /// The same, for people.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Inconclusive => "inconclusive",
            Self::NoWorse => "no worse",
            Self::NotJudged => "not judged",
        }
    }
}

impl From<Verdict> for ComparisonVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Better => Self::Better,
            Verdict::Worse => Self::Worse,
            Verdict::Inconclusive => Self::Inconclusive,
        }
    }
}

/// How intervals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Without a plan: they hold at all looks together.
    AlwaysValid,
    /// With a plan: they hold at all looks together, and are narrower at its end.
    Hybrid,
    /// With a plan: there is one look, at its end.
    FixedHorizon,
    /// With a plan: they hold the effect with a probability, given the data and what is believed before.
    Bayesian,
}

impl IntervalMethod {
    /// The word, for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AlwaysValid => "always_valid",
            Self::Hybrid => "hybrid",
            Self::FixedHorizon => "fixed_horizon",
            Self::Bayesian => "bayesian",
        }
    }
}

/// Why an experiment has no results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoResults {
    /// It has one variation, and nothing to compare it with.
    OneVariation,
    /// No visitor has come yet who counts.
    NoVisitor,
    /// The last day of its plan was over before a visitor came who counts.
    PlanOver,
    /// It ended before the oldest events that are kept.
    EventsDeleted,
    /// Events that would count were lost, and no visitor is in what is left.
    EventsLost,
    /// Its values are too large to be added up exactly.
    TooLarge,
    /// There is no such campaign; never of one whose experiments are listed.
    UnknownCampaign,
}

/// Writes the code of why there is no figure, for programs.
#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference to the field"
)]
pub(super) fn code<S: Serializer>(
    reason: &Option<NoFigure>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    reason.map(NoFigure::code).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ComparisonVerdict, IntervalMethod};

    #[test]
    fn programs_read_the_words_in_every_format() {
        use ComparisonVerdict::{Better, Inconclusive, NoWorse, NotJudged, Worse};
        use IntervalMethod::{AlwaysValid, Bayesian, FixedHorizon, Hybrid};

        for verdict in [Better, Worse, Inconclusive, NoWorse, NotJudged] {
            assert_eq!(json!(verdict), verdict.word());
            assert_eq!(verdict.phrase(), verdict.word().replace('_', " "));
        }
        for method in [AlwaysValid, Hybrid, FixedHorizon, Bayesian] {
            assert_eq!(json!(method), method.word());
        }
    }
}
