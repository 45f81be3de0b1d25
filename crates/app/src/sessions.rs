//! Sessions: the browsers in which a member is signed in.

mod authenticate;
mod browser_words;
mod change_password;
mod choose_password;
mod end;
mod forgotten_password;
mod known_device;
mod list;
mod sign_in;
mod sign_in_throttle;
mod sign_out;
mod start;

pub use authenticate::{SignedIn, authenticate};
pub(crate) use browser_words::browser_words;
pub use change_password::{ChangePassword, ChangePasswordError, change_password};
pub(crate) use change_password::{ProveError, prove};
pub use choose_password::{ChoosePassword, ChoosePasswordError, PasswordDue, choose_password};
pub use end::{end_other_sessions, end_session};
pub(crate) use forgotten_password::ForgottenThrottle;
pub use forgotten_password::{
    ChooseForgotten, ChooseForgottenError, FORGOTTEN_CHOICE_PATH, choose_forgotten, find_forgotten,
    forget_password,
};
pub use list::{OpenSession, list_sessions};
pub use sign_in::{SignIn, SignInError, SignedInWith, sign_in};
pub(crate) use sign_in_throttle::SignInThrottle;
pub use sign_out::sign_out;
pub use start::{SigningBrowser, StartedSession};
pub(crate) use start::{start, start_by_identity};
