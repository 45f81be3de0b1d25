//! Results as people and programs read them. Where there is no figure, `reason` says why, and no zero stands in its place.

mod arrival;
mod conclusion;
mod described;
mod health;
mod suspect;
mod words;

use domain::{CampaignStatus, GoodDirection};
use serde::Serialize;
use stats::NoFigure;

pub use self::arrival::{SampleSize, SilentMetric};
pub use self::conclusion::{JudgedTogether, KnownForPlan, OddVisitors};
pub use self::health::{HealthReport, SampleRatio};
pub use self::suspect::{Suspect, SuspectPage};
use self::words::code;
pub use self::words::{ComparisonVerdict, IntervalMethod, NoResults};
use crate::results::segment_by::SegmentBy;

/// The results of a campaign.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CampaignResults {
    /// The campaign's id.
    pub campaign: String,
    /// Its name.
    pub name: String,
    /// Whether it runs, in this revision.
    pub status: CampaignStatus,
    /// The revision whose experiments and metrics these are.
    pub revision: u32,
    /// Whether visitors get another revision now, so that there is nothing to decide.
    pub is_past: bool,
    /// Whether the live snippet sends events here.
    pub is_collecting: bool,
    /// How many events of the project came: those in the log as often as they came, those in a file once.
    pub events: u64,
    /// When the newest came.
    pub newest_event_at: Option<String>,
    /// Each of its experiments that is not archived.
    pub experiments: Vec<ExperimentResults>,
    /// The visitors who are shown the campaign against those who are held back; none if it has no holdback.
    pub holdback: Option<ExperimentResults>,
    /// The experiments that visitors took part in and that the live campaign has no more, those that ended last first.
    pub earlier: Vec<EarlierExperiment>,
}

/// An experiment that has ended, as by a new phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EarlierExperiment {
    /// The experiment's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The last revision that has it: results of that one are its results.
    pub revision: u32,
    /// When another revision took the place of that one.
    pub ended_at: String,
}

impl CampaignResults {
    /// Those of the experiments and of the holdback that there are.
    pub fn found(&self) -> impl Iterator<Item = &Results> {
        self.experiments.iter().chain(&self.holdback).filter_map(|one| one.results.as_ref())
    }
}

/// The results of an experiment, or why there are none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExperimentResults {
    /// The experiment's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its results.
    pub results: Option<Results>,
    /// Why there are none.
    pub reason: Option<NoResults>,
}

/// The results of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Results {
    /// The campaign's name.
    pub campaign: String,
    /// The experiment's name.
    pub experiment: String,
    /// The day of the first exposure, in UTC.
    pub first_day: String,
    /// The last day on which anything happened, in UTC.
    pub last_day: String,
    /// What it comes to.
    pub verdict: VerdictReport,
    /// Who was given what; the first one is the control.
    pub variations: Vec<VariationShare>,
    /// When they came, earliest first; days without any visitor are left out.
    pub days: Vec<DayVisitors>,
    /// The figures, of the primary metric first.
    pub metrics: Vec<MetricResult>,
    /// The same figures of the visitors of each browser or device, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segments: Option<SegmentsReport>,
    /// Whether the figures can be trusted.
    pub health: HealthReport,
    /// The times in which other shares were promised, earliest first: visitors of each are compared among themselves.
    pub epochs: Vec<EpochReport>,
    /// When visitors stopped taking part, as by a conclusion: what came later does not count.
    pub ended_at: Option<String>,
    /// The campaign's plan, with what is known of it.
    pub plan: Option<PlanReport>,
    /// How intervals are made.
    pub method: IntervalMethod,
    /// How sure the verdicts and guardrails are: `0.95`. Intervals of comparisons that are judged together are wider.
    pub confidence: f64,
    /// Whether those who are held back are compared with those who are shown the campaign, and no variations.
    #[serde(skip)]
    pub is_of_holdback: bool,
}

/// A time in which the same shares were promised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EpochReport {
    /// The day since which, in UTC; none of the first one.
    pub since: Option<String>,
    /// The share that each variation's weight promised.
    pub expected_shares: Vec<f64>,
    /// The visitors of each variation who came in it.
    pub visitors: Vec<u64>,
}

/// A plan, with what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanReport {
    /// The smallest relative effect worth finding.
    pub effect: Option<f64>,
    /// The probability of finding it.
    pub power: f64,
    /// The last day whose visitors count.
    pub until: Option<String>,
    /// The day on which it ended; figures are those of that day.
    pub ended_on: Option<String>,
    /// How many visitors of the control and of the variation with the smallest weight the effect needs.
    pub needed_visitors: Option<u64>,
    /// The day on which they will have come, at the traffic of the last seven days.
    pub shows_by: Option<String>,
    /// Why that cannot be told.
    #[serde(serialize_with = "code")]
    pub reason: Option<NoFigure>,
    /// The expected loss that a Bayesian verdict may take, as a share of the control's mean; none by other methods.
    pub tolerated_loss: Option<f64>,
    /// The standard deviation of lifts that is believed before the data; none by other methods.
    pub prior_deviation: Option<f64>,
}

