//! Connected applications: what a member allowed, as they see it, and how they end it.

mod disconnect;
mod list;
mod of_member;

pub use disconnect::disconnect;
pub use list::{ConnectedApplication, list_connected_applications};
pub use of_member::{disconnect_from_member, list_applications_of_member};
