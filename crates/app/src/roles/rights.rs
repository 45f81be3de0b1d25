//! The rules: what each role allows, and who may give which role to whom.

use std::sync::Arc;

use domain::ProjectId;
use oauth::Scope;
use storage::{Role, RoleGrant};

/// Something that not every member may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Read a project: what is live, its drafts, its revisions, and how it decides.
    ReadConfiguration,
    /// Read what visitors saw and did, and who won.
    ReadResults,
    /// Send events that the server trusts: those of pages need no right.
    SendEvents,
    /// Change a project's draft, and show it to others by preview links.
    WriteDraft,
    /// Write custom code and redirects in the draft.
    WriteCode,
    /// Publish a draft, start and pause campaigns, and set their schedules.
    Publish,
    /// Add and remove members, and set their roles.
    ManageMembers,
    /// Read all that is known of a single visitor.
    ReadVisitors,
    /// Delete what is known of visitors: of one of them, or of all.
    ForgetVisitors,
    /// Add, change and remove applications.
    ManageApplications,
    /// Read the audit log.
    ReadAudit,
    /// Create projects.
    CreateProjects,
    /// Delete projects for good.
    DeleteProjects,
}

/// The role that a permission needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeededRole {
    /// This role or a higher one.
    pub role: Role,
    /// Whether it must include custom code, which admins and owners always have.
    pub is_with_code: bool,
    /// Whether a role in a single project is not enough.
    pub is_for_whole_server: bool,
}

/// The rights of a member: all that any of their roles allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rights(Arc<[RoleGrant]>);

impl Permission {
    /// Every permission there is.
    pub const ALL: [Self; 13] = [
        Self::ReadConfiguration,
        Self::ReadResults,
        Self::SendEvents,
        Self::WriteDraft,
        Self::WriteCode,
        Self::Publish,
        Self::ManageMembers,
        Self::ReadVisitors,
        Self::ForgetVisitors,
        Self::ManageApplications,
        Self::ReadAudit,
        Self::CreateProjects,
        Self::DeleteProjects,
    ];

    /// The scope that an application's token needs for it.
    #[must_use]
    pub const fn needed_scope(self) -> Scope {
        match self {
            Self::ReadConfiguration => Scope::ConfigRead,
            Self::ReadResults | Self::ReadVisitors => Scope::ResultsRead,
            Self::SendEvents | Self::ForgetVisitors => Scope::EventsWrite,
            Self::WriteDraft | Self::WriteCode | Self::CreateProjects | Self::DeleteProjects => {
                Scope::ConfigWrite
            }
            Self::Publish => Scope::Publish,
            Self::ManageMembers | Self::ManageApplications => Scope::MembersWrite,
            Self::ReadAudit => Scope::AuditRead,
        }
    }

    /// What it is, as the rest of "A member may …".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::ReadConfiguration => "read a project, and explain its decisions",
            Self::ReadResults => "read results",
            Self::SendEvents => "send events from servers",
            Self::WriteDraft => "edit the draft, and make preview links",
            Self::WriteCode => "write custom code and redirects",
            Self::Publish => "publish, start, pause and schedule",
            Self::ManageMembers => "add and remove members, and give them roles up to their own",
            Self::ReadVisitors => "read what is known of a single visitor",
            Self::ForgetVisitors => "delete what is known of visitors",
            Self::ManageApplications => "manage applications",
            Self::ReadAudit => "read the audit log",
            Self::CreateProjects => "create projects",
            Self::DeleteProjects => "delete projects for good",
        }
    }

    /// The role that it needs.
    #[must_use]
    pub const fn needed_role(self) -> NeededRole {
        match self {
            Self::ReadConfiguration => NeededRole::in_project(Role::Viewer),
            Self::ReadResults => NeededRole::in_project(Role::Analyst),
            Self::SendEvents | Self::WriteDraft => NeededRole::in_project(Role::Editor),
            Self::WriteCode => {
                NeededRole { is_with_code: true, ..NeededRole::in_project(Role::Editor) }
            }
            Self::Publish => NeededRole::in_project(Role::Publisher),
            Self::ManageMembers | Self::ReadVisitors | Self::ForgetVisitors => {
                NeededRole::in_project(Role::Admin)
            }
            Self::ManageApplications | Self::ReadAudit => NeededRole::on_server(Role::Admin),
            Self::CreateProjects | Self::DeleteProjects => NeededRole::on_server(Role::Owner),
        }
    }
}

impl NeededRole {
    const fn in_project(role: Role) -> Self {
        Self { role, is_with_code: false, is_for_whole_server: false }
    }

    const fn on_server(role: Role) -> Self {
        Self { role, is_with_code: false, is_for_whole_server: true }
    }
}

impl From<Arc<[RoleGrant]>> for Rights {
    fn from(roles: Arc<[RoleGrant]>) -> Self {
        Self(roles)
    }
}

impl Rights {
    /// The roles that they come from.
    #[must_use]
    pub fn grants(&self) -> &[RoleGrant] {
        &self.0
    }

