//! Why there is no figure: the reason that stands in the place of a number.

/// The reason why a figure cannot be computed. A figure is never replaced by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFigure {
    /// A variation has no visitors.
    NoVisitors,
    /// A variation has too few visitors for a variance, for a ratio, or for the quantile that is asked for.
    TooFewVisitors,
    /// All visitors of a variation have the same value, so that nothing is known of their spread.
    ZeroVariance,
    /// The mean of the control is zero: there is no relative effect.
    ZeroBaseline,
    /// The mean of the control is below zero: of a loss, a relative effect has the wrong sign.
    NegativeBaseline,
    /// The mean of the control is not clearly apart from zero, so that the relative effect has no
    /// bounds.
    UnboundedLift,
    /// The sums are not finite, or no values can have them.
    ImpossibleSums,
    /// The mean of the denominator of a ratio is zero.
    ZeroDenominator,
    /// A weight is not a positive number, or weights and counts differ in number.
    ImpossibleWeights,
    /// The plan's number of visitors is not reached, and the method has one look only.
    BeforePlannedEnd,
    /// The method has one look only, and it was taken.
    AfterPlannedEnd,
    /// No number of visitors answers the question of the plan.
    ImpossiblePlan,
    /// The metric has intervals for one look alone, and this one is looked at again and again.
    OneLookOnly,
}

impl NoFigure {
    /// The code that programs read.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NoVisitors => "no_visitors",
            Self::TooFewVisitors => "too_few_visitors",
            Self::ZeroVariance => "zero_variance",
            Self::ZeroBaseline => "zero_baseline",
            Self::NegativeBaseline => "negative_baseline",
            Self::UnboundedLift => "unbounded_lift",
            Self::ImpossibleSums => "impossible_sums",
            Self::ZeroDenominator => "zero_denominator",
            Self::ImpossibleWeights => "impossible_weights",
            Self::BeforePlannedEnd => "before_planned_end",
            Self::AfterPlannedEnd => "after_planned_end",
            Self::ImpossiblePlan => "impossible_plan",
            Self::OneLookOnly => "one_look_only",
        }
    }
}
