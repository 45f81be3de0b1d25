//! What programs write about members, and how they read it.

use domain::{Fault, Pointer};
use oauth::Moment;
use serde_json::{Value, json};
use storage::{MemberLine, Role, RoleGrant};

use crate::fields::Fields;

/// An address and some hundred roles need no more.
pub const MEMBER_BYTES_AT_MOST: usize = 128 * 1024;

/// Beyond this a role for the whole server is what is meant.
const ROLES_AT_MOST: usize = 1_000;

const ROLE_FIELDS: [&str; 3] = ["role", "project", "code"];

/// Somebody who is to become a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRequest {
    /// Their address.
    pub email: String,
    /// Their role.
    pub role: RoleGrant,
}

/// What can be done to a member beside changing their roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberAction {
    /// They get a new password.
    ResetPassword,
    /// Their passkeys go.
    RemovePasskeys,
}

impl MemberRequest {
    /// Reads `email`, `role` and perhaps `project` and `code`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(text: &str) -> Result<Self, Vec<Fault>> {
        let mut fields = Fields::read(text, &["email", "role", "project", "code"])?;
        let email = fields.text("email");
        let role = role(&mut fields);
        fields.finish(Self { email, role })
    }
}

impl MemberAction {
    /// Reads `action`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, Vec<Fault>> {
        let actions =
            [("reset_password", Self::ResetPassword), ("remove_passkeys", Self::RemovePasskeys)];
        let mut fields = Fields::read(text, &["action"])?;
        let action = fields.choice("action", &actions);
        fields.finish(action)
    }
}

/// Reads a merge patch (RFC 7396) of a member: all `grants` that they have from now on. `None` leaves them as they are.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_roles(text: &str) -> Result<Option<Vec<RoleGrant>>, Vec<Fault>> {
    let mut fields = Fields::read(text, &["grants"])?;
    let roles = fields.list("grants", |value, place| {
        let mut fields = Fields::of(value, place, &ROLE_FIELDS)?;
        let role = role(&mut fields);
        fields.finish(role)
    });
    let place = fields.at("grants");
    for fault in roles.iter().flat_map(|roles| faults_of_all(roles, &place)) {
        fields.wrong("grants", fault);
    }
    let in_order = |mut roles: Vec<RoleGrant>| {
        roles.sort_unstable();
        roles
    };
    fields.finish(roles.map(in_order))
}

fn faults_of_all(roles: &[RoleGrant], place: &Pointer) -> Vec<Fault> {
    let mut faults = Vec::new();
    if roles.len() > ROLES_AT_MOST {
        let message = format!("more than {ROLES_AT_MOST} roles");
        faults.push(Fault::error("too_many", place.clone(), message));
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
    faults
}

/// A role with its place. What a role implies goes with it.
fn role(fields: &mut Fields) -> RoleGrant {
    let role = fields.choice("role", &Role::ALL.map(|role| (role.as_str(), role)));
    let project = fields.may_have("project", "the id of a project, as a text", |value| {
        if value.is_null() { Some(None) } else { value.as_str()?.parse().ok().map(Some) }
    });
    let code = fields.may_have("code", "`true` or `false`", Value::as_bool);
    RoleGrant {
        project: project.flatten(),
        role,
        is_code_allowed: code.unwrap_or_default() || role >= Role::Admin,
    }
}

/// A member as a JSON object, always with the same fields.
#[must_use]
pub fn member_json(member: &MemberLine) -> Value {
    json!({
        "id": member.id.to_string(),
        "email": member.email,
        "added_at": Moment::from(member.added_at).machine(),
        "grants": grants_json(&member.roles),
    })
}

/// Roles as programs see them.
#[must_use]
pub fn grants_json(grants: &[RoleGrant]) -> Value {
    grants.iter().map(role_json).collect()
}

fn role_json(grant: &RoleGrant) -> Value {
    json!({
        "role": grant.role.as_str(),
        "project": grant.project.map(|project| project.to_string()),
        "code": grant.is_code_allowed,
    })
}

#[cfg(test)]
mod tests {
    use super::{MemberAction, MemberRequest, read_roles};

    fn told(faults: &[domain::Fault]) -> Vec<String> {
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_role_comes_with_what_it_implies() {
        let read = |text| MemberRequest::read(text).unwrap().role;

        let admin = read(r#"{"email": "a@b", "role": "admin"}"#);
        assert!(admin.is_code_allowed && admin.project.is_none());
        let editor = read(r#"{"email": "a@b", "role": "editor", "project": "7", "code": true}"#);
        assert!(editor.is_code_allowed && editor.project == "7".parse().ok());
        assert!(!read(r#"{"email": "a@b", "role": "editor", "project": null}"#).is_code_allowed);
    }

    #[test]
    fn everything_that_is_wrong_is_told_with_its_place() {
        let faults = MemberRequest::read(r#"{"mail": "a@b", "role": "editr", "code": 1}"#);
        assert_eq!(
            told(&faults.unwrap_err()),
            [
                "error: mail: unknown field `mail`\n  hint: did you mean `email`?",
                "error: email: this is missing",
                "error: role: unknown `editr`, expected `viewer`, `analyst`, `editor`, `publisher`, \
             `admin`, `owner`\n  hint: did you mean `editor`?",
                "error: code: this does not fit here, expected `true` or `false`",
            ]
        );
        let faults = read_roles(r#"{"grants": [{"role": "viewer"}, {"role": "editor"}, 1]}"#);
        assert_eq!(told(&faults.unwrap_err()).len(), 2);
        for text in ["", "[]", r#"{"grants": null}"#, r#"{"grants": {}}"#, r#"{"id": "7"}"#] {
            assert!(read_roles(text).is_err(), "{text}");
        }
        assert!(MemberAction::read(r#"{"action": "reset"}"#).is_err());
    }

    #[test]
    fn what_a_patch_does_not_name_stays() {
        assert_eq!(read_roles("{}"), Ok(None));
        assert_eq!(read_roles(r#"{"grants": []}"#), Ok(Some(Vec::new())));
    }
}
