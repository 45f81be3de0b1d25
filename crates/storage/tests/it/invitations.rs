//! Invitations.

use storage::{
    AcceptOutcome, AcceptedByMember, AcceptedInvitation, ActingCredential, AddInvitationOutcome,
    AuditEvent, Authority, INVITATIONS_AT_MOST, INVITATIONS_TO_PROJECT_AT_MOST, Invitation,
    InvitationLimit, ListRange, MemberId, NewAuditEntry, NewInvitation, NewKeys, NewMember, Role,
    RoleGrant, StorageError, Store,
};

use crate::given::{DAY, PASSWORD_HASH, all_at_once, at, by_member, hash, member, new_session};
use crate::revisions::with_projects_of;
use crate::roles::{change, member_with};

const ALL: ListRange = ListRange { page: 1, per_page: 100 };

/// An invitation with this id, made so many seconds into the story, good for a week.
pub(crate) fn invitation(id: &str, seconds: i64) -> Invitation {
    Invitation {
        id: id.to_owned(),
        email: "cleo@example.com".to_owned(),
        role: RoleGrant { project: None, role: Role::Editor, is_code_allowed: true },
        member: None,
        made_by: "ann@example.com".to_owned(),
        made_at: at(seconds),
        expires_at: at(seconds + 7 * DAY),
    }
}

fn entry(event: AuditEvent, seconds: i64) -> NewAuditEntry {
    let detail = String::new();
    let act = by_member(seconds);
    NewAuditEntry { event, act, member: None, client_id: None, detail, project: None }
}

async fn add(store: &dyn Store, invitation: Invitation) -> bool {
    add_within(store, InvitationLimit::OfServer, invitation).await == AddInvitationOutcome::Added
}

async fn add_within(
    store: &dyn Store,
    limit: InvitationLimit,
    invitation: Invitation,
) -> AddInvitationOutcome {
    with_projects_of(store, &[invitation.role]).await;
    let (authority, hash) = (Authority::Operator, hash(&invitation.id));
    let new = NewInvitation { authority, limit, hash, invitation };
    store.add_invitation(new, entry(AuditEvent::InvitationMade, 0)).await.unwrap()
}

/// Who owns the server may invite to it.
fn is_owner(roles: &[RoleGrant], _role: &RoleGrant) -> bool {
    roles.contains(&RoleGrant::OWNER)
}

async fn accept(
    store: &dyn Store,
    invitation: &Invitation,
    seconds: i64,
) -> Result<AcceptOutcome, StorageError> {
    let member = NewMember {
        email: invitation.email.clone(),
        password_hash: PASSWORD_HASH.to_owned(),
        is_password_temporary: false,
        roles: vec![invitation.role],
        through: None,
        act: by_member(seconds),
    };
    let entry = entry(AuditEvent::InvitationAccepted, seconds);
    let invitation = invitation.clone();
    let accepted = AcceptedInvitation { invitation, may_give: is_owner, member, entry };
    store.accept_invitation(accepted).await
}

async fn ids(store: &dyn Store) -> Vec<String> {
    let listed = store.list_invitations(None, ALL).await.unwrap();
    listed.into_iter().map(|invitation| invitation.id).collect()
}

pub(crate) async fn an_invitation_comes_back_as_it_was_made(store: &dyn Store) {
    let by = Some(member(store).await);
    let role = RoleGrant { project: "7".parse().ok(), ..invitation("one", 0).role };
    let (one, two) =
        (Invitation { member: by, role, ..invitation("one", 0) }, invitation("two", 1));

    assert!(add(store, one.clone()).await && add(store, two.clone()).await);

    assert_eq!(store.find_invitation(&hash("one")).await, Ok(Some(one.clone())));
    assert_eq!(store.lookup_invitation("two").await, Ok(Some(two)));
    assert_eq!(store.find_invitation(&hash("three")).await, Ok(None));
    assert_eq!(store.lookup_invitation("o\0e").await, Ok(None));
    assert_eq!(ids(store).await, ["two", "one"]);
}

pub(crate) async fn an_admin_of_projects_is_shown_the_invitations_to_them(store: &dyn Store) {
    let role = |project: Option<&str>, role| RoleGrant {
        project: project.map(|id| id.parse().unwrap()),
        role,
        is_code_allowed: role >= Role::Admin,
    };
    let (here, there) = (role(Some("7"), Role::Admin), role(Some("8"), Role::Editor));
    let ann = member_with(store, "ann", &[here, there]).await;
    let bob = member_with(store, "bob", &[RoleGrant::OWNER]).await;
    for (id, seconds, to) in [("here", 0, here), ("there", 1, there), ("again", 2, here)] {
        add(store, Invitation { role: to, ..invitation(id, seconds) }).await;
    }
    add(store, invitation("everywhere", 3)).await;

    let seen_by = async |member, page| -> Vec<_> {
        let page = ListRange { page, per_page: 1 };
        let listed = store.list_invitations(Some(member), page).await.unwrap();
        listed.into_iter().map(|invitation| invitation.id).collect()
    };

    assert_eq!(seen_by(ann, 1).await, ["again"]);
    assert_eq!(seen_by(ann, 2).await, ["here"]);
    assert_eq!(seen_by(ann, 3).await, <[&str; 0]>::default());
    assert_eq!(
        seen_by(bob, 1).await,
        <[&str; 0]>::default(),
        "a role for the server is no project"
    );
    assert_eq!(ids(store).await, ["everywhere", "again", "there", "here"]);
}

