//! Members are added, given roles, and removed, and no member reaches beyond their own rights by it.

use app::connections::{disconnect_from_member, list_applications_of_member};
use app::members::{
    AddMemberError, ChangeRolesError, LostError, add_member, change_roles, count_members,
    find_member, list_members, remove_member, remove_passkeys, reset_password,
};
use app::roles::{Actor, RoleError};
use app::sessions::{SignIn, SignInError, SignedIn, SignedInWith, SigningBrowser, sign_in};
use oauth::ClientKind;
use secrecy::SecretString;
use storage::{AuditEvent, ListRange, MemberId, MemberLine, Role, RoleGrant};

use crate::program::{Program, Tokens};
use crate::server::{ADDRESS, Server, grant};
use crate::shop::Shop;

/// A member, signed in, whom a program acts for.
struct Bob {
    id: MemberId,
    tokens: Tokens,
    session: SignedIn,
    program: Program,
}

impl Bob {
    async fn with(server: &Server, role: RoleGrant) -> Self {
        let id = server.member_id("bob", &[role]).await;
        let session = server.sign_in(id).await;
        let program = server.program("Reports", ClientKind::Confidential).await;
        let tokens = program.tokens(server, &session, "all").await;
        Self { id, tokens, session, program }
    }

    async fn line(&self, server: &Server) -> MemberLine {
        line(server, self.id).await.unwrap()
    }

    /// Whether the session and the token are good.
    async fn is_in(&self, server: &Server) -> [bool; 2] {
        let session =
            server.app.store().find_session(&self.session.session, server.app.now()).await;
        [session.unwrap().is_some(), server.opens(&self.tokens.access).await]
    }
}

async fn line(server: &Server, id: MemberId) -> Option<MemberLine> {
    find_member(&server.app, &Actor::Command, id).await.unwrap()
}

async fn line_of(server: &Server, actor: &Actor) -> MemberLine {
    line(server, actor.member().unwrap()).await.unwrap()
}

fn is_below(error: &RoleError) -> bool {
    matches!(error, RoleError::Insufficient { .. })
}

#[tokio::test]
async fn a_member_has_one_address_in_one_spelling() {
    let shop = Shop::open().await;
    let (app, viewer) = (shop.app(), grant(Role::Viewer, None));
    let add = async |email: &str| add_member(app, &shop.actor, email, viewer).await;

    let added = add(" Bob@example.com").await.unwrap();

    assert_eq!(added.email, "bob@example.com");
    assert!(matches!(add("bob@EXAMPLE.com").await, Err(AddMemberError::EmailTaken)));
    assert!(matches!(add("bob").await, Err(AddMemberError::UnusableEmail)));
    assert_eq!(line(&shop.server, added.id).await.unwrap().roles, [viewer]);
}

/// What becomes of signing in with a password.
async fn signs_in(
    server: &Server,
    email: &str,
    password: &SecretString,
) -> Result<SignedInWith, SignInError> {
    let browser =
        SigningBrowser { address: ADDRESS, user_agent: String::new(), session: None, device: None };
    let (email, password) = (email.to_owned(), password.clone());
    sign_in(&server.app, SignIn { email, password, form_token: "form".to_owned(), browser }).await
}

#[tokio::test]
async fn a_password_that_another_member_was_shown_opens_the_choice_of_one_and_no_more() {
    let shop = Shop::open().await;
    let viewer = grant(Role::Viewer, None);
    let by_ann = add_member(shop.app(), &shop.actor, "bob@example.com", viewer).await.unwrap();
    let by_disk = add_member(shop.app(), &Actor::Command, "cem@example.com", viewer).await.unwrap();

    let bob = signs_in(&shop.server, &by_ann.email, &by_ann.password).await.unwrap();
    let cem = signs_in(&shop.server, &by_disk.email, &by_disk.password).await.unwrap();

    assert!(matches!(bob, SignedInWith::TemporaryPassword(_)), "{bob:?}");
    assert!(matches!(cem, SignedInWith::Password(_)), "{cem:?}");
}

#[tokio::test]
async fn a_role_is_given_in_a_project_that_is_there() {
    let shop = Shop::open().await;
    let nowhere = grant(Role::Viewer, Some("9"));

    let added = add_member(shop.app(), &shop.actor, "bob@example.com", nowhere).await;
    let ann = line_of(&shop.server, &shop.actor).await;
    let roles = vec![RoleGrant::OWNER, nowhere];
    let changed = change_roles(shop.app(), &shop.actor, &ann, roles).await;

    let Err(AddMemberError::UnknownProject(fault)) = added else { panic!("{added:?}") };
    assert_eq!(fault.pointer.as_str(), "/project");
    let Err(ChangeRolesError::Faults(faults)) = changed else { panic!("{changed:?}") };
    assert_eq!(faults[0].pointer.as_str(), "/grants/1/project");
    assert_eq!(line_of(&shop.server, &shop.actor).await, ann);
}

