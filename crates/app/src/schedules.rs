//! Campaigns that start and stop by themselves, at the moments that their schedules say.

mod moments;
mod run_due;

pub(crate) use moments::{apply_done, moments_of, with_done};
pub use run_due::{Ran, next_moment, run_due};
