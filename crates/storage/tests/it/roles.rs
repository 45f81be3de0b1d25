//! Members and their roles.

use storage::{
    AuditEvent, Authority, ChangeRoles, ChangeRolesOutcome, Counted, ListRange, MemberId,
    NewMember, Role, RoleGrant, Store, WhichProjects,
};

use crate::given::{
    PASSWORD_HASH, all_at_once, at, by_command, by_member, client_id, hash, new_code, new_session,
    opens, tokens,
};
use crate::members::nothing_acts_for;
use crate::revisions::{publication, with_projects_of};

const ALL: ListRange = ListRange { page: 1, per_page: 100 };

fn grant(role: Role, project: Option<&str>) -> RoleGrant {
    let project = project.map(|project| project.parse().unwrap());
    RoleGrant { project, role, is_code_allowed: role >= Role::Admin }
}

pub(crate) async fn member_with(store: &dyn Store, name: &str, roles: &[RoleGrant]) -> MemberId {
    with_projects_of(store, roles).await;
    let member = NewMember {
        email: format!("{name}@example.com"),
        password_hash: PASSWORD_HASH.to_owned(),
        is_password_temporary: false,
        roles: roles.to_vec(),
        through: None,
        act: by_command(0),
    };
    store.add_member(member, Authority::Operator).await.unwrap()
}

async fn roles(store: &dyn Store, member: MemberId) -> Vec<RoleGrant> {
    store.find_roles(member, at(3)).await.unwrap().to_vec()
}

pub(crate) fn change(
    member: MemberId,
    before: &[RoleGrant],
    after: Option<&[RoleGrant]>,
) -> ChangeRoles {
    let (before, after) = (before.to_vec(), after.map(<[RoleGrant]>::to_vec));
    ChangeRoles { member, before, after, through: None, act: by_command(2) }
}

async fn outcome(store: &dyn Store, change: ChangeRoles) -> ChangeRolesOutcome {
    with_projects_of(store, change.after.as_deref().unwrap_or_default()).await;
    store.change_roles(change).await.unwrap()
}

pub(crate) async fn roles_come_back_as_they_were_given(store: &dyn Store) {
    let given = [
        grant(Role::Viewer, None),
        grant(Role::Publisher, Some("1")),
        RoleGrant { is_code_allowed: true, ..grant(Role::Editor, Some("1000")) },
    ];
    let ann = member_with(store, "ann", &given).await;
    let bob = member_with(store, "bob", &[]).await;

    assert_eq!(roles(store, ann).await, given);
    assert_eq!(roles(store, bob).await, []);
    let line = store.lookup_member_line(ann).await.unwrap().unwrap();
    assert_eq!((line.id, line.email.as_str(), line.added_at), (ann, "ann@example.com", at(0)));
    assert_eq!(line.roles, given);
    assert_eq!(store.lookup_member_line("999".parse().unwrap()).await, Ok(None));
}

pub(crate) async fn members_are_listed_by_address_with_all_their_roles(store: &dyn Store) {
    let two = [grant(Role::Viewer, None), grant(Role::Editor, Some("1000"))];
    let bob = member_with(store, "bob", &two).await;
    let ann = member_with(store, "ann", &[]).await;
    let cem = member_with(store, "cem", &[RoleGrant::OWNER]).await;

    let page = async |page| -> Vec<_> {
        let lines = store.list_members(None, ListRange { page, per_page: 2 }).await.unwrap();
        lines.into_iter().map(|line| (line.id, line.roles)).collect()
    };

    assert_eq!(page(1).await, [(ann, vec![]), (bob, two.to_vec())]);
    assert_eq!(page(2).await, [(cem, vec![RoleGrant::OWNER])]);
    assert_eq!(page(3).await, []);
}

pub(crate) async fn an_admin_of_projects_is_shown_who_reaches_them(store: &dyn Store) {
    let [here, there] = ["1000", "2000"].map(|id| grant(Role::Viewer, Some(id)));
    let (admin, owner) = (grant(Role::Admin, Some("1000")), grant(Role::Owner, Some("3000")));
    let ann = member_with(store, "ann", &[admin, there, owner]).await;
    let bob = member_with(store, "bob", &[here, there]).await;
    member_with(store, "cem", &[there]).await;
    let dee = member_with(store, "dee", &[RoleGrant::OWNER]).await;
    let eve = member_with(store, "eve", &[grant(Role::Editor, Some("3000"))]).await;
    member_with(store, "fay", &[]).await;

    let seen_by = async |member, page| -> Vec<_> {
        let lines =
            store.list_members(Some(member), ListRange { page, per_page: 3 }).await.unwrap();
        lines.into_iter().map(|line| line.id).collect()
    };

    assert_eq!(seen_by(ann, 1).await, [ann, bob, dee]);
    assert_eq!(seen_by(ann, 2).await, [eve]);
    assert_eq!(store.count(Counted::Members(Some(ann))).await, Ok(4));
    assert_eq!(store.count(Counted::Members(None)).await, Ok(6));
}

