//! Requests of programs about members.

use domain::{Fault, Pointer, ProjectId};
use serde_json::Value;
use storage::{Role, RoleGrant};

use crate::described::{Described, OptionalField};
use crate::request::{At, Faults, Readable};
use crate::{request, words_of_request};

/// Enough for an address and some hundred roles.
pub const MEMBER_BYTES_AT_MOST: usize = 128 * 1024;

/// With more roles than this, a role for the whole server is meant.
const ROLES_AT_MOST: usize = 1_000;

const ACTIONS: [(&str, MemberAction); 2] = [
    ("reset_password", MemberAction::ResetPassword),
    ("remove_passkeys", MemberAction::RemovePasskeys),
];

request! {
    /// A member to add.
    pub struct MemberRequest: "member_to_add" {
        /// The person's email address.
        email: String,
        /// The role.
        role: Role,
        /// The id of the project in which the member has the role; null for the whole server.
        project: Option<ProjectId>,
        /// Whether the member may write custom code.
        code: OptionalField<bool>,
    }

    /// A role to give to a member.
    pub struct RoleRequest: "role_to_give" {
        /// The role.
        role: Role,
        /// The id of the project in which the member has the role; null for the whole server.
        project: Option<ProjectId>,
        /// Whether the member may write custom code.
        code: OptionalField<bool>,
    }

    /// A merge patch (RFC 7396) of a member.
    pub struct MemberPatch: "member_patch" {
        /// All roles that the member has from now on.
        grants: OptionalField<Vec<RoleRequest>>,
    }

    /// An action on a member.
    pub struct MemberActionRequest: "member_action" {
        /// The action.
        action: MemberAction,
    }
}

/// Actions on a member, other than changes to their roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberAction {
    /// They get a new password.
    ResetPassword,
    /// Their passkeys are removed.
    RemovePasskeys,
}

impl RoleRequest {
    /// The role, with the rights it implies.
    #[must_use]
    pub fn grant(&self) -> RoleGrant {
        grant(self.role, self.project, self.code)
    }
}

impl MemberRequest {
    /// The role, with the rights it implies.
    #[must_use]
    pub fn grant(&self) -> RoleGrant {
        grant(self.role, self.project, self.code)
    }
}

impl MemberPatch {
    /// The roles in order, with the rights they imply. `None` keeps the current ones.
    ///
    /// # Errors
    /// If they are too many, or two are for the same place.
    pub fn grants(self) -> Result<Option<Vec<RoleGrant>>, Vec<Fault>> {
        let OptionalField(Some(sent)) = self.grants else { return Ok(None) };
        let mut grants: Vec<RoleGrant> = sent.iter().map(RoleRequest::grant).collect();
        let mut faults = Faults::default();
        check_all(&grants, &mut faults);
        grants.sort_unstable();
        faults.or(Some(Some(grants)))
    }
}

fn grant(
    role: Role,
    project: Option<ProjectId>,
    OptionalField(code): OptionalField<bool>,
) -> RoleGrant {
    let is_code_allowed = code.unwrap_or_default() || role >= Role::Admin;
    RoleGrant { project, role, is_code_allowed }
}

fn check_all(roles: &[RoleGrant], faults: &mut Faults) {
    let place = Pointer::root().field("grants");
    if roles.len() > ROLES_AT_MOST {
        let message = format!("more than {ROLES_AT_MOST} roles");
        faults.push(Fault::error("list_too_long", place.clone(), message));
    }
    let mut places = std::collections::HashSet::new();
    for (index, grant) in roles.iter().enumerate() {
        if !places.insert(grant.project) {
            let message = match grant.project {
                Some(project) => format!("a second role in project {project}"),
                None => "a second role for the whole server".to_owned(),
            };
            let fault = Fault::error("role_twice", place.element(index), message);
            faults.push(fault.hint("a member has one role in each place; keep the higher one"));
        }
    }
}

words_of_request!(Role, Role::ALL.map(|role| (role.as_str(), role)));
words_of_request!(MemberAction, ACTIONS);

impl Described for ProjectId {
    fn schema() -> Value {
        String::schema()
    }
}

impl Readable for ProjectId {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        at.read_as("the id of a project, as a text", |value| value.as_str()?.parse().ok(), faults)
    }
}

#[cfg(test)]
mod tests {
    use super::{MemberActionRequest, MemberPatch, MemberRequest};
    use crate::request::Request as _;

    fn messages(faults: &[domain::Fault]) -> Vec<String> {
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_role_comes_with_what_it_implies() {
        let read = |text| MemberRequest::parse(text).unwrap().grant();

        let admin = read(r#"{"email": "a@b", "role": "admin"}"#);
        assert!(admin.is_code_allowed && admin.project.is_none());
        let editor = read(r#"{"email": "a@b", "role": "editor", "project": "7", "code": true}"#);
        assert!(editor.is_code_allowed && editor.project == "7".parse().ok());
        assert!(!read(r#"{"email": "a@b", "role": "editor", "project": null}"#).is_code_allowed);
    }

    #[test]
    fn everything_that_is_wrong_is_told_with_its_place() {
        let text = r#"{"mail": "a@b", "role": "editr", "code": 1, "role": "editor"}"#;
        assert_eq!(
            messages(&MemberRequest::parse(text).unwrap_err()),
            [
                "body:1:45: error: role: the field is there twice",
                "error: mail: unknown field `mail`, expected one of `email`, `role`, `project`, \
                 `code`\n  hint: did you mean `email`?",
                "error: the field `email` is missing",
                "error: role: `editr` is not known here, expected one of `viewer`, `analyst`, \
                 `editor`, `publisher`, `admin`, `owner`\n  hint: did you mean `editor`?",
                "error: code: this is a number, expected `true` or `false`",
            ]
        );
        let patch = r#"{"grants": [{"role": "viewer"}, {"role": "editor"}]}"#;
        assert_eq!(MemberPatch::parse(patch).unwrap().grants().unwrap_err().len(), 1);
        for text in ["", "[]", r#"{"grants": null}"#, r#"{"grants": {}}"#, r#"{"id": "7"}"#] {
            assert!(MemberPatch::parse(text).is_err(), "{text}");
        }
        assert!(MemberActionRequest::parse(r#"{"action": "reset"}"#).is_err());
    }

    #[test]
    fn grants_that_a_patch_leaves_out_stay() {
        let read = |text| MemberPatch::parse(text).unwrap().grants();
        assert_eq!(read("{}"), Ok(None));
        assert_eq!(read(r#"{"grants": []}"#), Ok(Some(Vec::new())));
    }
}
