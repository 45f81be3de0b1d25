//! Results: what the variations of an experiment did to visitors, from exposures and events that came to this server or were
//! measured elsewhere.

mod arrivals;
mod assigned_visitors;
mod bayesian;
mod campaign;
mod comparisons;
mod counting;
mod csv;
mod dataset;
mod day_sums;
mod experiment_history;
mod figures;
mod find;
mod gatherers;
mod guardrail;
mod health;
mod interner;
mod length;
mod links;
mod lost_events;
mod metrics;
mod packed_events;
mod packed_exposures;
mod plan;
mod report;
mod samples;
mod segment_by;
mod segments;
mod setting;
mod suspect_segments;
mod suspects;
mod tally;
mod text;
mod variations;
mod verdict;
mod visitor_counts;
mod weights;

pub use campaign::{CampaignResultsError, ResultsCache, ResultsQuestion, campaign_results};
pub(crate) use campaign::{Freshness, answer};
pub use csv::results_csv;
pub use dataset::Dataset;
pub use find::{ResultsError, find_each, find_results};
pub use length::{
    ExperimentLength, LengthQuestion, MethodLength, PlannedVariations, Today, experiment_length,
};
pub use links::{
    MadeResultsLink, MakeResultsLinkError, ResultsLinkDto, ResultsLinkRequest, SHARED_RESULTS_PATH,
    SharedResultsError, list_results_links, make_results_link, revoke_results_link, shared_results,
};
pub use report::{
    CampaignResults, ComparisonResult, ComparisonVerdict, DayComparison, DayVisitors,
    EarlierExperiment, EpochReport, ExperimentResults, HealthReport, IntervalMethod,
    JudgedTogether, KnownForPlan, MetricKind, MetricResult, MetricRole, NoResults, OddVisitors,
    PlanReport, PosteriorReport, Results, SampleRatio, SampleSize, SegmentComparison,
    SegmentMetric, SegmentReport, SegmentVariation, SegmentsReport, SilentMetric, Suspect,
    SuspectPage, VariationResult, VariationShare, VerdictCode, VerdictReport,
};
pub use segment_by::SegmentBy;
pub use text::{campaign_text, results_text};
