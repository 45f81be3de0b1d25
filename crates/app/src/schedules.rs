//! Schedules: start and stop campaigns at set moments.

mod run_due;

pub use run_due::{Ran, next_moment, run_due};
