//! API tokens: personal ones, and those of services.

use oauth::{ScopeSet, Timestamp};
use storage::{
    API_TOKENS_AT_MOST, ActingCredential, ApiTokenHolder, ApiTokenKinds, ApiTokenLine, AuditEvent,
    Authority, ChangeRoles, ChangeRolesOutcome, Counted, InvitationLimit, ListRange, MemberId,
    NewApiToken, NewAuditEntry, NewInvitation, NewKeys, NewMember, Role, RoleGrant,
    ServiceRoleWithdrawal, StorageError, Store, TemporaryPassword, WhichApiTokens,
};

use crate::given::{
    CONSENTING, DAY, HOUR, PASSWORD_HASH, all_at_once, at, by_command, hash, member, new_session,
    tokens,
};
use crate::invitations::invitation;
use crate::revisions::with_projects_of;
use crate::roles::member_with;

const ALL: ListRange = ListRange { page: 1, per_page: 200 };

/// All tokens of the server.
pub(crate) const EVERY: WhichApiTokens = WhichApiTokens::All(ApiTokenKinds::Every);

const VIEWER: RoleGrant = RoleGrant { project: None, role: Role::Viewer, is_code_allowed: false };

/// The entry of an act so many seconds into the story.
fn entry(event: AuditEvent, seconds: i64) -> NewAuditEntry {
    let act = by_command(seconds);
    let detail = String::new();
    NewAuditEntry { event, act, member: None, client_id: None, detail, project: None }
}

/// A token with this id, whose text is the id, too; good for 90 days.
pub(crate) fn token(id: &str, holder: ApiTokenHolder) -> NewApiToken {
    NewApiToken {
        authority: Authority::Operator,
        id: id.to_owned(),
        hash: hash(id),
        name: id.to_owned(),
        holder,
        scope: ScopeSet::LEAST,
        made_by: "ann@example.com".to_owned(),
        made_at: at(0),
        expires_at: at(90 * DAY),
        entry: entry(AuditEvent::ApiTokenMade, 0),
    }
}

async fn add_personal(store: &dyn Store, id: &str, member: MemberId) {
    assert_eq!(store.add_api_token(token(id, ApiTokenHolder::Member(member))).await, Ok(true));
}

async fn add_service(store: &dyn Store, id: &str) -> MemberId {
    assert_eq!(store.add_api_token(token(id, service(id))).await, Ok(true));
    line(store, id).await.unwrap().holder
}

/// A service that signs so.
fn service(signature: &str) -> ApiTokenHolder {
    ApiTokenHolder::Service { signature: signature.to_owned(), roles: vec![VIEWER] }
}

async fn line(store: &dyn Store, id: &str) -> Option<ApiTokenLine> {
    store.lookup_api_token(id).await.unwrap()
}

/// The member for whom the token opens at this moment, if it does.
async fn opens_for(store: &dyn Store, id: &str, now: Timestamp) -> Option<MemberId> {
    let grant = store.find_access_token(&hash(id), now).await.unwrap();
    grant.map(|grant| grant.member)
}

async fn last_event(store: &dyn Store) -> AuditEvent {
    store.list_audit_entries(ALL).await.unwrap()[0].event
}

pub(crate) async fn a_token_opens_for_its_member_until_it_expires(store: &dyn Store) {
    let ann = member(store).await;
    add_personal(store, "one", ann).await;

    for moment in [1, 2, DAY, 90 * DAY - 1] {
        let grant = store.find_access_token(&hash("one"), at(moment)).await.unwrap().unwrap();
        assert_eq!((grant.member, grant.scope), (ann, ScopeSet::LEAST), "{moment}");
        assert_eq!((grant.client_id.as_str(), grant.expires_at), ("token.one", at(90 * DAY)));
    }

    assert_eq!(opens_for(store, "one", at(90 * DAY)).await, None);
    assert_eq!(opens_for(store, "two", at(1)).await, None);
    assert!(line(store, "one").await.is_some(), "its list still tells of it");
    assert_eq!(last_event(store).await, AuditEvent::ApiTokenMade);
}

