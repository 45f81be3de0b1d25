//! Campaigns that start and stop by themselves, at the moments that their schedules say.

mod run_due;

pub use run_due::{Ran, next_moment, run_due};