#[tokio::test]
async fn roles_change_from_the_state_that_was_read() {
    let shop = Shop::open().await;
    let bob = shop.server.member_id("bob", &[grant(Role::Viewer, None)]).await;
    let read = line(&shop.server, bob).await.unwrap();
    let publisher = vec![grant(Role::Publisher, Some("1000"))];

    change_roles(shop.app(), &shop.actor, &read, publisher.clone()).await.unwrap();
    let stale = change_roles(shop.app(), &shop.actor, &read, Vec::new()).await;

    assert!(matches!(stale, Err(ChangeRolesError::OtherRoles)), "{stale:?}");
    assert_eq!(line(&shop.server, bob).await.unwrap().roles, publisher);
}

#[tokio::test]
async fn setting_the_same_roles_again_is_no_change() {
    let shop = Shop::open().await;
    let ann = line_of(&shop.server, &shop.actor).await;
    let log = shop.server.audit().await;

    change_roles(shop.app(), &shop.actor, &ann, ann.roles.clone()).await.unwrap();

    assert_eq!(shop.server.audit().await, log);
}

#[tokio::test]
async fn the_last_owner_is_neither_lowered_nor_removed() {
    let shop = Shop::open().await;
    let ann = line_of(&shop.server, &shop.actor).await;

    for actor in [&shop.actor, &Actor::Command] {
        let lowered = change_roles(shop.app(), actor, &ann, vec![grant(Role::Admin, None)]).await;
        let removed = remove_member(shop.app(), actor, &ann).await;
        assert!(matches!(lowered, Err(ChangeRolesError::LastOwner)), "{lowered:?}");
        assert!(matches!(removed, Err(ChangeRolesError::LastOwner)), "{removed:?}");
    }

    let second = shop.server.member("bob", &[RoleGrant::OWNER]).await;
    assert!(remove_member(shop.app(), &second, &ann).await.is_ok());
}

#[tokio::test]
async fn a_removed_member_is_out_at_once_and_stays_in_the_log() {
    let shop = Shop::open().await;
    let bob = Bob::with(&shop.server, RoleGrant::OWNER).await;
    assert_eq!(bob.is_in(&shop.server).await, [true, true]);

    let seen = bob.line(&shop.server).await;
    remove_member(shop.app(), &shop.actor, &seen).await.unwrap();

    assert_eq!(bob.is_in(&shop.server).await, [false, false]);
    assert_eq!(line(&shop.server, bob.id).await, None);
    let log = shop.server.audit().await;
    assert_eq!(log[0].event, AuditEvent::MemberRemoved);
    let by = log[0].member.as_ref().unwrap().email.as_deref();
    assert_eq!(by, Some("ann@example.com"));
    assert!(log[0].detail.as_deref().unwrap().contains("bob@example.com: owner"), "{log:?}");
    let again = remove_member(shop.app(), &shop.actor, &seen).await;
    assert!(matches!(again, Err(ChangeRolesError::UnknownMember)), "{again:?}");
}

#[tokio::test]
async fn an_admin_cannot_grant_roles_above_their_own() {
    let shop = Shop::open().await;
    shop.begin("2000", "other").await.unwrap();
    let admin = shop.server.member("adm", &[grant(Role::Admin, Some("1000"))]).await;

    for role in [
        grant(Role::Owner, Some("1000")),
        grant(Role::Viewer, None),
        grant(Role::Viewer, Some("2000")),
    ] {
        let added = add_member(shop.app(), &admin, "new@example.com", role).await;
        let Err(AddMemberError::Role(error)) = added else { panic!("{role:?}: {added:?}") };
        assert!(is_below(&error), "{role:?}");
    }
}

#[tokio::test]
async fn only_an_admin_of_the_server_adds_members_and_learns_whose_an_address_is() {
    let shop = Shop::open().await;
    let of_project = shop.server.member("own", &[grant(Role::Owner, Some("1000"))]).await;
    let of_server = shop.server.member("adm", &[grant(Role::Admin, None)]).await;
    let viewer = grant(Role::Viewer, Some("1000"));

    for email in ["new@example.com", "ann@example.com"] {
        let added = add_member(shop.app(), &of_project, email, viewer).await;
        let Err(AddMemberError::Role(error)) = added else { panic!("{added:?}") };
        assert!(is_below(&error));
    }
    assert!(add_member(shop.app(), &of_server, "new@example.com", viewer).await.is_ok());
}