pub(crate) async fn a_token_of_a_service_opens_with_the_services_roles_and_is_no_member(
    store: &dyn Store,
) {
    member(store).await;

    let service = add_service(store, "deploy").await;

    assert_eq!(opens_for(store, "deploy", at(1)).await, Some(service));
    assert_eq!(*store.find_roles(service, at(1)).await.unwrap(), [VIEWER]);
    assert_eq!(store.lookup_member(service).await.unwrap().unwrap().email, "deploy");
    assert!(store.find_member_by_email("deploy").await.unwrap().is_none(), "it never signs in");
    assert!(store.lookup_member_line(service).await.unwrap().is_none());
    assert_eq!(store.list_members(None, ALL).await.unwrap().len(), 1);
}

pub(crate) async fn a_removed_token_opens_nothing_and_takes_its_service_with_it(store: &dyn Store) {
    let ann = member(store).await;
    add_personal(store, "one", ann).await;
    let service = add_service(store, "deploy").await;
    for id in ["one", "deploy"] {
        assert!(opens_for(store, id, at(1)).await.is_some());

        let removed = store.remove_api_token(id, entry(AuditEvent::ApiTokenRemoved, 2)).await;

        assert_eq!((removed, opens_for(store, id, at(2)).await), (Ok(true), None), "{id}");
        assert_eq!(last_event(store).await, AuditEvent::ApiTokenRemoved);
    }
    assert!(store.lookup_member(service).await.unwrap().is_none());
    assert!(store.lookup_member(ann).await.unwrap().is_some());
    for unknown in ["one", "o\0e"] {
        let again = store.remove_api_token(unknown, entry(AuditEvent::ApiTokenRemoved, 3)).await;
        assert_eq!(again, Ok(false));
    }
}

pub(crate) async fn a_service_loses_one_role_and_goes_with_the_last(store: &dyn Store) {
    let role = |project: &str| RoleGrant { project: project.parse().ok(), ..VIEWER };
    let (here, there) = (role("7"), role("9"));
    with_projects_of(store, &[here, there]).await;
    let holder = ApiTokenHolder::Service { signature: "both".to_owned(), roles: vec![here, there] };
    store.add_api_token(token("both", holder)).await.unwrap();
    let service = line(store, "both").await.unwrap().holder;
    let roles = async || store.find_roles(service, at(1)).await.unwrap().to_vec();
    assert_eq!(roles().await, [here, there]);
    let withdraw = async |token: &str, role| {
        let (token, entry) = (token.to_owned(), entry(AuditEvent::ServiceRoleWithdrawn, 1));
        store.withdraw_service_role(ServiceRoleWithdrawal { token, role, entry }).await
    };
    add_personal(store, "own", member_with(store, "ann", &[here]).await).await;

    let grown = RoleGrant { role: Role::Editor, ..here };
    for (token, role) in [("both", grown), ("both", VIEWER), ("own", here), ("no\0e", here)] {
        assert_eq!(withdraw(token, role).await, Ok(false), "{token} {role:?}");
    }
    assert_eq!((withdraw("both", here).await, roles().await), (Ok(true), vec![there]));
    assert_eq!(opens_for(store, "both", at(1)).await, Some(service));
    assert_eq!(last_event(store).await, AuditEvent::ServiceRoleWithdrawn);

    assert_eq!((withdraw("both", there).await, roles().await), (Ok(true), Vec::new()));
    assert_eq!(opens_for(store, "both", at(1)).await, None);
    assert!(store.lookup_member(service).await.unwrap().is_none());
    let told = store.list_audit_entries(ALL).await.unwrap();
    let told: Vec<_> = told[..2].iter().map(|entry| entry.event).collect();
    assert_eq!(told, [AuditEvent::ApiTokenRemoved, AuditEvent::ServiceRoleWithdrawn]);
}