pub(crate) async fn an_invitation_makes_one_member(store: &dyn Store) {
    let (one, two) = (invitation("one", 0), invitation("two", 1));
    add(store, one.clone()).await;
    add(store, two).await;

    let accepted = all_at_once((0..2).map(|_| accept(store, &one, 5))).await;

    let member = |accepted| match accepted {
        Ok(AcceptOutcome::Member(member)) => Some(member),
        Ok(AcceptOutcome::Gone | AcceptOutcome::Powerless) | Err(_) => None,
    };
    let members: Vec<_> = accepted.into_iter().filter_map(member).collect();
    assert_eq!(members.len(), 1);
    let found = store.lookup_member_line(members[0]).await.unwrap().unwrap();
    assert_eq!((found.email.as_str(), found.roles), ("cleo@example.com", vec![one.role]));
    assert_eq!(ids(store).await, <[&str; 0]>::default());
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 2 }).await.unwrap();
    let told: Vec<_> = log.iter().map(|entry| entry.event).collect();
    assert_eq!(told, [AuditEvent::InvitationAccepted, AuditEvent::MemberAdded]);
    assert_eq!(log[0].member.as_ref().map(|member| member.id), Some(members[0]));
}

pub(crate) async fn who_invites_vouches_for_the_address(store: &dyn Store) {
    let ann = member_with(store, "ann", &[RoleGrant::OWNER]).await;
    let by_ann = Invitation { member: Some(ann), ..invitation("one", 0) };
    add(store, by_ann.clone()).await;

    let accepted = accept(store, &by_ann, 5).await.unwrap();

    let AcceptOutcome::Member(cleo) = accepted else { panic!("{accepted:?}") };
    let line = store.lookup_member_line(cleo).await.unwrap().unwrap();
    assert_eq!(line.vouched_by.map(|voucher| voucher.id), Some(ann));
}

pub(crate) async fn an_expired_or_removed_invitation_makes_no_member(store: &dyn Store) {
    let (old, removed) = (invitation("old", 0), invitation("removed", 0));
    add(store, old.clone()).await;
    add(store, removed.clone()).await;
    let entry = || entry(AuditEvent::InvitationRevoked, 1);

    assert_eq!(store.remove_invitation("removed", entry()).await, Ok(true));
    assert_eq!(store.remove_invitation("removed", entry()).await, Ok(false));

    assert_eq!(accept(store, &removed, 5).await, Ok(AcceptOutcome::Gone));
    assert_eq!(accept(store, &old, 7 * DAY).await, Ok(AcceptOutcome::Gone));
    assert_eq!(ids(store).await, ["old"]);
    assert!(store.find_member_by_email("cleo@example.com").await.unwrap().is_none());
}

pub(crate) async fn an_invitation_of_a_member_changes_nothing(store: &dyn Store) {
    let known = member(store).await;
    let email = store.lookup_member(known).await.unwrap().unwrap().email;
    let of_member = Invitation { email, ..invitation("one", 0) };
    add(store, of_member.clone()).await;

    assert_eq!(accept(store, &of_member, 5).await, Err(StorageError::Conflict));

    assert_eq!(ids(store).await, ["one"]);
}

async fn accept_as(
    store: &dyn Store,
    (member, authority): (MemberId, Authority),
    invitation: &Invitation,
) -> Result<AcceptOutcome, StorageError> {
    let entry = NewAuditEntry { member: Some(member), ..entry(AuditEvent::InvitationAccepted, 5) };
    let invitation = invitation.clone();
    let accepted = AcceptedByMember { invitation, may_give: is_owner, member, authority, entry };
    store.accept_invitation_as_member(accepted).await
}

