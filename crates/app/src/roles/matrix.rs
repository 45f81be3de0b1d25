//! What each role allows, as a table for people. The rules of `rights.rs` fill it in.

use std::sync::Arc;

use domain::ProjectId;
use oauth::Scope;
use storage::{Role, RoleGrant};

use crate::roles::rights::{Permission, Rights};

/// A line of the table: something that not every member may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixRow {
    /// What it is, as the rest of "A member may …".
    pub words: &'static str,
    /// Whether the role must be for the whole server.
    pub is_for_whole_server: bool,
    /// Whether each role of [`Role::ALL`] allows it.
    pub allowed: [Allowed; Role::ALL.len()],
}

/// Whether a role allows something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// It does.
    Yes,
    /// It does together with the right to write custom code.
    WithCode,
    /// It does not.
    No,
}

/// The table, in the order of the roles that allow it.
///
/// # Panics
/// Never: 1 is the id of a project.
#[must_use]
pub fn role_matrix() -> Vec<MatrixRow> {
    let here = ProjectId::new(1).expect("1 is the id of a project");
    let of = |permission: Permission| {
        let is_for_whole_server = permission.needed_role().is_for_whole_server;
        let include = |rights: &Rights| rights.include(Some(here), permission);
        MatrixRow { is_for_whole_server, ..row(permission.words(), include) }
    };
    let owner = RoleGrant { project: Some(here), ..RoleGrant::OWNER };
    vec![
        of(Permission::ReadConfiguration),
        row("read results", |rights| rights.make_use_of(Scope::ResultsRead)),
        of(Permission::SendEvents),
        of(Permission::WriteDraft),
        of(Permission::WriteCode),
        of(Permission::Publish),
        of(Permission::ManageMembers),
        of(Permission::ReadVisitors),
        of(Permission::ForgetVisitors),
        row("give and withdraw the role owner", |rights| rights.decide_about(&owner)),
        of(Permission::ManageApplications),
        of(Permission::ReadAudit),
        of(Permission::CreateProjects),
        of(Permission::DeleteProjects),
    ]
}

fn row(words: &'static str, include: impl Fn(&Rights) -> bool) -> MatrixRow {
    let allowed = Role::ALL.map(|role| {
        let with = |is_code_allowed| {
            let grant = RoleGrant { project: None, role, is_code_allowed };
            include(&Rights::from(Arc::from([grant])))
        };
        match (with(false), with(true)) {
            (true, _) => Allowed::Yes,
            (false, true) => Allowed::WithCode,
            (false, false) => Allowed::No,
        }
    });
    MatrixRow { words, is_for_whole_server: false, allowed }
}

#[cfg(test)]
mod tests {
    use super::{Allowed, role_matrix};
    use crate::roles::Permission;

    #[test]
    fn the_table_has_every_permission_and_says_what_the_rules_say() {
        let rows = role_matrix();

        for permission in Permission::ALL {
            assert!(rows.iter().any(|row| row.words == permission.words()), "{permission:?}");
        }
        let mark = |allowed: &Allowed| match allowed {
            Allowed::Yes => 'y',
            Allowed::WithCode => 'c',
            Allowed::No => '-',
        };
        let told: Vec<String> =
            rows.iter().map(|row| row.allowed.iter().map(mark).collect()).collect();
        assert_eq!(
            told,
            [
                "yyyyyy", "-yyyyy", "--yyyy", "--yyyy", "--ccyy", "---yyy", "----yy", "----yy",
                "----yy", "-----y", "----yy", "----yy", "-----y", "-----y",
            ]
        );
    }
}
