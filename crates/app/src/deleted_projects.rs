//! The end of a project: an owner of the server deletes it for good.

mod delete;

pub use delete::{DeleteProjectError, delete_project};
