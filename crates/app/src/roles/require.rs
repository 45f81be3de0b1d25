//! Checks a member's rights. Each request asks again: roles change at any time, and tokens do not follow.

use domain::ProjectId;
use oauth::Scope;
use storage::{MemberId, Role, RoleGrant, StorageError};
use thiserror::Error;

use crate::App;
use crate::roles::rights::{NeededRole, Permission, Rights};

/// Why a member may not do something.
#[derive(Debug, Error)]
pub enum RoleError {
    /// Their role is not enough.
    #[error("{}", refusal(*.needed, *.has))]
    Insufficient {
        /// The required role.
        needed: NeededRole,
        /// The member's role there.
        has: Option<Role>,
    },
    /// The application's token lacks the scope.
    #[error("the access token does not allow this: it needs the scope `{0}`")]
    Scope(Scope),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Checks that a member has a permission in a project; `None` is what belongs to no project.
///
/// # Errors
/// See [`RoleError`].
pub async fn require(
    app: &App,
    member: MemberId,
    project: Option<ProjectId>,
    permission: Permission,
) -> Result<(), RoleError> {
    rights_of(app, member).await?.require(project, permission)
}

/// The rights of a member.
///
/// # Errors
/// When the store does not answer.
pub async fn rights_of(app: &App, member: MemberId) -> Result<Rights, StorageError> {
    Ok(Rights::from(app.store().find_roles(member, app.now()).await?))
}

impl Rights {
    /// The same as [`require`], for known rights.
    ///
    /// # Errors
    /// [`RoleError::Insufficient`].
    pub fn require(
        &self,
        project: Option<ProjectId>,
        permission: Permission,
    ) -> Result<(), RoleError> {
        if self.include(project, permission) {
            return Ok(());
        }
        let needed = permission.needed_role();
        let project = project.filter(|_| !needed.is_for_whole_server);
        Err(RoleError::Insufficient { needed, has: self.role(project) })
    }
}

impl Rights {
    /// Checks that these rights allow giving and taking this role.
    pub(crate) fn require_decision(&self, grant: &RoleGrant) -> Result<(), RoleError> {
        if self.decide_about(grant) {
            return Ok(());
        }
        let needed = NeededRole {
            role: grant.role.max(Role::Admin),
            is_with_code: false,
            is_for_whole_server: grant.project.is_none(),
        };
        Err(RoleError::Insufficient { needed, has: self.role(grant.project) })
    }

    /// Checks that these rights allow managing at least some members.
    ///
    /// # Errors
    /// [`RoleError::Insufficient`].
    pub fn require_some_members(&self) -> Result<(), RoleError> {
        if self.decide_about_members() {
            return Ok(());
        }
        let needed = Permission::ManageMembers.needed_role();
        Err(RoleError::Insufficient { needed, has: self.role(None) })
    }
}

fn refusal(needed: NeededRole, has: Option<Role>) -> String {
    let role = needed.role.as_str();
    let place = if needed.is_for_whole_server { " for the whole server" } else { "" };
    let code = if needed.is_with_code { ", and the right to write custom code" } else { "" };
    let has = has.map_or("has none".to_owned(), |has| format!("is `{}`", has.as_str()));
    format!("this needs the role `{role}`{place} or a higher one{code}; the member {has}")
}
