//! Members: the people who use the console, and for whom programs act.

mod add;
mod change_roles;
mod dto;
mod email;
mod holder;
mod list;
mod lost;
mod passkeys;
mod request;
mod sight;
mod voucher;

pub use add::{AddMemberError, AddedMember, add_member};
pub(crate) use change_roles::fault_of_project;
pub use change_roles::{ChangeRolesError, change_roles, remove_member};
pub use dto::{MemberDto, RoleDto, member_json, roles, voucher_in_words};
pub(crate) use email::EmailAddress;
pub(crate) use holder::AddressCache;
pub use holder::{TokenHolder, token_holder};
pub use list::{all_members, count_members, find_member, find_member_by_email, list_members};
pub use lost::{LostError, remove_passkeys, reset_password};
pub use passkeys::ListedPasskey;
pub(crate) use passkeys::passkeys_of;
pub use request::{
    MEMBER_BYTES_AT_MOST, MemberAction, MemberActionRequest, MemberPatch, MemberRequest,
    RoleRequest,
};
pub(crate) use sight::Sight;
pub use voucher::Unproved;