pub(crate) async fn a_service_may_do_nothing_once_its_token_is_gone(store: &dyn Store) {
    let removed = add_service(store, "deploy").await;
    let expired = add_service(store, "reports").await;
    let roles = async |service, now| store.find_roles(service, now).await.unwrap().to_vec();
    for service in [removed, expired] {
        assert_eq!(roles(service, at(1)).await, [VIEWER]);
    }

    store.remove_api_token("deploy", entry(AuditEvent::ApiTokenRemoved, 2)).await.unwrap();

    assert_eq!(roles(removed, at(2)).await, []);
    assert_eq!(roles(expired, at(90 * DAY - 1)).await, [VIEWER]);
    assert_eq!(roles(expired, at(90 * DAY)).await, []);
}

pub(crate) async fn the_use_of_a_token_is_known_to_an_hour(store: &dyn Store) {
    add_personal(store, "one", member(store).await).await;
    let used = async |seconds| {
        assert!(opens_for(store, "one", at(seconds)).await.is_some());
        line(store, "one").await.unwrap().last_used_at
    };

    assert_eq!(line(store, "one").await.unwrap().last_used_at, None);
    assert_eq!(used(10).await, Some(at(10)));
    assert_eq!(used(9 + HOUR).await, Some(at(10)));
    assert_eq!(used(10 + HOUR).await, Some(at(10 + HOUR)));
    assert_eq!(used(DAY).await, Some(at(DAY)));
}

pub(crate) async fn what_ends_all_that_acts_for_a_member_ends_their_tokens(store: &dyn Store) {
    let ann = member(store).await;
    let change = |before: &[RoleGrant], after: Option<&[RoleGrant]>| ChangeRoles {
        member: ann,
        before: before.to_vec(),
        after: after.map(<[RoleGrant]>::to_vec),
        through: None,
        act: by_command(2),
    };

    add_personal(store, "grown", ann).await;
    assert!(opens_for(store, "grown", at(1)).await.is_some());
    store.change_roles(change(&[], Some(&[VIEWER]))).await.unwrap();
    assert_eq!(opens_for(store, "grown", at(2)).await, None);
    assert_eq!(last_event(store).await, AuditEvent::ApiTokenRemoved);

    add_personal(store, "reset", ann).await;
    assert!(opens_for(store, "reset", at(2)).await.is_some());
    let password_hash = "given".to_owned();
    let reset = TemporaryPassword { member: ann, password_hash, act: by_command(3) };
    store.reset_password(reset).await.unwrap();
    assert_eq!(opens_for(store, "reset", at(3)).await, None);

    add_personal(store, "removed", ann).await;
    assert!(opens_for(store, "removed", at(3)).await.is_some());
    store.change_roles(change(&[VIEWER], None)).await.unwrap();
    assert_eq!(opens_for(store, "removed", at(4)).await, None);
}

