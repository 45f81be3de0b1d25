//! The members' pages: who is here, what roles allow, and what an admin does about another member.

use app::members::find_member_by_email;
use app::roles::Actor;
use storage::{Role, RoleGrant};

use super::{browser_of, owner, shop};
use crate::browser::{Browser, form_token, token_of_another_tab};
use crate::site::{Answer, Member, Site};

async fn path_of(site: &Site, email: &str) -> String {
    let found = find_member_by_email(&site.app, &Actor::Command, email).await.unwrap();
    format!("/members/{}", found.unwrap().id)
}

async fn roles_of(site: &Site, email: &str) -> Vec<(Role, bool, bool)> {
    let found = find_member_by_email(&site.app, &Actor::Command, email).await.unwrap();
    let of = |grant: &RoleGrant| (grant.role, grant.project.is_some(), grant.is_code_allowed);
    found.unwrap().roles.iter().map(of).collect()
}

/// Sends a form of a member's page, as that page showed it.
async fn act(browser: &Browser<'_>, page: &Answer, path: &str, more: &[(&str, &str)]) -> Answer {
    let (_, rest) = page.body.split_once("name=\"seen\" value=\"").unwrap_or(("", "\""));
    let seen = rest.split('"').next().unwrap();
    let fields = [("csrf", form_token(page)), ("seen", seen)];
    browser.post(path, &[&fields[..], more].concat()).await
}

#[tokio::test]
async fn an_owner_gives_and_withdraws_roles_of_a_member() {
    let site = shop().await;
    let olga = owner(&site).await;
    browser_of(&site, "vic", Role::Viewer).await;
    let path = path_of(&site, "vic@example.com").await;

    let list = olga.open("/members").await;
    let page = olga.open(&path).await;
    let publisher = [("project", "1000"), ("role", "publisher"), ("code", "on")];
    let given = act(&olga, &page, &format!("{path}/give-role"), &publisher).await;
    let here = roles_of(&site, "vic@example.com").await;
    let page = olga.open(given.location()).await;
    let withdrawn =
        act(&olga, &page, &format!("{path}/withdraw-role"), &[("project", "1000")]).await;

    assert!(list.body.contains(&format!("<a href=\"{path}\"><bdi>vic@example.com</bdi></a>")));
    assert!(list.body.contains("<strong>viewer</strong> in <bdi>Shop</bdi>"), "{}", list.body);
    assert_eq!(here, [(Role::Publisher, true, true)]);
    assert!(page.body.contains("The member has this role from now on."), "{}", page.body);
    assert!(page.body.contains("With the right to write custom code"), "{}", page.body);
    assert_eq!(withdrawn.location(), format!("{path}?done=role-withdrawn"));
    assert_eq!(roles_of(&site, "vic@example.com").await, []);
}

#[tokio::test]
async fn a_change_meanwhile_is_shown_before_roles_change() {
    let site = shop().await;
    let olga = owner(&site).await;
    browser_of(&site, "vic", Role::Viewer).await;
    let path = path_of(&site, "vic@example.com").await;
    let seen = olga.open(&path).await;
    act(&olga, &seen, &format!("{path}/give-role"), &[("project", "1000"), ("role", "editor")])
        .await;

    let owner = [("project", ""), ("role", "owner")];
    let stale = act(&olga, &seen, &format!("{path}/give-role"), &owner).await;
    let removal = act(&olga, &seen, &format!("{path}/remove"), &[]).await;

    assert_eq!((stale.status.as_u16(), removal.status.as_u16()), (409, 409));
    assert!(stale.body.contains("changed these roles meanwhile"), "{}", stale.body);
    assert!(stale.body.contains("<option selected>owner</option>"), "{}", stale.body);
    assert_eq!(roles_of(&site, "vic@example.com").await, [(Role::Editor, true, false)]);
}

