//! Decisions: what a visitor gets and why, told without a browser. For the command line, programs and the console alike.

mod known_names;
mod live_decider;
mod outcome;
mod prepared_project;
mod visit_text;
mod written_visit;

pub use known_names::{KnownExperiment, KnownNames, KnownPage, Named};
pub use live_decider::{DeciderShelf, live_decider};
pub use outcome::{Outcome, outcome_sentence};
pub use prepared_project::PreparedProject;
pub use visit_text::{VISIT_BYTES_AT_MOST, VisitText};
pub use written_visit::WrittenVisit;
