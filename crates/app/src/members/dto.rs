//! Members as programs see them.

use domain::ProjectId;
use oauth::Moment;
use serde_json::Value;
use storage::{MemberLine, Role, RoleGrant};

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
    }
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