pub(crate) async fn a_token_is_made_only_while_what_its_maker_acts_with_is_good(store: &dyn Store) {
    let ann = tokens(store).await;
    add_personal(store, "personal", ann).await;
    let make = async |id: &str, member, credential| {
        let authority = Authority::Member(member, credential);
        let made = NewApiToken { authority, made_at: at(1), ..token(id, service(id)) };
        (store.add_api_token(made).await, line(store, id).await.is_some())
    };
    let credentials = [
        ("session", ActingCredential::Session(hash(CONSENTING))),
        ("access", ActingCredential::AccessToken(hash("access 0"))),
        ("token", ActingCredential::AccessToken(hash("personal"))),
    ];
    for (name, credential) in credentials {
        assert_eq!(make(name, ann, credential).await, (Ok(true), true), "{name}");
        let service = line(store, name).await.unwrap().holder;
        assert_eq!(
            make("stolen", service, credential).await,
            (Err(StorageError::SignedOut), false),
            "{name}"
        );
    }

    let password_hash = "given".to_owned();
    let reset = TemporaryPassword { member: ann, password_hash, act: by_command(2) };
    store.reset_password(reset).await.unwrap();

    for (name, credential) in credentials {
        let authority = Authority::Member(ann, credential);
        let member = NewMember {
            email: "eve@example.com".to_owned(),
            password_hash: PASSWORD_HASH.to_owned(),
            is_password_temporary: false,
            roles: vec![VIEWER],
            through: None,
            act: by_command(3),
        };
        let invitation = NewInvitation {
            authority,
            limit: InvitationLimit::OfServer,
            hash: hash("late"),
            invitation: invitation("late", 3),
        };
        let invited = entry(AuditEvent::InvitationMade, 3);
        assert_eq!(store.add_member(member, authority).await, Err(StorageError::SignedOut));
        assert_eq!(store.add_invitation(invitation, invited).await, Err(StorageError::SignedOut));
        assert_eq!(
            make("late", ann, credential).await,
            (Err(StorageError::SignedOut), false),
            "{name}"
        );
    }
    add_service(store, "late").await;
    assert_eq!(store.list_members(None, ALL).await.unwrap().len(), 1);
    assert_eq!(store.list_invitations(None, ALL).await.unwrap(), []);
}

/// Requests make tokens while the password is reset, or the roles grow: none of theirs opens afterwards, and all get an answer.
pub(crate) async fn no_token_that_is_made_while_all_else_ends_survives(store: &dyn Store) {
    let ann = member(store).await;
    let roles = async |before: &[RoleGrant], after: &[RoleGrant]| {
        let (before, after) = (before.to_vec(), Some(after.to_vec()));
        let change = ChangeRoles { member: ann, before, after, through: None, act: by_command(2) };
        assert_eq!(store.change_roles(change).await, Ok(ChangeRolesOutcome::Changed));
    };
    let reset = async || {
        let password_hash = PASSWORD_HASH.to_owned();
        let reset = TemporaryPassword { member: ann, password_hash, act: by_command(2) };
        store.reset_password(reset).await.unwrap();
    };
    for round in 0..8 {
        let session = format!("session {round}");
        store.add_session(new_session(&session, ann, 0)).await.unwrap();
        let authority = Authority::Member(ann, ActingCredential::Session(hash(&session)));
        let make = async |number: i32| {
            let holder = match number % 2 {
                0 => ApiTokenHolder::Member(ann),
                _ => service(&format!("{round} {number}")),
            };
            let new = token(&format!("{round} {number}"), holder);
            let made = store.add_api_token(NewApiToken { authority, ..new }).await;
            assert!(matches!(made, Ok(true) | Err(StorageError::SignedOut)), "{made:?}");
        };

        all_at_once((0..12).map(async |number| match number {
            6 if round % 2 == 0 => reset().await,
            6 => roles(&[], &[VIEWER]).await,
            _ => make(number).await,
        }))
        .await;

        assert_eq!(
            store.list_api_tokens(WhichApiTokens::OfMember(ann), ALL).await.unwrap(),
            [],
            "{round}"
        );
        if round % 2 == 1 {
            roles(&[VIEWER], &[]).await;
        }
    }
}

pub(crate) async fn a_service_outlives_the_member_who_made_its_token(store: &dyn Store) {
    let ann = member(store).await;
    let service = add_service(store, "deploy").await;
    let (before, after) = (Vec::new(), None);
    let removal = ChangeRoles { member: ann, before, after, through: None, act: by_command(2) };

    store.change_roles(removal).await.unwrap();

    assert_eq!(opens_for(store, "deploy", at(3)).await, Some(service));
    assert_eq!(line(store, "deploy").await.unwrap().made_by, "ann@example.com");
}