/// What the results come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerdictReport {
    /// In a word.
    pub code: VerdictCode,
    /// In a sentence or two, which quote names in backticks.
    pub text: String,
    /// The id of the variation that is better or worse, or can be taken at low risk.
    pub variation: Option<String>,
    /// Whether what is known today still says the same; a verdict stays once it is made.
    pub stands: bool,
    /// What guardrails say against it, a sentence each.
    pub guardrails: Vec<String>,
}

/// What results come to, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictCode {
    /// A variation is better than the control.
    Better,
    /// No variation is better, and one is worse.
    Worse,
    /// The evidence does not suffice yet.
    TooEarly,
    /// The plan is over, and the evidence does not suffice.
    Inconclusive,
    /// A Bayesian plan knows no better variation, and tolerates the expected loss of taking this one.
    LowRisk,
    /// Visitors did not come in the shares of the weights.
    SampleRatioMismatch,
    /// A variation is better by a primary metric and worse by another.
    Mixed,
    /// There is nothing to measure by.
    NoMetric,
}

/// How many visitors a variation has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariationShare {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its visitors.
    pub visitors: u64,
    /// The share that its weight promises.
    pub expected_share: f64,
}

/// The visitors who came on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DayVisitors {
    /// The day, in UTC.
    pub day: String,
    /// Those whose first exposure was on it, by variation.
    pub visitors: Vec<u64>,
}

/// The figures of a metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricResult {
    /// The id of the document's metric; none of an event without a metric.
    pub id: Option<String>,
    /// The metric's name, as long as it has one.
    pub name: Option<String>,
    /// The key of its event.
    pub event: String,
    /// What of it counts.
    pub kind: MetricKind,
    /// Whether totals, means and differences are in the currency's smallest unit.
    pub is_revenue: bool,
    /// What it is to the campaign.
    pub role: MetricRole,
    /// Whether the verdict is by it.
    pub is_primary: bool,
    /// Whether more is better, or less.
    pub good: GoodDirection,
    /// How long after the first exposure events count: `14d`; without an end if there is none.
    pub window: Option<String>,
    /// The most that a visitor's value can be.
    pub cap: Option<f64>,
    /// The days before the first exposure that explain a part of the value: `14d`.
    pub covariate: Option<String>,
    /// Which quantile: `0.95`.
    pub quantile: Option<f64>,
    /// The harm that a guardrail tolerates: `0.02` is 2 %.
    pub margin: Option<f64>,
    /// Of each variation, the control first.
    pub variations: Vec<VariationResult>,
}

/// What of an event counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricKind {
    /// Visitors who do it.
    Conversion,
    /// Its events, per visitor.
    Count,
    /// The sum of its values, per visitor.
    Sum,
    /// The sum of its revenue, per visitor, in the currency's smallest unit: of an event without a metric.
    Revenue,
    /// The sum of its values, per event.
    Mean,
    /// One sum by another.
    Ratio,
    /// A quantile of the visitors' sums.
    Quantile,
}

impl MetricKind {
    /// A lift with its interval as people read it: what is counted cannot fall by more than all of it, wherever the interval ends.
    #[must_use]
    pub fn possible_lift(self, lift: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Conversion | Self::Count => lift.map(|share| share.max(-1.0)),
            Self::Sum | Self::Revenue | Self::Mean | Self::Ratio | Self::Quantile => lift,
        }
    }

    /// The same of a difference: no more than all visitors can do it, or not.
    #[must_use]
    pub fn possible_difference(self, difference: [f64; 3]) -> [f64; 3] {
        if self == Self::Conversion {
            difference.map(|share| share.clamp(-1.0, 1.0))
        } else {
            difference
        }
    }
}

/// What a metric is to a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricRole {
    /// The verdict is by it.
    Primary,
    /// It is shown and not judged.
    Secondary,
    /// It must not become worse.
    Guardrail,
}

