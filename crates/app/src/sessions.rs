//! Sessions: a browser in which a member is signed in.

mod authenticate;
mod sign_in;
mod sign_out;

pub use authenticate::{SignedIn, authenticate};
pub use sign_in::{SignIn, SignInError, StartedSession, sign_in};
pub use sign_out::sign_out;
