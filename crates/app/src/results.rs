//! Results: what the variations of an experiment did to visitors, from exposures and events that came to this server or were
//! measured elsewhere.

mod campaign;
mod comparisons;
mod csv;
mod day_sums;
mod find;
mod health;
mod length;
mod measured;
mod metrics;
mod report;
mod verdict;

pub use campaign::{CampaignResultsError, ResultsCache, campaign_results};
pub use csv::results_csv;
pub use find::{ResultsError, find_results};
pub use length::{ExperimentLength, LengthQuestion, MethodLength, experiment_length};
pub use measured::Measured;
pub use report::{
    ArmResult, CampaignResults, ComparisonResult, DayComparison, DayVisitors, ExperimentResults,
    HealthReport, MetricKind, MetricResult, Results, SampleRatio, VariationShare, VerdictCode,
    VerdictReport,
};