    /// The highest role that applies in a project, or to what belongs to none.
    #[must_use]
    pub fn role(&self, project: Option<ProjectId>) -> Option<Role> {
        self.counting(project).map(|grant| grant.role).max()
    }

    /// Whether custom code is allowed in a project.
    #[must_use]
    pub fn is_code_allowed(&self, project: Option<ProjectId>) -> bool {
        let is_implied = self.role(project) >= Some(Role::Admin);
        is_implied || self.counting(project).any(|grant| grant.is_code_allowed)
    }

    /// Whether these rights include a permission in a project; `None` is what belongs to no project.
    #[must_use]
    pub fn include(&self, project: Option<ProjectId>, permission: Permission) -> bool {
        let needed = permission.needed_role();
        let project = project.filter(|_| !needed.is_for_whole_server);
        self.role(project) >= Some(needed.role)
            && (!needed.is_with_code || self.is_code_allowed(project))
    }

    /// Whether a token with this scope allows anything with these rights.
    #[must_use]
    pub fn make_use_of(&self, scope: Scope) -> bool {
        let needed = match scope {
            Scope::ConfigRead => Permission::ReadConfiguration.needed_role(),
            Scope::ConfigWrite => Permission::WriteDraft.needed_role(),
            Scope::Publish => Permission::Publish.needed_role(),
            Scope::ResultsRead => Permission::ReadResults.needed_role(),
            Scope::EventsWrite => Permission::SendEvents.needed_role(),
            Scope::MembersWrite => Permission::ManageMembers.needed_role(),
            Scope::AuditRead => Permission::ReadAudit.needed_role(),
        };
        let counts = |grant: &RoleGrant| !needed.is_for_whole_server || grant.project.is_none();
        self.0.iter().any(|grant| grant.role >= needed.role && counts(grant))
    }

    /// Whether these rights allow managing at least some members.
    #[must_use]
    pub fn decide_about_members(&self) -> bool {
        self.0.iter().any(|grant| grant.role >= Role::Admin)
    }

    /// Whether these rights allow giving and taking this role. A member cannot give what they lack, nor take what is above them.
    #[must_use]
    pub fn decide_about(&self, grant: &RoleGrant) -> bool {
        self.include(grant.project, Permission::ManageMembers)
            && self.role(grant.project) >= Some(grant.role)
    }

    /// Roles for the whole server apply to every project.
    fn counting(&self, project: Option<ProjectId>) -> impl Iterator<Item = &RoleGrant> {
        let counts = move |grant: &&RoleGrant| grant.project.is_none() || grant.project == project;
        self.0.iter().filter(counts)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::ProjectId;
    use storage::{Role, RoleGrant};

    use super::{Permission, Rights};

    fn project(number: u64) -> Option<ProjectId> {
        ProjectId::new(number)
    }

    fn rights(roles: &[(Role, Option<ProjectId>, bool)]) -> Rights {
        let grant = |(role, project, is_code_allowed): &(Role, Option<ProjectId>, bool)| {
            RoleGrant { project: *project, role: *role, is_code_allowed: *is_code_allowed }
        };
        Rights::from(roles.iter().map(grant).collect::<Arc<[_]>>())
    }

    #[test]
    fn custom_code_takes_an_editor_and_the_right_to_write_it() {
        let writes = |rights: &Rights| {
            [project(1), project(2)].map(|place| rights.include(place, Permission::WriteCode))
        };

        let editor = (Role::Editor, project(1), false);
        assert_eq!(writes(&rights(&[editor])), [false, false]);
        assert_eq!(writes(&rights(&[(Role::Editor, project(1), true)])), [true, false]);
        assert_eq!(writes(&rights(&[(Role::Viewer, None, true)])), [false, false]);
        assert_eq!(writes(&rights(&[(Role::Viewer, None, true), editor])), [true, false]);
        assert_eq!(writes(&rights(&[(Role::Admin, None, false)])), [true, true]);
    }

    #[test]
    fn what_belongs_to_no_project_takes_a_role_for_the_whole_server() {
        let owner_of_one = rights(&[(Role::Owner, project(1), true)]);
        let owner = rights(&[(Role::Owner, None, true)]);

        for permission in [
            Permission::ManageApplications,
            Permission::ReadAudit,
            Permission::CreateProjects,
            Permission::DeleteProjects,
        ] {
            for place in [None, project(1)] {
                assert!(!owner_of_one.include(place, permission), "{permission:?}");
                assert!(owner.include(place, permission), "{permission:?}");
            }
        }
    }

    #[test]
    fn an_admin_cannot_decide_about_roles_above_their_own() {
        let admin = rights(&[(Role::Admin, project(1), true)]);
        let about = |role, place, code| {
            admin.decide_about(&RoleGrant { project: place, role, is_code_allowed: code })
        };

        assert!(about(Role::Admin, project(1), true) && about(Role::Viewer, project(1), false));
        assert!(!about(Role::Owner, project(1), true) && !about(Role::Viewer, project(2), false));
        assert!(!about(Role::Viewer, None, false));
        assert!(!rights(&[(Role::Publisher, None, true)]).decide_about_members());
    }
}
