//! Results: what the variations of an experiment did to visitors, from exposures and events that were measured anywhere.

mod comparisons;
mod csv;
mod day_sums;
mod find;
mod health;
mod metrics;
mod report;
mod verdict;

pub use csv::results_csv;
pub use find::{Measured, ResultsError, find_results};
pub use report::{
    ArmResult, ComparisonResult, DayComparison, DayVisitors, HealthReport, MetricKind,
    MetricResult, Results, SampleRatio, VariationShare, VerdictCode, VerdictReport,
};
