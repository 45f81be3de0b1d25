//! Each permission against each actor: the role in the place in question, the right to write code, and the token's scope.

use app::roles::{Actor, Permission, RoleError};
use domain::ProjectId;
use oauth::{Scope, ScopeSet};
use proptest::prelude::*;
use storage::{Role, RoleGrant};
use tokio::runtime::Runtime;

use crate::server::{Server, through_program};

const PROJECTS: [Option<u64>; 3] = [None, Some(1000), Some(2000)];

/// What a permission takes, as docs/members.md has it.
struct Row {
    permission: Permission,
    role: Role,
    takes_code: bool,
    is_of_server: bool,
    scope: Scope,
}

fn row(permission: Permission) -> Row {
    let (role, takes_code, is_of_server, scope) = match permission {
        Permission::ReadConfiguration => (Role::Viewer, false, false, Scope::ConfigRead),
        Permission::ReadResults => (Role::Analyst, false, false, Scope::ResultsRead),
        Permission::SendEvents => (Role::Editor, false, false, Scope::EventsWrite),
        Permission::WriteDraft => (Role::Editor, false, false, Scope::ConfigWrite),
        Permission::WriteCode => (Role::Editor, true, false, Scope::ConfigWrite),
        Permission::Publish => (Role::Publisher, false, false, Scope::Publish),
        Permission::ManageMembers => (Role::Admin, false, false, Scope::MembersWrite),
        Permission::ReadVisitors => (Role::Admin, false, false, Scope::ResultsRead),
        Permission::ForgetVisitors => (Role::Admin, false, false, Scope::EventsWrite),
        Permission::ManageApplications => (Role::Admin, false, true, Scope::MembersWrite),
        Permission::ReadAudit => (Role::Admin, false, true, Scope::AuditRead),
        Permission::CreateProjects | Permission::DeleteProjects => {
            (Role::Owner, false, true, Scope::ConfigWrite)
        }
    };
    Row { permission, role, takes_code, is_of_server, scope }
}

/// Whether these roles are enough, told without the rules that are tested.
fn is_enough(roles: &[RoleGrant], place: Option<ProjectId>, row: &Row) -> bool {
    let place = if row.is_of_server { None } else { place };
    let counting: Vec<_> =
        roles.iter().filter(|one| one.project.is_none() || one.project == place).collect();
    let may_write_code = counting.iter().any(|one| one.is_code_allowed || one.role >= Role::Admin);
    counting.iter().any(|one| one.role >= row.role) && (may_write_code || !row.takes_code)
}

fn project(number: Option<u64>) -> Option<ProjectId> {
    number.map(|number| ProjectId::new(number).unwrap())
}

/// At most one role in each place.
fn roles() -> impl Strategy<Value = Vec<RoleGrant>> {
    let role = prop::option::of((prop::sample::select(Role::ALL.to_vec()), any::<bool>()));
    [role.clone(), role.clone(), role].prop_map(|roles| {
        let placed = PROJECTS.into_iter().zip(roles);
        let grants = placed.filter_map(|(place, role)| {
            let (role, is_code_allowed) = role?;
            Some(RoleGrant { project: project(place), role, is_code_allowed })
        });
        grants.collect()
    })
}

fn scopes() -> impl Strategy<Value = Vec<Scope>> {
    prop::sample::subsequence(ScopeSet::ALL.iter().collect::<Vec<_>>(), 1..=6)
}

/// Asks for every permission in every place.
async fn ask(server: &Server, actor: &Actor, roles: &[RoleGrant], scopes: Option<&[Scope]>) {
    for row in Permission::ALL.map(row) {
        for place in PROJECTS.map(project) {
            let has_scope = scopes.is_none_or(|scopes| scopes.contains(&row.scope));
            let answer = actor.require(&server.app, place, row.permission).await;
            let told = format!("{:?} in {place:?} with {roles:?} and {scopes:?}", row.permission);
            match answer {
                Ok(()) => assert!(has_scope && is_enough(roles, place, &row), "{told}"),
                Err(RoleError::Scope(scope)) => {
                    assert!(!has_scope, "{told}");
                    assert_eq!(scope, row.scope, "{told}");
                }
                Err(RoleError::Insufficient { needed, .. }) => {
                    assert!(has_scope && !is_enough(roles, place, &row), "{told}");
                    assert_eq!((needed.role, needed.is_with_code), (row.role, row.takes_code));
                    assert_eq!(needed.is_for_whole_server, row.is_of_server, "{told}");
                }
                Err(RoleError::Storage(error)) => panic!("{error}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_member_may_do_what_role_and_scope_allow_and_nothing_else(
        members in prop::collection::vec((roles(), scopes()), 24),
    ) {
        Runtime::new().unwrap().block_on(async {
            let server = Server::start();
            for (number, (roles, scopes)) in members.iter().enumerate() {
                let member = server.member(&format!("member{number}"), roles).await;
                ask(&server, &member, roles, None).await;
                let words: Vec<String> = scopes.iter().map(ToString::to_string).collect();
                let program = through_program(&member, &words.join(" "));
                ask(&server, &program, roles, Some(scopes)).await;
            }
        });
    }
}

#[tokio::test]
async fn commands_on_the_server_may_do_everything() {
    let server = Server::start();

    for permission in Permission::ALL {
        for place in PROJECTS.map(project) {
            assert!(Actor::Command.require(&server.app, place, permission).await.is_ok());
        }
    }
}

#[tokio::test]
async fn a_refusal_says_what_it_takes_and_what_the_member_has() {
    let server = Server::start();
    let viewer =
        RoleGrant { project: project(Some(1000)), role: Role::Viewer, is_code_allowed: false };
    let viewer = server.member("vic", &[viewer]).await;
    let refusal = async |permission| {
        viewer.require(&server.app, project(Some(1000)), permission).await.unwrap_err().to_string()
    };

    assert_eq!(
        refusal(Permission::WriteDraft).await,
        "this needs the role `editor` or a higher one; the member is `viewer`"
    );
    assert_eq!(
        refusal(Permission::WriteCode).await,
        "this needs the role `editor` or a higher one, and the right to write custom code; the member is `viewer`"
    );
    assert_eq!(
        refusal(Permission::ReadAudit).await,
        "this needs the role `admin` for the whole server or a higher one; the member has none"
    );
}
