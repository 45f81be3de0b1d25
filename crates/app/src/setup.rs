//! The first start: a server without members belongs to the person who has its set-up token, which `assay serve` prints.

mod first_project;
mod set_up;
mod token;

pub use first_project::FirstProject;
pub use set_up::{SetUp, SetUpDone, SetUpError, SetUpFault, SetUpField, set_up};
pub(crate) use token::SET_UP_FAILURES;
pub use token::{SetUpTokenError, check_setup_token, needs_project, needs_setup, setup_token};
