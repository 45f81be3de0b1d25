//! Connected applications: what a member allowed them, how the member sees it, and how the member ends it.

mod disconnect;
mod list;
mod of_member;

pub use disconnect::disconnect;
pub use list::{ConnectedApplication, list_connected_applications};
pub use of_member::{disconnect_from_member, list_applications_of_member};
