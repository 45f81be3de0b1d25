//! Decisions: what a visitor gets and why, computed without a browser. For the command line, programs and the console alike.

mod in_turn;
mod known_names;
mod live_decider;
mod outcome;
mod prepared_project;
mod trial;
mod trial_request;
mod used_audiences;
mod visit_dto;
mod visit_request;
mod visit_text;

pub use in_turn::{DecideError, decide_in_turn};
pub use known_names::{KnownExperiment, KnownNames, KnownPage, Named};
pub use live_decider::{DeciderCache, live_decider};
pub use outcome::{Outcome, outcome_sentence};
pub use prepared_project::PreparedProject;
pub use trial::{TRIED_ADDRESSES_AT_MOST, TrialError, TriedAddress, try_audience, try_page};
pub use trial_request::{
    AudienceTrialDto, AudienceTrialRequest, PageTrialDto, PageTrialRequest, TriedAddressDto,
    answer_audience_trial, answer_page_trial,
};
pub use visit_dto::VisitDto;
pub use visit_request::VisitRequest;
pub use visit_text::{VISIT_BYTES_AT_MOST, VisitText};
