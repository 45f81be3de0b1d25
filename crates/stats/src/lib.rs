//! The statistics of results, pure: from sums over visitors to intervals, verdicts and plans.
//!
//! A store adds up [`Moments`], [`Conversions`] or [`PairMoments`] per variation; each kind of
//! metric makes a [`Sample`] of them, and every method works on samples. Start with [`Comparison`],
//! which is what a results page shows of one metric and one variation; then
//! [`ConfidenceSequence`], the default method. docs/statistics.md says which method says what.

mod bayesian_rule;
mod beta_posterior;
mod comparison;
mod confidence_sequence;
mod cuped;
mod difference;
mod epochs;
mod fieller;
mod fixed_horizon;
mod gaussian_posterior;
mod guardrail;
mod hybrid;
mod interval;
mod level;
mod mixture_test;
mod moments;
mod multiple_testing;
mod no_figure;
mod outlook;
mod plan;
mod posterior;
mod quantile;
mod ratio;
mod sample;
mod scatter;
pub mod special;
mod srm;
pub mod two_rates;
mod verdict;

pub use bayesian_rule::{BayesianRule, Judgement};
pub use beta_posterior::{BetaComparison, BetaPosteriors};
pub use comparison::{Comparison, Figures, Look, Method};
pub use confidence_sequence::{ConfidenceSequence, TunedFor};
pub use cuped::Cuped;
pub use difference::Difference;
pub use epochs::{Epoch, PooledSamples, pool_epochs};
pub use fieller::Lift;
pub use fixed_horizon::Test;
pub use gaussian_posterior::{GaussianPosterior, Prior};
pub use guardrail::{GuardrailVerdict, Margin, judge_guardrail};
pub use hybrid::{Hybrid, PlannedVisitors, Stage};
pub use interval::Interval;
pub use level::{Alpha, PValue, Power};
pub use mixture_test::MixtureTest;
pub use moments::{Conversions, Moments, PairMoments, WholeSums};
pub use multiple_testing::Correction;
pub use no_figure::NoFigure;
pub use outlook::Outlook;
pub use plan::{Plan, Split, Target};
pub use posterior::{Effect, LIFT_DEVIATION, Posterior, credible_multiplier, samples_of_looks};
pub use quantile::QuantileEstimate;
pub use ratio::ratio_sample;
pub use sample::Sample;
pub use srm::{ChiSquaredTest, SRM_ALARM_LEVEL, SampleRatioTest};
pub use verdict::{Candidate, Decision, Direction, Verdict, decide, discovery_share};