#[tokio::test]
async fn a_reset_password_is_shown_once_and_a_removed_member_is_gone() {
    let site = shop().await;
    let olga = owner(&site).await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    let path = path_of(&site, "vic@example.com").await;
    let page = olga.open(&path).await;

    let reset = act(&olga, &page, &format!("{path}/reset-password"), &[]).await;
    let again = olga.open(&path).await;
    let (_, behind) = reset.body.split_once("<code id=\"new-password\">").unwrap();
    let password = behind.split('<').next().unwrap().to_owned();
    let signed_out = vic.open("/account").await;
    let email = "vic@example.com".to_owned();
    Browser::new(&site).sign_in_first(&Member { email, password: password.clone() }).await;
    let removed = act(&olga, &again, &format!("{path}/remove"), &[]).await;
    let csrf = token_of_another_tab(&page);
    let twice = olga.post(&format!("{path}/remove"), &[("csrf", &csrf)]).await;

    assert_eq!((reset.status.as_u16(), reset.header("cache-control")), (200, "no-store"));
    assert!(!again.body.contains(&password));
    assert!(signed_out.body.contains("<h1>Sign in</h1>"), "{}", signed_out.body);
    assert_eq!(removed.location(), "/members?done=removed");
    assert_eq!(twice.location(), "/members?problem=gone");
    assert_eq!(olga.open(&path).await.status.as_u16(), 404);
}

#[tokio::test]
async fn the_last_owner_stays() {
    let site = shop().await;
    let olga = owner(&site).await;
    let path = path_of(&site, "olga@example.com").await;
    let page = olga.open(&path).await;

    let lowered =
        act(&olga, &page, &format!("{path}/give-role"), &[("project", ""), ("role", "admin")])
            .await;
    let removed = act(&olga, &page, &format!("{path}/remove"), &[]).await;

    assert!(page.body.contains("This is you."), "{}", page.body);
    assert_eq!((lowered.status.as_u16(), removed.status.as_u16()), (409, 409));
    assert!(lowered.body.contains("This is the last owner of the server"), "{}", lowered.body);
    assert_eq!(roles_of(&site, "olga@example.com").await, [(Role::Owner, false, true)]);
}

#[tokio::test]
async fn an_admin_of_a_project_decides_up_to_admin_there_and_learns_who_decides_beyond() {
    let site = shop().await;
    owner(&site).await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let (own, of_owner) =
        (path_of(&site, "ada@example.com").await, path_of(&site, "olga@example.com").await);
    let page = ada.open(&of_owner).await;
    let of_own = ada.open(&own).await;

    let raised =
        act(&ada, &of_own, &format!("{own}/give-role"), &[("project", "1000"), ("role", "owner")])
            .await;
    let everywhere =
        act(&ada, &of_own, &format!("{own}/give-role"), &[("project", ""), ("role", "viewer")])
            .await;
    let lowered = act(&ada, &page, &format!("{of_owner}/withdraw-role"), &[("project", "")]).await;
    let reset = act(&ada, &page, &format!("{of_owner}/reset-password"), &[]).await;
    let removed = act(&ada, &page, &format!("{of_owner}/remove"), &[]).await;

    assert!(page.body.contains("An owner for the whole server can withdraw it."), "{}", page.body);
    assert!(page.body.contains("An owner of the server can do it."), "{}", page.body);
    assert!(!page.body.contains("/remove\""), "{}", page.body);
    assert!(!of_own.body.contains("<option>owner</option>"), "{}", of_own.body);
    for refused in [raised, everywhere, lowered, reset, removed] {
        assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
    }
    assert_eq!(roles_of(&site, "olga@example.com").await, [(Role::Owner, false, true)]);
}

#[tokio::test]
async fn a_page_behind_the_last_says_so_and_leads_back() {
    let site = shop().await;
    let olga = owner(&site).await;

    let members = olga.open("/members?page=9").await.body;
    let first = olga.open("/members").await.body;

    assert!(members.contains("This page is empty."), "{members}");
    assert!(members.contains("href=\"/members?page=1\" rel=\"prev\""), "{members}");
    assert!(!first.contains("This page is empty."), "{first}");
}

#[tokio::test]
async fn a_viewer_sees_what_roles_allow_and_not_who_the_others_are() {
    let site = shop().await;
    let olga = owner(&site).await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    let path = path_of(&site, "olga@example.com").await;
    let of_olga = olga.open(&path).await;

    let page = vic.open("/members").await;
    let other = vic.open(&path).await;
    let foreign = act(&vic, &of_olga, &format!("{path}/remove"), &[]).await;
    let forged = vic.post(&format!("{path}/remove"), &[("csrf", form_token(&page))]).await;

    assert!(page.body.contains("You are <strong>viewer</strong> in <bdi>Shop</bdi>"));
    assert!(page.body.contains("publish, start, pause and schedule"), "{}", page.body);
    assert!(page.body.contains("Ask one of them for another role."), "{}", page.body);
    assert!(!page.body.contains("olga@example.com"), "{}", page.body);
    for refused in [other, foreign, forged] {
        assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
    }
}
