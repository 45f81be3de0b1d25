//! What members may do. A token allows no more than its scope, and no more than its member's roles: each request checks both.

mod actor;
mod author;
mod matrix;
mod require;
mod rights;

pub use actor::{ActingApplication, ActingMember, Actor};
pub(crate) use author::Author;
pub use matrix::{Allowed, MatrixRow, role_matrix};
pub use require::{RoleError, require, rights_of};
pub use rights::{NeededRole, Permission, Rights};