pub(crate) async fn an_invitation_gives_a_member_its_role_and_lowers_none(store: &dyn Store) {
    let role = |project: &str, role, is_code_allowed| RoleGrant {
        project: project.parse().ok(),
        role,
        is_code_allowed,
    };
    let (viewer, publisher) = (role("7", Role::Viewer, true), role("8", Role::Publisher, false));
    let cleo = member_with(store, "cleo", &[publisher]).await;
    let higher = Invitation { role: viewer, ..invitation("new", 0) };
    let lower = Invitation { role: role("8", Role::Viewer, true), ..invitation("lower", 0) };
    let other = Invitation { role: role("9", Role::Viewer, true), ..invitation("other", 1) };
    for one in [&higher, &lower, &other] {
        add(store, one.clone()).await;
    }
    store.add_session(new_session("session", cleo, 0)).await.unwrap();
    let session = ActingCredential::Session(hash("session"));
    let acting = (cleo, Authority::Member(cleo, session));
    let ended = ActingCredential::Session(hash("another session"));

    let without = accept_as(store, (cleo, Authority::Member(cleo, ended)), &higher).await;
    let accepted = accept_as(store, acting, &higher).await;
    let again = accept_as(store, acting, &higher).await;
    let same_place = accept_as(store, acting, &lower).await;

    assert_eq!(without, Err(StorageError::SignedOut));
    assert_eq!(accepted, Ok(AcceptOutcome::Member(cleo)));
    assert_eq!(again, Ok(AcceptOutcome::Gone));
    assert_eq!(same_place, Ok(AcceptOutcome::Member(cleo)));
    let publisher = RoleGrant { is_code_allowed: true, ..publisher };
    assert_eq!(store.find_roles(cleo, at(6)).await.unwrap()[..], [viewer, publisher]);
    assert!(store.find_session(&hash("session"), at(6)).await.unwrap().is_some());
    assert_eq!(ids(store).await, ["other"], "an invitation elsewhere waits");
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 2 }).await.unwrap();
    let told: Vec<_> = log.iter().map(|entry| entry.event).collect();
    assert_eq!(told, [AuditEvent::RolesChanged, AuditEvent::InvitationAccepted]);
}

pub(crate) async fn an_invitation_gives_a_member_nothing_that_the_inviter_may_not_give(
    store: &dyn Store,
) {
    let ann = member_with(store, "ann", &[]).await;
    let cleo = member_with(store, "cleo", &[]).await;
    let role = RoleGrant { project: "7".parse().ok(), ..invitation("one", 0).role };
    let powerless = Invitation { member: Some(ann), role, ..invitation("one", 0) };
    add(store, powerless.clone()).await;

    let accepted = accept_as(store, (cleo, Authority::Operator), &powerless).await;

    assert_eq!(accepted, Ok(AcceptOutcome::Powerless));
    assert_eq!(store.find_roles(cleo, at(6)).await.unwrap()[..], []);
    assert_eq!(ids(store).await, ["one"]);
}

pub(crate) async fn an_invitation_ends_with_the_right_of_the_member_who_made_it(store: &dyn Store) {
    let ann = member_with(store, "ann", &[RoleGrant::OWNER]).await;
    let bob = member_with(store, "bob", &[RoleGrant::OWNER]).await;
    let of = |id, member| Invitation { member: Some(member), ..invitation(id, 0) };
    let (by_ann, by_bob) = (of("of ann", ann), of("of bob", bob));
    add(store, by_ann.clone()).await;
    add(store, by_bob.clone()).await;

    store.change_roles(change(bob, &[RoleGrant::OWNER], Some(&[]))).await.unwrap();

    assert_eq!(accept(store, &by_bob, 5).await, Ok(AcceptOutcome::Powerless));
    assert!(store.find_member_by_email("cleo@example.com").await.unwrap().is_none());
    assert_eq!(ids(store).await.len(), 2, "the list tells why");
    assert!(matches!(accept(store, &by_ann, 5).await, Ok(AcceptOutcome::Member(_))));
}

pub(crate) async fn so_many_invitations_wait_and_the_end_of_everything_ends_them(
    store: &dyn Store,
) {
    for number in 0..INVITATIONS_AT_MOST {
        assert!(add(store, invitation(&number.to_string(), 0)).await);
    }

    assert!(!add(store, invitation("more", 1)).await);
    assert!(add(store, invitation("later", 7 * DAY)).await);
    store.end_everything(NewKeys::default(), at(7 * DAY)).await.unwrap();

    assert_eq!(ids(store).await, <[&str; 0]>::default());
}

pub(crate) async fn an_admin_of_a_project_takes_its_share_of_the_invitations_and_no_more(
    store: &dyn Store,
) {
    let to = |project: &str, id: &str, seconds| Invitation {
        role: RoleGrant { project: project.parse().ok(), ..invitation(id, 0).role },
        ..invitation(id, seconds)
    };
    let by_admin =
        async |invitation| add_within(store, InvitationLimit::OfProject, invitation).await;
    for number in 0..INVITATIONS_TO_PROJECT_AT_MOST {
        assert_eq!(by_admin(to("7", &number.to_string(), 0)).await, AddInvitationOutcome::Added);
    }

    let more = by_admin(to("7", "more", 1)).await;
    let elsewhere = by_admin(to("8", "elsewhere", 1)).await;
    let by_server = add(store, to("7", "of the server", 1)).await;
    let later = by_admin(to("7", "later", 7 * DAY + 1)).await;

    assert_eq!(more, AddInvitationOutcome::TooManyToProject);
    assert_eq!((elsewhere, later), (AddInvitationOutcome::Added, AddInvitationOutcome::Added));
    assert!(by_server, "an admin of the server is not held up");
}