pub(crate) async fn changed_roles_count_from_the_answer_on(store: &dyn Store) {
    let ann = member_with(store, "ann", &[RoleGrant::OWNER]).await;
    let bob = member_with(store, "bob", &[RoleGrant::OWNER]).await;
    let after = [grant(Role::Editor, Some("1000"))];
    assert_eq!(roles(store, bob).await, [RoleGrant::OWNER]);

    let changed = outcome(store, change(bob, &[RoleGrant::OWNER], Some(&after))).await;

    assert_eq!(changed, ChangeRolesOutcome::Changed);
    assert_eq!(roles(store, bob).await, after);
    assert_eq!(roles(store, ann).await, [RoleGrant::OWNER]);
    assert_eq!(store.lookup_member_line(bob).await.unwrap().unwrap().roles, after);
}

pub(crate) async fn roles_change_only_from_what_they_were_seen_to_be(store: &dyn Store) {
    let viewer = [grant(Role::Viewer, None)];
    let ann = member_with(store, "ann", &viewer).await;
    let entries = async || store.list_audit_entries(ALL).await.unwrap().len();
    let written = entries().await;

    let stale = change(ann, &[], Some(&[grant(Role::Admin, None)]));
    assert_eq!(outcome(store, stale).await, ChangeRolesOutcome::OtherRoles);
    assert_eq!(outcome(store, change(ann, &[], None)).await, ChangeRolesOutcome::OtherRoles);
    let nobody = change("999".parse().unwrap(), &[], None);
    assert_eq!(outcome(store, nobody).await, ChangeRolesOutcome::UnknownMember);

    assert_eq!(roles(store, ann).await, viewer);
    assert_eq!(entries().await, written);
}

pub(crate) async fn a_higher_role_for_the_server_ends_all_that_acts_for_the_member(
    store: &dyn Store,
) {
    let ann = tokens(store).await;
    let viewer = [grant(Role::Viewer, None)];
    store.add_authorization_code(new_code("not exchanged yet", ann)).await.unwrap();

    assert_eq!(outcome(store, change(ann, &[], Some(&viewer))).await, ChangeRolesOutcome::Changed);

    nothing_acts_for(store, ann).await;
    assert_eq!(roles(store, ann).await, viewer);
    store.add_session(new_session("again", ann, 2)).await.unwrap();
    let lowered = change(ann, &viewer, Some(&[]));
    assert_eq!(outcome(store, lowered).await, ChangeRolesOutcome::Changed);
    assert!(store.find_session(&hash("again"), at(3)).await.unwrap().is_some());
}

pub(crate) async fn a_higher_role_in_a_project_ends_nothing_that_acts_for_the_member(
    store: &dyn Store,
) {
    let ann = tokens(store).await;
    store.add_session(new_session("session", ann, 0)).await.unwrap();
    let admin = [grant(Role::Admin, Some("1000"))];

    assert_eq!(outcome(store, change(ann, &[], Some(&admin))).await, ChangeRolesOutcome::Changed);

    assert_eq!(roles(store, ann).await, admin);
    assert!(opens(store, "access 0").await);
    assert!(store.find_session(&hash("session"), at(3)).await.unwrap().is_some());
    assert!(store.find_consent(ann, &client_id("reports")).await.unwrap().is_some());
}

pub(crate) async fn the_last_owner_stays(store: &dyn Store) {
    let owner = [RoleGrant::OWNER];
    let ann = member_with(store, "ann", &owner).await;
    let bob = member_with(store, "bob", &owner).await;
    member_with(store, "cem", &[grant(Role::Owner, Some("1000"))]).await;

    let lowered = [grant(Role::Admin, None)];
    let lower = change(bob, &owner, Some(&lowered));
    assert_eq!(outcome(store, lower).await, ChangeRolesOutcome::Changed);
    for after in [None, Some(&lowered[..]), Some(&[])] {
        let last = outcome(store, change(ann, &owner, after)).await;
        assert_eq!(last, ChangeRolesOutcome::LastOwner, "{after:?}");
    }

    let more = [RoleGrant::OWNER, grant(Role::Viewer, Some("1000"))];
    let widened = change(ann, &owner, Some(&more));
    assert_eq!(outcome(store, widened).await, ChangeRolesOutcome::Changed);
}

