//! Members: the people who use the console, and whom programs act for.

mod add;
mod email;

pub use add::{AddMemberError, AddedMember, add_member};
pub(crate) use email::EmailAddress;
