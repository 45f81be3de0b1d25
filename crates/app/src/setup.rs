//! The first start: a server without members belongs to the person who has its set-up token, which `assay serve` prints. Its owner starts
//! further projects in the same way.

mod fault;
mod first_project;
mod set_up;
mod start_project;
mod token;

pub use fault::{SetUpFault, SetUpField};
pub use first_project::FirstProject;
pub use set_up::{ProjectError, SetUp, SetUpDone, SetUpError, set_up};
pub use start_project::{StartProjectError, start_project};
pub(crate) use token::SET_UP_FAILURES;
pub use token::{SetUpTokenError, check_setup_token, needs_project, needs_setup, setup_token};