#[tokio::test]
async fn an_admin_of_a_project_sees_who_reaches_it_and_nothing_of_other_projects() {
    let shop = Shop::open().await;
    shop.begin("2000", "other").await.unwrap();
    let [here, there] = ["1000", "2000"].map(|id| grant(Role::Viewer, Some(id)));
    let admin_here = grant(Role::Admin, Some("1000"));
    let admin = shop.server.member("adm", &[admin_here, there]).await;
    shop.server.member("bob", &[here, there]).await;
    let cem = shop.server.member_id("cem", &[there]).await;
    let dee = shop.server.member_id("dee", &[]).await;
    let (app, page) = (shop.app(), ListRange { page: 1, per_page: 100 });

    let listed = list_members(app, &admin, page).await.unwrap();

    let roles: Vec<_> = listed.iter().map(|line| (&*line.email, &*line.roles)).collect();
    assert_eq!(
        roles,
        [
            ("adm@example.com", &[admin_here, there][..]),
            ("ann@example.com", &[RoleGrant::OWNER]),
            ("bob@example.com", &[here]),
        ]
    );
    assert_eq!(count_members(app, &admin).await.unwrap(), 3);
    for hidden in [cem, dee] {
        assert_eq!(find_member(app, &admin, hidden).await.unwrap(), None);
    }
    assert_eq!(count_members(app, &shop.actor).await.unwrap(), 5);
}

#[tokio::test]
async fn roles_that_an_admin_does_not_see_stay_when_they_change_the_others() {
    let shop = Shop::open().await;
    shop.begin("2000", "other").await.unwrap();
    let [here, there] = ["1000", "2000"].map(|id| grant(Role::Viewer, Some(id)));
    let admin = shop.server.member("adm", &[grant(Role::Admin, Some("1000"))]).await;
    let bob = shop.server.member_id("bob", &[here, there]).await;
    let seen = find_member(shop.app(), &admin, bob).await.unwrap().unwrap();
    let editor = grant(Role::Editor, Some("1000"));

    let beyond = change_roles(shop.app(), &admin, &seen, vec![editor, there]).await;
    change_roles(shop.app(), &admin, &seen, vec![editor]).await.unwrap();
    let stale = change_roles(shop.app(), &admin, &seen, Vec::new()).await;
    let removed = remove_member(shop.app(), &admin, &seen).await;

    assert!(matches!(beyond, Err(ChangeRolesError::Role(error)) if is_below(&error)));
    assert!(matches!(stale, Err(ChangeRolesError::OtherRoles)), "{stale:?}");
    assert!(matches!(removed, Err(ChangeRolesError::Role(error)) if is_below(&error)));
    assert_eq!(line(&shop.server, bob).await.unwrap().roles, [editor, there]);
}

#[tokio::test]
async fn an_admin_cannot_change_or_reset_members_above_them() {
    let shop = Shop::open().await;
    shop.begin("2000", "other").await.unwrap();
    let admin = shop.server.member("adm", &[grant(Role::Admin, Some("1000"))]).await;
    let elsewhere = grant(Role::Viewer, Some("2000"));
    let bob = shop.server.member("bob", &[elsewhere]).await;
    let app = shop.app();

    for target in [line_of(&shop.server, &shop.actor).await, line_of(&shop.server, &bob).await] {
        let reset = reset_password(app, &admin, &target).await;
        let passkeys = remove_passkeys(app, &admin, &target).await;
        let removed = remove_member(app, &admin, &target).await;
        let taken = change_roles(app, &admin, &target, Vec::new()).await;
        let listed = list_applications_of_member(app, &admin, &target).await;
        let ended = disconnect_from_member(app, &admin, &target, "reports").await;
        assert!(matches!(reset, Err(LostError::Role(error)) if is_below(&error)));
        assert!(matches!(passkeys, Err(LostError::Role(error)) if is_below(&error)));
        assert!(matches!(removed, Err(ChangeRolesError::Role(error)) if is_below(&error)));
        assert!(matches!(taken, Err(ChangeRolesError::Role(error)) if is_below(&error)));
        assert!(listed.is_err_and(|error| is_below(&error)));
        assert!(ended.is_err_and(|error| is_below(&error)));
    }
}

