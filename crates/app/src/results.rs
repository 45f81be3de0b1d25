//! Results: what the variations of an experiment did to visitors, from exposures and events that were measured anywhere.

mod comparisons;
mod day_sums;
mod find;
mod health;
mod metrics;
mod report;
mod verdict;

pub use find::{Measured, ResultsError, find_results};
pub use report::{
    ArmResult, ComparisonResult, HealthReport, MetricKind, MetricResult, Results, SampleRatio,
    VariationShare, VerdictCode, VerdictReport,
};
