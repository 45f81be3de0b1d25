//! Sessions: a browser in which a member is signed in.

mod authenticate;
mod browser_words;
mod end;
mod list;
mod sign_in;
mod sign_out;

pub use authenticate::{SignedIn, authenticate};
pub use end::{end_other_sessions, end_session};
pub use list::{OpenSession, list_sessions};
pub use sign_in::{SignIn, SignInError, StartedSession, sign_in};
pub use sign_out::sign_out;