#[tokio::test]
async fn a_lost_password_is_replaced_and_everything_of_the_member_ends() {
    let shop = Shop::open().await;
    let bob = Bob::with(&shop.server, grant(Role::Viewer, None)).await;

    let seen = bob.line(&shop.server).await;
    let password = reset_password(shop.app(), &shop.actor, &seen).await.unwrap();

    assert_eq!(bob.is_in(&shop.server).await, [false, false]);
    let due = signs_in(&shop.server, "bob@example.com", &password).await.unwrap();
    assert!(matches!(due, SignedInWith::TemporaryPassword(_)), "{due:?}");
    let log = shop.server.audit().await;
    let changed = log.iter().find(|entry| entry.event == AuditEvent::PasswordChanged).unwrap();
    let by = changed.member.as_ref().unwrap().email.as_deref();
    assert_eq!(by, Some("ann@example.com"));
}

#[tokio::test]
async fn lost_passkeys_are_removed_and_everything_of_the_member_ends() {
    let shop = Shop::open().await;
    let bob = Bob::with(&shop.server, grant(Role::Viewer, None)).await;

    let seen = bob.line(&shop.server).await;
    let removed = remove_passkeys(shop.app(), &shop.actor, &seen).await.unwrap();

    assert_eq!(removed, 0);
    assert_eq!(bob.is_in(&shop.server).await, [false, false]);
}

#[tokio::test]
async fn an_admin_sees_and_ends_the_applications_of_a_member() {
    let shop = Shop::open().await;
    let bob = Bob::with(&shop.server, grant(Role::Viewer, None)).await;
    let (app, seen) = (shop.app(), bob.line(&shop.server).await);
    let list = async || list_applications_of_member(app, &shop.actor, &seen).await.unwrap();
    let client_id = &bob.program.client_id;
    let end = async || disconnect_from_member(app, &shop.actor, &seen, client_id).await.unwrap();

    assert_eq!(list().await[0].client_id, *client_id);
    assert!(end().await);

    assert!(!end().await, "there is nothing left");
    assert_eq!(bob.is_in(&shop.server).await, [true, false]);
    assert_eq!(list().await, []);
    assert_eq!(shop.server.audit().await[0].event, AuditEvent::ApplicationDisconnected);
}

#[tokio::test]
async fn a_thief_of_a_session_gains_nothing_by_a_promotion_on_the_whole_server() {
    let shop = Shop::open().await;
    let bob = Bob::with(&shop.server, grant(Role::Viewer, None)).await;
    let change = async |role| {
        let seen = bob.line(&shop.server).await;
        change_roles(shop.app(), &shop.actor, &seen, vec![grant(role, None)]).await.unwrap();
    };

    change(Role::Admin).await;

    assert_eq!(bob.is_in(&shop.server).await, [false, false]);
    let seen = bob.line(&shop.server).await;
    let left = list_applications_of_member(shop.app(), &shop.actor, &seen).await.unwrap();
    assert_eq!(left, []);
}

#[tokio::test]
async fn a_role_in_one_more_project_ends_nothing() {
    let shop = Shop::open().await;
    shop.begin("2000", "other").await.unwrap();
    let elsewhere = grant(Role::Viewer, Some("2000"));
    let bob = Bob::with(&shop.server, elsewhere).await;
    let admin = shop.server.member("adm", &[grant(Role::Admin, Some("1000"))]).await;

    let seen = bob.line(&shop.server).await;
    let here = grant(Role::Viewer, Some("1000"));
    change_roles(shop.app(), &shop.actor, &seen, vec![here, elsewhere]).await.unwrap();

    let seen = find_member(shop.app(), &admin, bob.id).await.unwrap().unwrap();
    let raised = grant(Role::Admin, Some("1000"));
    change_roles(shop.app(), &admin, &seen, vec![raised]).await.unwrap();

    assert_eq!(bob.is_in(&shop.server).await, [true, true]);
    assert_eq!(bob.line(&shop.server).await.roles, [raised, elsewhere]);
    let seen = bob.line(&shop.server).await;
    let left = list_applications_of_member(shop.app(), &shop.actor, &seen).await.unwrap();
    assert_eq!(left.len(), 1, "the consent stays");
}

#[tokio::test]
async fn a_member_whose_role_is_lowered_stays_signed_in() {
    let shop = Shop::open().await;
    let bob = Bob::with(&shop.server, grant(Role::Admin, None)).await;

    let seen = bob.line(&shop.server).await;
    let lowered = vec![grant(Role::Viewer, None)];
    change_roles(shop.app(), &shop.actor, &seen, lowered).await.unwrap();

    assert_eq!(bob.is_in(&shop.server).await, [true, true], "less is no more");
}
