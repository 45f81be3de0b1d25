//! Members as programs see them.

use domain::ProjectId;
use oauth::Moment;
use serde_json::Value;
use storage::{MemberLine, Role, RoleGrant, Voucher};

use crate::dto;
use crate::dto::json_of;

dto! {
    /// A role in a place.
    pub struct RoleDto: "role" {
        /// The role.
        role: Role,
        /// The id of the project in which the member has the role; null for the whole server.
        project: Option<ProjectId>,
        /// Whether the member may write custom code.
        code: bool,
    }

    /// A member.
    pub struct MemberDto: "member" {
        /// The member's id.
        id: String,
        /// The member's email address.
        email: String,
        /// When the member was added.
        added_at: String where {"format": "date-time"},
        /// The member's roles.
        grants: Vec<RoleDto>,
        /// The address of the member who alone vouches for this one: they handed over the link of the invitation or the temporary password, and
        /// nothing has proved the e-mail address. `a removed member` if they are none any more. Null if the address is proved, an operator
        /// vouches for it, or the caller does not see all members.
        vouched_by: Option<String>,
    }
}

/// How a member is called who vouches for another and is none any more.
const REMOVED: &str = "a removed member";

/// Who this is, in words.
#[must_use]
pub fn voucher_in_words(voucher: &Voucher) -> String {
    voucher.email.clone().unwrap_or_else(|| REMOVED.to_owned())
}

impl From<&RoleGrant> for RoleDto {
    fn from(grant: &RoleGrant) -> Self {
        Self { role: grant.role, project: grant.project, code: grant.is_code_allowed }
    }
}

impl From<&MemberLine> for MemberDto {
    fn from(member: &MemberLine) -> Self {
        Self {
            id: member.id.to_string(),
            email: member.email.clone(),
            added_at: Moment::from(member.added_at).machine(),
            grants: roles(&member.roles),
            vouched_by: member.vouched_by.as_ref().map(voucher_in_words),
        }
    }
}

/// Roles as programs see them.
#[must_use]
pub fn roles(grants: &[RoleGrant]) -> Vec<RoleDto> {
    grants.iter().map(RoleDto::from).collect()
}

/// A member as a JSON object, always with the same fields.
#[must_use]
pub fn member_json(member: &MemberLine) -> Value {
    json_of(&MemberDto::from(member))
}