pub(crate) async fn the_end_of_everything_removes_tokens_and_services(store: &dyn Store) {
    add_personal(store, "one", member(store).await).await;
    let service = add_service(store, "deploy").await;
    assert!(opens_for(store, "one", at(1)).await.is_some());

    let ended = store.end_everything(NewKeys::default(), at(2)).await.unwrap();

    assert_eq!((ended.api_tokens, ended.services), (2, 1));
    assert_eq!(opens_for(store, "one", at(3)).await, None);
    assert_eq!(opens_for(store, "deploy", at(3)).await, None);
    assert!(store.lookup_member(service).await.unwrap().is_none());
    assert_eq!(store.list_api_tokens(EVERY, ALL).await.unwrap(), []);
}

pub(crate) async fn a_service_signs_as_no_other_does(store: &dyn Store) {
    add_service(store, "deploy").await;

    let same = token("other", service("deploy"));

    assert_eq!(store.add_api_token(same).await, Err(StorageError::Conflict));
}

pub(crate) async fn a_member_has_so_many_tokens_no_matter_who_made_them(store: &dyn Store) {
    let (ann, bob) = (member(store).await, member_with(store, "bob", &[]).await);
    for number in 0..API_TOKENS_AT_MOST {
        add_personal(store, &format!("personal {number}"), ann).await;
    }

    let one_more = |id| token(id, ApiTokenHolder::Member(ann));
    assert_eq!(store.add_api_token(one_more("one more")).await, Ok(false));
    let by_bob = NewApiToken { made_by: "bob@example.com".to_owned(), ..one_more("by bob") };
    assert_eq!(store.add_api_token(by_bob).await, Ok(false));
    let later =
        NewApiToken { made_at: at(400 * DAY), expires_at: at(401 * DAY), ..one_more("later") };
    assert_eq!(store.add_api_token(later).await, Ok(true), "the others have expired");
    add_personal(store, "of bob", bob).await;
    add_service(store, "deploy").await;
}

pub(crate) async fn a_member_makes_so_many_services_and_an_operator_any_number(store: &dyn Store) {
    let ann = member_with(store, "ann", &[RoleGrant::OWNER]).await;
    store.add_session(new_session("session of ann", ann, 1)).await.unwrap();
    let by_ann = Authority::Member(ann, ActingCredential::Session(hash("session of ann")));
    let made_by_ann = |name: &str| NewApiToken {
        authority: by_ann,
        made_by: "ann@example.com".to_owned(),
        made_at: at(1),
        ..token(name, service(name))
    };
    let by_operator = |name: &str| NewApiToken {
        made_by: "command line".to_owned(),
        ..token(&format!("{name} of the operator"), service(&format!("{name} of the operator")))
    };
    for number in 0..API_TOKENS_AT_MOST {
        let made = store.add_api_token(made_by_ann(&format!("service {number}"))).await;
        assert_eq!(made, Ok(true));
        assert_eq!(store.add_api_token(by_operator(&number.to_string())).await, Ok(true));
    }

    assert_eq!(store.add_api_token(made_by_ann("one more")).await, Ok(false));
    assert_eq!(store.add_api_token(by_operator("one more")).await, Ok(true));
    add_personal(store, "personal", ann).await;
}

pub(crate) async fn tokens_are_listed_those_made_last_first(store: &dyn Store) {
    let ann = member(store).await;
    add_personal(store, "one", ann).await;
    let two = NewApiToken { made_at: at(1), ..token("two", ApiTokenHolder::Member(ann)) };
    store.add_api_token(two).await.unwrap();
    add_service(store, "deploy").await;
    let ids = async |of, page| {
        let lines = store.list_api_tokens(of, page).await.unwrap();
        lines.into_iter().map(|line| line.id).collect::<Vec<_>>()
    };

    assert_eq!(ids(EVERY, ALL).await, ["two", "deploy", "one"]);
    assert_eq!(ids(EVERY, ListRange { page: 2, per_page: 2 }).await, ["one"]);
    assert_eq!(ids(WhichApiTokens::OfMember(ann), ALL).await, ["two", "one"]);
    for (of, count) in [(EVERY, 3), (WhichApiTokens::OfMember(ann), 2)] {
        assert_eq!(store.count(Counted::ApiTokens(of)).await, Ok(count));
    }
}