/// The figures of a metric and a variation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariationResult {
    /// The variation's id.
    pub variation_id: String,
    /// Its name, which another variation may have, too.
    pub variation: String,
    /// Its visitors.
    pub visitors: u64,
    /// How many converted, or the sum.
    pub total: f64,
    /// What a mean or a ratio divides it by.
    pub per: Option<f64>,
    /// Per visitor, or by `per`, or the quantile; `None` if there is nothing to divide by.
    pub mean: Option<f64>,
    /// The standard deviation between visitors, of what a covariate did not adjust; `None` if `mean` is not per visitor, or of fewer than two.
    pub deviation: Option<f64>,
    /// Against the control; `None` for the control.
    pub comparison: Option<ComparisonResult>,
    /// What is believed of it among all variations; `None` if the plan is not Bayesian, or there are no figures.
    pub posterior: Option<PosteriorReport>,
}

/// What is believed of a variation among all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PosteriorReport {
    /// The probability that it is the best of all.
    pub probability_best: f64,
    /// The probability that it is better than the control; none of the control.
    pub chance_to_beat_control: Option<f64>,
    /// What is lost on average by taking it instead of the best, as a share of the control's mean: `0.002` is 0.2 %.
    pub expected_loss: Option<f64>,
    /// Whether all variations are known well enough, and the plan tolerates this loss; of primary metrics only.
    pub is_low_risk: bool,
}

/// A variation against the control.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ComparisonResult {
    /// The difference of the means, with the ends of its interval.
    pub difference: Option<[f64; 3]>,
    /// The relative difference, with the ends of its interval: `0.05` is 5 % more.
    pub lift: Option<[f64; 3]>,
    /// How sure these intervals are: `0.975` if one of two comparisons that are judged together is a discovery.
    pub interval_confidence: Option<f64>,
    /// What is decided.
    pub decided: ComparisonVerdict,
    /// The day on which the evidence first sufficed, or since which it is said of a guardrail.
    pub decided_on: Option<String>,
    /// The evidence of all days so far, adjusted for all comparisons of the primary metric; of other metrics, that of today.
    pub p_value: Option<f64>,
    /// Why there is no figure.
    #[serde(serialize_with = "code")]
    pub reason: Option<NoFigure>,
    /// What was known at the end of each day, earliest first.
    pub series: Vec<DayComparison>,
}

impl ComparisonResult {
    /// The same of a metric of which figures are shown and nothing is decided.
    pub(super) fn not_judged(self) -> Self {
        Self { decided: ComparisonVerdict::NotJudged, decided_on: None, ..self }
    }
}

/// A variation against the control, by all that had happened at the end of a day.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DayComparison {
    /// The day, in UTC.
    pub day: String,
    /// The visitors so far, of the control and of the variation.
    pub visitors: [u64; 2],
    /// The relative difference, with the ends of its interval as it was shown on that day.
    pub lift: Option<[f64; 3]>,
    /// How sure that interval is.
    pub interval_confidence: Option<f64>,
    /// Why there is no figure.
    #[serde(serialize_with = "code")]
    pub reason: Option<NoFigure>,
}

/// The figures of parts of the visitors. They are no verdicts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentsReport {
    /// What visitors are split by.
    pub by: SegmentBy,
    /// How to read them, in a few sentences.
    pub text: String,
    /// Each segment that has visitors; together they are all visitors.
    pub segments: Vec<SegmentReport>,
}

/// The figures of the visitors of a segment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentReport {
    /// In a word: `safari`, or `unknown`.
    pub segment: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its visitors, by variation.
    pub visitors: Vec<u64>,
    /// The figures of each metric, in the order of those of all visitors.
    pub metrics: Vec<SegmentMetric>,
}

/// The figures of a metric and a segment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentMetric {
    /// The id of the document's metric; none of an event without a metric.
    pub id: Option<String>,
    /// The metric's name, as long as it has one.
    pub name: Option<String>,
    /// The key of its event.
    pub event: String,
    /// What of it counts.
    pub kind: MetricKind,
    /// Of each variation, the control first.
    pub variations: Vec<SegmentVariation>,
}

/// The figures of a metric, a segment and a variation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentVariation {
    /// The variation's id.
    pub variation_id: String,
    /// Its name, which another variation may have, too.
    pub variation: String,
    /// Its visitors.
    pub visitors: u64,
    /// How many converted, or the sum.
    pub total: f64,
    /// What a mean or a ratio divides it by.
    pub per: Option<f64>,
    /// Per visitor, or by `per`, or the quantile; `None` if there is nothing to divide by.
    pub mean: Option<f64>,
    /// Against the control; `None` for the control.
    pub comparison: Option<SegmentComparison>,
}

/// A variation against the control, within a segment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SegmentComparison {
    /// The difference of the means, with the ends of its interval.
    pub difference: Option<[f64; 3]>,
    /// The relative difference, with the ends of its interval.
    pub lift: Option<[f64; 3]>,
    /// How sure these intervals are.
    pub interval_confidence: Option<f64>,
    /// Why there is no figure.
    #[serde(serialize_with = "code")]
    pub reason: Option<NoFigure>,
}
