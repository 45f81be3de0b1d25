//! Schedules: start and stop campaigns at set moments.

mod list;
mod run_due;

pub use list::{PlannedMoment, PlannedState, list_planned_moments};
pub use run_due::{Ran, SteadyTime, next_moment, run_due};
