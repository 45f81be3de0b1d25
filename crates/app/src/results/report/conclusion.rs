//! What follows from results: what a campaign can be concluded with, what a plan for the rest would begin with, and what needs a look.

use domain::GoodDirection;

use crate::results::day_sums::number;
use crate::results::length::Today;
use crate::results::report::{
    HealthReport, IntervalMethod, MetricKind, MetricResult, Results, VariationShare, VerdictCode,
};

/// Fewer convert too seldom to plan with.
const BASELINE_AT_LEAST: f64 = 0.000_001;

/// What is known of an experiment that is open, for a plan of how long it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownForPlan {
    /// The primary metric of the control.
    pub today: Today,
    /// The visitors of a day on which some came, on average, rounded down; at least one.
    pub visitors_per_day: u64,
    /// What the weight of each variation promises, the control's first.
    pub shares: Vec<f64>,
    /// How sure intervals are.
    pub confidence: f64,
    /// The relative effect that its plan looks for, below zero if less is better.
    pub minimum_effect: Option<f64>,
}

/// The comparisons by primary metrics, which are judged together: p-values are adjusted for their number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgedTogether {
    /// How many they are.
    pub comparisons: usize,
    /// How sure the interval of each is.
    pub interval_confidence: f64,
    /// Whether that is more than the plan asks for, so that intervals are wider.
    pub are_wider: bool,
}

/// Some of all visitors, of whom something is odd.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OddVisitors {
    /// How many.
    pub visitors: u64,
    /// Their share.
    pub share: f64,
}

impl OddVisitors {
    /// A share above which it is worth finding out why.
    const WORTH_A_LOOK: f64 = 0.01;

    fn of(visitors: u64, all: u64) -> Self {
        Self { visitors, share: number(visitors) / number(all).max(1.0) }
    }

    /// Whether they are so many that it is worth finding out why.
    #[must_use]
    pub fn are_worth_a_look(&self) -> bool {
        self.share >= Self::WORTH_A_LOOK
    }
}

impl HealthReport {
    /// Those who were given two variations, beside so many who count.
    #[must_use]
    pub fn mixed(&self, counting: u64) -> OddVisitors {
        OddVisitors::of(self.mixed_visitors, counting.saturating_add(self.mixed_visitors))
    }

    /// Those among so many who may have seen the page change, if it is known.
    #[must_use]
    pub fn flicker(&self, counting: u64) -> Option<OddVisitors> {
        self.flicker_visitors.map(|visitors| OddVisitors::of(visitors, counting))
    }
}

impl VerdictCode {
    /// Whether it names a variation that can be shown to all visitors.
    #[must_use]
    pub fn takes_a_variation(self) -> bool {
        match self {
            Self::Better | Self::LowRisk => true,
            Self::Worse
            | Self::TooEarly
            | Self::Inconclusive
            | Self::SampleRatioMismatch
            | Self::Mixed
            | Self::NoMetric => false,
        }
    }

    /// Whether the evidence does not suffice, and that of more visitors may.
    #[must_use]
    pub fn is_open(self) -> bool {
        match self {
            Self::TooEarly | Self::Inconclusive => true,
            Self::Better
            | Self::Worse
            | Self::LowRisk
            | Self::SampleRatioMismatch
            | Self::Mixed
            | Self::NoMetric => false,
        }
    }
}

impl Results {
    /// The visitors of all variations.
    #[must_use]
    pub fn visitors(&self) -> u64 {
        self.variations.iter().map(|one| one.visitors).sum()
    }

    /// When the campaign ended, in a sentence for people; none while it goes on.
    #[must_use]
    pub fn ended_sentence(&self) -> Option<String> {
        let at = self.ended_at.as_ref()?.replace('T', " ").replace('Z', " UTC");
        Some(format!("The campaign ended at {at}: what came later does not count."))
    }

    /// The variation that the campaign can be concluded with; none if that is the control, or a side of a holdback.
    #[must_use]
    pub fn winner(&self) -> Option<&VariationShare> {
        let verdict = &self.verdict;
        let is_taken = verdict.code.takes_a_variation() && verdict.stands && !self.is_of_holdback;
        let mut others = self.variations.iter().skip(1).filter(|_| is_taken);
        others.find(|one| Some(&one.id) == verdict.variation.as_ref())
    }

    /// Whether the verdict is a reason to end the experiment. One about a holdback is none: that would end what works.
    #[must_use]
    pub fn can_end(&self) -> bool {
        let code = self.verdict.code;
        let is_decided = code.takes_a_variation() || code == VerdictCode::Worse;
        self.verdict.stands && !self.is_of_holdback && is_decided
    }

    /// The comparisons that are judged together, if there are several. Bayesian ones are judged each by itself.
    #[must_use]
    pub fn judged_together(&self) -> Option<JudgedTogether> {
        let primary = self.metrics.iter().filter(|metric| metric.is_primary);
        let all = primary.flat_map(|metric| &metric.variations);
        let all: Vec<_> = all.filter_map(|result| result.comparison.as_ref()).collect();
        let told = all.iter().find_map(|comparison| comparison.interval_confidence);
        let interval_confidence = told.unwrap_or(self.confidence);
        let is_tested = self.method != IntervalMethod::Bayesian;
        (is_tested && all.len() > 1).then_some(JudgedTogether {
            comparisons: all.len(),
            interval_confidence,
            are_wider: interval_confidence - self.confidence > 1e-9,
        })
    }

    /// What is known for a plan, as long as the verdict is open and its primary metric is a share or a mean of visitors.
    #[must_use]
    pub fn known_for_plan(&self) -> Option<KnownForPlan> {
        let primary = self.metrics.iter().find(|metric| metric.is_primary)?;
        let today = today(primary)?;
        let days = u64::try_from(self.days.len()).ok().filter(|days| *days > 0)?;
        let effect = self.plan.as_ref().and_then(|plan| plan.effect);
        self.verdict.code.is_open().then(|| KnownForPlan {
            today,
            visitors_per_day: (self.visitors() / days).max(1),
            shares: self.variations.iter().map(|one| one.expected_share).collect(),
            confidence: self.confidence,
            minimum_effect: effect.map(|effect| match primary.good {
                GoodDirection::Up => effect,
                GoodDirection::Down => -effect,
            }),
        })
    }
}

/// The metric as the control has it, if one can plan with it.
fn today(metric: &MetricResult) -> Option<Today> {
    let control = metric.variations.first()?;
    let (mean, deviation) = (control.mean?, control.deviation?);
    match metric.kind {
        MetricKind::Conversion => {
            (BASELINE_AT_LEAST..1.0).contains(&mean).then_some(Today::Share(mean))
        }
        MetricKind::Count | MetricKind::Sum | MetricKind::Revenue => {
            (mean > 0.0 && deviation > 0.0).then_some(Today::Mean { mean, deviation })
        }
        MetricKind::Mean | MetricKind::Ratio | MetricKind::Quantile => None,
    }
}