pub(crate) async fn of_two_owners_who_demote_each_other_at_once_one_stays(store: &dyn Store) {
    for round in 0..10 {
        let owner = [RoleGrant::OWNER];
        let names = ["ann", "bob"].map(|name| format!("{name}{round}"));
        let mut members = Vec::new();
        for name in &names {
            members.push(member_with(store, name, &owner).await);
        }
        let others = store.list_members(None, ALL).await.unwrap();
        for line in others.iter().filter(|line| !members.contains(&line.id)) {
            store.change_roles(change(line.id, &line.roles, Some(&[]))).await.unwrap();
        }

        let lowered =
            members.iter().map(|member| store.change_roles(change(*member, &owner, None)));
        let outcomes = all_at_once(lowered).await;

        let done = |outcome: &&_| **outcome == Ok(ChangeRolesOutcome::Changed);
        assert_eq!(outcomes.iter().filter(done).count(), 1, "{outcomes:?}");
    }
}

pub(crate) async fn a_removed_member_takes_everything_with_them(store: &dyn Store) {
    let ann = tokens(store).await;
    store.add_session(new_session("session", ann, 0)).await.unwrap();
    assert!(opens(store, "access 0").await);
    assert_eq!(roles(store, ann).await, []);

    assert_eq!(outcome(store, change(ann, &[], None)).await, ChangeRolesOutcome::Changed);

    assert!(!opens(store, "access 0").await);
    assert!(store.find_session(&hash("session"), at(3)).await.unwrap().is_none());
    let kept = store.find_refresh_token(&hash("refresh 0"), at(3)).await.unwrap();
    assert!(kept.is_none());
    assert_eq!(store.find_consent(ann, &client_id("reports")).await, Ok(None));
    assert!(store.find_member_by_email("ann@example.com").await.unwrap().is_none());
}

pub(crate) async fn each_change_of_roles_is_written_down(store: &dyn Store) {
    let ann = member_with(store, "ann", &[RoleGrant::OWNER]).await;
    let bob = member_with(store, "bob", &[grant(Role::Viewer, None)]).await;
    let act = storage::Act { member: Some(ann), ..by_member(2) };
    let through = Some(client_id("reports"));
    let editor = [grant(Role::Editor, Some("1000"))];
    with_projects_of(store, &editor).await;
    let by_ann = |change: ChangeRoles| ChangeRoles { act, through: through.clone(), ..change };

    let changed = change(bob, &[grant(Role::Viewer, None)], Some(&editor));
    store.change_roles(by_ann(changed)).await.unwrap();
    store.change_roles(by_ann(change(bob, &editor, None))).await.unwrap();

    let log = store.list_audit_entries(ListRange { page: 1, per_page: 2 }).await.unwrap();
    let told = |entry: &storage::AuditEntry| (entry.event, entry.detail.clone().unwrap());
    let email = "bob@example.com";
    let expected = [
        (AuditEvent::MemberRemoved, format!("member {bob}: {email}: editor in 1000")),
        (AuditEvent::RolesChanged, format!("member {bob}: {email}: viewer → editor in 1000")),
    ];
    assert_eq!(log.iter().map(told).collect::<Vec<_>>(), expected);
    assert!(log.iter().all(|entry| entry.member.as_ref().unwrap().id == ann));
    assert!(log.iter().all(|entry| entry.client_id == through));
}

pub(crate) async fn the_projects_of_a_member_are_those_with_a_role_of_their_own(store: &dyn Store) {
    for project in [1000, 2000, 3000] {
        store.publish_revision(publication(project, "a", "a")).await.unwrap();
    }
    let own = [grant(Role::Viewer, Some("1000")), grant(Role::Editor, Some("3000"))];
    let ann = member_with(store, "ann", &own).await;
    member_with(store, "bob", &[grant(Role::Viewer, Some("2000"))]).await;

    let listed = async |page| -> Vec<_> {
        let listed = store
            .list_projects_of_member(ann, WhichProjects::Current, ListRange { page, per_page: 1 })
            .await
            .unwrap();
        listed.into_iter().map(|project| project.id.to_string()).collect()
    };

    assert_eq!(
        [listed(1).await, listed(2).await, listed(3).await],
        [vec!["1000".to_owned()], vec!["3000".to_owned()], vec![]]
    );
    let has = async |id: &str| store.has_project(id.parse().unwrap()).await.unwrap();
    assert!(has("1000").await && !has("1001").await && !has("1").await);
}
