//! Members: the people who use the console, and whom programs act for.

mod add;
mod change_password;
mod email;
mod lost;

pub use add::{AddMemberError, AddedMember, add_member};
pub use change_password::{ChangePassword, ChangePasswordError, change_password};
pub(crate) use email::EmailAddress;
pub use lost::{LostError, remove_passkeys, reset_password};
