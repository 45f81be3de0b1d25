//! Connected applications: what a member allowed, as they see it, and how they end it.

mod disconnect;
mod list;

pub use disconnect::disconnect;
pub use list::{ConnectedApplication, list_connected_applications};