pub(crate) async fn the_list_tells_the_roles_of_services(store: &dyn Store) {
    let ann = member_with(store, "ann", &[RoleGrant::OWNER]).await;
    let editor = RoleGrant { project: "7".parse().ok(), role: Role::Editor, is_code_allowed: true };
    with_projects_of(store, &[editor]).await;
    let (signature, roles) = ("ci".to_owned(), vec![VIEWER, editor]);
    let holder = ApiTokenHolder::Service { signature, roles: roles.clone() };
    assert_eq!(store.add_api_token(token("ci", holder)).await, Ok(true));
    add_personal(store, "personal", ann).await;
    add_service(store, "deploy").await;

    let listed = async |of, page| -> Vec<_> {
        let lines = store.list_api_tokens(of, ListRange { page, per_page: 2 }).await.unwrap();
        lines.into_iter().map(|line| (line.id, line.service_roles)).collect()
    };

    let of = |id: &str, roles: &[RoleGrant]| (id.to_owned(), roles.to_vec());
    assert_eq!(listed(EVERY, 1).await, [of("ci", &roles), of("deploy", &[VIEWER])]);
    assert_eq!(listed(EVERY, 2).await, [of("personal", &[])]);
    assert_eq!(listed(WhichApiTokens::OfMember(ann), 1).await, [of("personal", &[])]);
    assert_eq!(line(store, "ci").await.unwrap().service_roles, roles);
}

pub(crate) async fn an_admin_of_a_project_finds_the_services_that_reach_it_page_by_page(
    store: &dyn Store,
) {
    let role = |project: &str, role| RoleGrant {
        project: project.parse().ok(),
        role,
        is_code_allowed: false,
    };
    let admin = member_with(store, "ann", &[role("7", Role::Admin), role("8", Role::Editor)]).await;
    let other = member_with(store, "bob", &[role("7", Role::Admin)]).await;
    add_personal(store, "of bob", other).await;
    add_personal(store, "of ann", admin).await;
    for (id, roles) in [
        ("in 7", vec![role("7", Role::Owner)]),
        ("in 8", vec![role("8", Role::Viewer)]),
        ("in 9", vec![role("9", Role::Viewer)]),
        ("in both", vec![role("7", Role::Viewer), role("9", Role::Admin)]),
        ("everywhere", vec![VIEWER]),
    ] {
        with_projects_of(store, &roles).await;
        let holder = ApiTokenHolder::Service { signature: id.to_owned(), roles };
        assert_eq!(store.add_api_token(token(id, holder)).await, Ok(true));
    }
    let ids = async |which, page| {
        let lines = store.list_api_tokens(which, page).await.unwrap();
        lines.into_iter().map(|line| line.id).collect::<Vec<_>>()
    };
    let seen = WhichApiTokens::SeenBy(admin, ApiTokenKinds::Every);
    let services = WhichApiTokens::SeenBy(admin, ApiTokenKinds::OfServices);

    assert_eq!(ids(seen, ALL).await, ["everywhere", "in 7", "in both", "of ann"]);
    assert_eq!(ids(seen, ListRange { page: 2, per_page: 3 }).await, ["of ann"]);
    assert_eq!(ids(services, ALL).await, ["everywhere", "in 7", "in both"]);
    let all_services = WhichApiTokens::All(ApiTokenKinds::OfServices);
    assert_eq!(ids(all_services, ListRange { page: 2, per_page: 4 }).await, ["in both"]);
    for (which, count) in [(seen, 4), (services, 3), (all_services, 5), (EVERY, 7)] {
        assert_eq!(store.count(Counted::ApiTokens(which)).await, Ok(count), "{which:?}");
    }
}
