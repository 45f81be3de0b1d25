//! Access tokens: what a program shows with each request.

mod check_bearer;

pub use check_bearer::{CheckBearerError, check_bearer};
