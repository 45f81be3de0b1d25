//! Access tokens, which a program sends with each request.

mod check_bearer;
mod end_everything;

pub use check_bearer::{CheckBearerError, check_bearer};
pub use end_everything::end_everything;
