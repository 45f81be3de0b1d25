//! Classical comparisons of two rates for one look, as a second source and for small samples.
//!
//! Results do not use them; they agree with what other tools print of the same counts.

mod difference_interval;
mod exact_test;
mod rate_interval;
mod ratio_interval;
mod sample_size;
mod score;
mod tests_of_equality;

pub use difference_interval::DifferenceInterval;
pub use exact_test::fisher_exact;
pub use rate_interval::wilson_interval;
pub use ratio_interval::RatioInterval;
pub use sample_size::arcsine_visitors;
pub use tests_of_equality::{pooled_z_test, table_chi_squared};
