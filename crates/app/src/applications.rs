//! Applications: the OAuth clients that act for members. Their rules are in `oauth::client`.

mod add;
mod declare;
mod description;

pub use add::{AddApplicationError, AddedApplication, NewApplication, add_application};
pub use declare::{DeclareApplicationError, DeclaredApplication, declare_application};
pub use description::ApplicationFault;
