//! An admin of one project invites a person and takes the invitation themselves. They gain nothing by what the account may do later.

use app::invitations::{AcceptInvitation, accept_invitation, invite};
use app::members::{
    ChangeRolesError, change_roles, find_member, find_member_by_email, member_json, reset_password,
};
use app::roles::Actor;
use app::sessions::SigningBrowser;
use secrecy::{ExposeSecret as _, SecretString};
use storage::{MemberLine, Role, RoleGrant};

use crate::server::{ADDRESS, Server, grant};
use crate::shop::Shop;

const CFO: &str = "cfo@example.com";

/// A member with this address, who came by a link that the actor handed over.
async fn invited_by(server: &Server, actor: &Actor, role: RoleGrant) -> MemberLine {
    let made = invite(&server.app, actor, CFO, role).await.unwrap();
    let (_, token) = made.link.expose_secret().split_once("token=").unwrap();
    let browser =
        SigningBrowser { address: ADDRESS, user_agent: String::new(), session: None, device: None };
    let (token, password) = (token.into(), SecretString::from("known to the inviter"));
    accept_invitation(&server.app, AcceptInvitation { token, password, browser }).await.unwrap();
    line(server).await
}

async fn line(server: &Server) -> MemberLine {
    find_member_by_email(&server.app, &Actor::Command, CFO).await.unwrap().unwrap()
}

/// The shop of the owner, and the account that an admin of its project has taken.
async fn taken() -> (Shop, Actor, MemberLine) {
    let shop = Shop::open().await;
    let here = |role| grant(role, Some("1000"));
    let admin = shop.server.member("padmin", &[here(Role::Admin)]).await;
    let cfo = invited_by(&shop.server, &admin, here(Role::Viewer)).await;
    (shop, admin, cfo)
}

#[tokio::test]
async fn a_role_beyond_who_vouches_is_refused_whoever_gives_it() {
    let (shop, _, cfo) = taken().await;

    let viewer = grant(Role::Viewer, None);
    let (member, command) = (&shop.actor, &Actor::Command);
    for (giver, role) in [
        (member, RoleGrant::OWNER),
        (member, viewer),
        (command, RoleGrant::OWNER),
        (command, viewer),
    ] {
        let roles = [vec![role], cfo.roles.clone()].concat();
        let given = change_roles(shop.app(), giver, &cfo, roles).await;

        let Err(ChangeRolesError::Unproved(error)) = given else { panic!("{given:?}") };
        assert!(error.to_string().contains("padmin@example.com"), "{error}");
    }
    assert_eq!(line(&shop.server).await, cfo);
}

#[tokio::test]
async fn admins_of_projects_are_refused_without_the_name_of_who_vouches() {
    let (shop, _, cfo) = taken().await;
    shop.begin("2000", "other").await.unwrap();
    let here = |project| grant(Role::Admin, Some(project));
    let pat = shop.server.member("pat", &[here("1000"), here("2000")]).await;
    let seen = find_member_by_email(shop.app(), &pat, CFO).await.unwrap().unwrap();

    let roles = vec![cfo.roles[0], grant(Role::Viewer, Some("2000"))];
    let given = change_roles(shop.app(), &pat, &seen, roles).await;

    let Err(ChangeRolesError::Unproved(error)) = given else { panic!("{given:?}") };
    assert!(error.to_string().contains("another member handed over"), "{error}");
}

#[tokio::test]
async fn a_role_of_another_project_than_who_vouches_manages_is_refused() {
    let (shop, _, cfo) = taken().await;
    shop.begin("2000", "other").await.unwrap();

    let roles = vec![cfo.roles[0], grant(Role::Viewer, Some("2000"))];
    let given = change_roles(shop.app(), &shop.actor, &cfo, roles).await;

    assert!(matches!(given, Err(ChangeRolesError::Unproved(_))), "{given:?}");
}

#[tokio::test]
async fn after_a_reset_by_who_may_give_it_the_role_is_given() {
    let (shop, _, cfo) = taken().await;

    reset_password(shop.app(), &shop.actor, &cfo).await.unwrap();
    let cfo = line(&shop.server).await;
    change_roles(shop.app(), &shop.actor, &cfo, vec![RoleGrant::OWNER]).await.unwrap();

    assert_eq!(line(&shop.server).await.roles, [RoleGrant::OWNER]);
}

#[tokio::test]
async fn who_vouches_gives_what_they_may_give() {
    let (shop, admin, cfo) = taken().await;

    let admin_here = vec![grant(Role::Admin, Some("1000"))];
    change_roles(shop.app(), &shop.actor, &cfo, admin_here.clone()).await.unwrap();
    change_roles(shop.app(), &admin, &line(&shop.server).await, cfo.roles.clone()).await.unwrap();

    assert_eq!(line(&shop.server).await.roles, cfo.roles);
}

#[tokio::test]
async fn an_owner_makes_whom_they_invited_an_owner_without_more_ado() {
    let shop = Shop::open().await;
    let colleague = invited_by(&shop.server, &shop.actor, grant(Role::Editor, None)).await;

    change_roles(shop.app(), &shop.actor, &colleague, vec![RoleGrant::OWNER]).await.unwrap();

    assert_eq!(line(&shop.server).await.roles, [RoleGrant::OWNER]);
}

#[tokio::test]
async fn roles_are_lowered_though_who_vouches_has_gone() {
    let shop = Shop::open().await;
    let admin = shop.server.member("admin", &[grant(Role::Admin, None)]).await;
    let cfo = invited_by(&shop.server, &admin, grant(Role::Admin, None)).await;
    let of_admin = find_member(shop.app(), &shop.actor, admin.member().unwrap()).await.unwrap();
    app::members::remove_member(shop.app(), &shop.actor, &of_admin.unwrap()).await.unwrap();

    let lower = vec![grant(Role::Viewer, None), grant(Role::Editor, Some("1000"))];
    change_roles(shop.app(), &shop.actor, &cfo, lower.clone()).await.unwrap();
    let cfo = line(&shop.server).await;
    let higher = change_roles(shop.app(), &shop.actor, &cfo, vec![RoleGrant::OWNER]).await;

    assert_eq!(cfo.roles, lower);
    let Err(ChangeRolesError::Unproved(error)) = higher else { panic!("{higher:?}") };
    assert!(error.to_string().contains("a removed member"), "{error}");
}

#[tokio::test]
async fn those_who_see_all_members_see_who_vouches() {
    let (shop, admin, cfo) = taken().await;
    let seen_by = async |actor: &Actor| {
        let seen = find_member(shop.app(), actor, cfo.id).await.unwrap().unwrap();
        member_json(&seen)["vouched_by"].clone()
    };

    assert_eq!(seen_by(&shop.actor).await, "padmin@example.com");
    assert!(seen_by(&admin).await.is_null());
}
