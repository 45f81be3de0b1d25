//! The page of API tokens: a member makes one, a program uses it, and it ends when the member removes it.

use app::roles::Actor;
use app::tokens::{Expiry, NewToken, TokenFor, add_api_token};
use oauth::ScopeSet;
use storage::{Role, RoleGrant};

use super::{browser_of, owner, shop};
use crate::browser::{Browser, form_token};
use crate::site::Answer;

const PATH: &str = "/account/tokens";

async fn make(browser: &Browser<'_>, more: &[(&str, &str)]) -> Answer {
    let page = browser.open(PATH).await;
    let fields = [&[("csrf", form_token(&page)), ("days", "90")], more].concat();
    browser.post("/account/tokens/make", &fields).await
}

/// The new token, as the page shows it.
fn token(page: &Answer) -> &str {
    let (_, behind) = page.body.split_once("id=\"new-token\">").expect(&page.body);
    behind.split('<').next().unwrap()
}

async fn remove(browser: &Browser<'_>, page: &Answer) -> Answer {
    let (_, behind) = page.body.split_once("name=\"id\" value=\"").expect(&page.body);
    let id = behind.split('"').next().unwrap();
    let fields = [("csrf", form_token(page)), ("id", id)];
    browser.post("/account/tokens/remove", &fields).await
}

#[tokio::test]
async fn the_oldest_of_many_tokens_are_on_a_page_of_their_own() {
    let site = shop().await;
    let olga = owner(&site).await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    for number in 0..101 {
        let browser = if number < 60 { &vic } else { &olga };
        let name = format!("token {number}.");
        make(browser, &[("name", &name), ("scope", "config:read")]).await;
        site.advance_seconds(1);
    }

    let newest = olga.open(PATH).await.body;
    let oldest = olga.open(&format!("{PATH}?page=2")).await.body;

    assert!(newest.contains("<a href=\"?page=2\" rel=\"next\">") && newest.contains("101 tokens"));
    assert!(newest.contains(">token 100.<") && !newest.contains(">token 0.<"), "{newest}");
    assert!(oldest.contains(">token 0.<") && !oldest.contains(">token 1.<"), "{oldest}");
}

#[tokio::test]
async fn a_viewer_makes_a_token_that_works_until_they_remove_it() {
    let site = shop().await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;

    let made = make(&vic, &[("name", "<i>laptop"), ("scope", "config:read")]).await;
    let works = site.get_as("/v1/projects", token(&made)).await;
    let page = vic.open(PATH).await;
    let removed = remove(&vic, &page).await;
    let ended = site.get_as("/v1/projects", token(&made)).await;

    assert_eq!((made.status.as_u16(), made.header("cache-control")), (201, "no-store"));
    assert!(token(&made).starts_with("assay_pat_"), "{}", token(&made));
    assert_eq!(works.status.as_u16(), 200, "{}", works.body);
    assert!(page.body.contains("<bdi>&#60;i&#62;laptop</bdi>"), "{}", page.body);
    assert!(!page.body.contains(token(&made)));
    assert_eq!(removed.location(), "/account/tokens?done=removed");
    assert_eq!(ended.status.as_u16(), 401);
    assert_eq!(remove(&vic, &page).await.location(), removed.location(), "a double click");
}

#[tokio::test]
async fn a_viewer_is_offered_what_their_role_can_use_and_gets_no_more() {
    let site = shop().await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    let page = vic.open(PATH).await;

    let publishing = make(&vic, &[("name", "x"), ("scope", "publish")]).await;
    let project = site.get_as("/v1/projects/1000", token(&publishing)).await;
    let service = [("for", "service"), ("role", "viewer"), ("project", "1000")];
    let service = [&[("name", "ci"), ("scope", "config:read")], &service[..]].concat();
    let service = make(&vic, &service).await;
    let nothing = make(&vic, &[("name", "ann@example.com")]).await;

    assert!(page.body.contains("value=\"config:read\" checked"), "{}", page.body);
    assert!(!page.body.contains("value=\"publish\""), "{}", page.body);
    assert!(page.body.contains("Admins make tokens of services, too."), "{}", page.body);
    assert_eq!(project.status.as_u16(), 403, "{}", project.body);
    assert_eq!(service.status.as_u16(), 403, "{}", service.body);
    assert_eq!(nothing.status.as_u16(), 422, "{}", nothing.body);
    assert!(nothing.body.contains("A token needs at least one scope."), "{}", nothing.body);
    assert!(nothing.body.contains("and no @ among them."), "{}", nothing.body);
    assert!(nothing.body.contains("value=\"ann@example.com\""), "{}", nothing.body);
}

#[tokio::test]
async fn an_owner_makes_the_token_of_a_service_with_a_role_of_its_own() {
    let site = shop().await;
    let olga = owner(&site).await;
    let service = [("for", "service"), ("role", "viewer"), ("project", "1000")];
    let fields = [&[("name", "nightly"), ("scope", "config:read")], &service[..]].concat();

    let made = make(&olga, &fields).await;
    let twice = make(&olga, &fields).await;
    let reads = site.get_as("/v1/projects/1000", token(&made)).await;
    let page = olga.open(PATH).await;

    assert!(token(&made).starts_with("assay_svc_"), "{}", token(&made));
    assert_eq!(reads.status.as_u16(), 200, "{}", reads.body);
    assert!(page.body.contains("made by <bdi>olga@example.com</bdi>"), "{}", page.body);
    assert!(page.body.contains("<strong>viewer</strong> in <bdi>Shop</bdi>"), "{}", page.body);
    assert_eq!(twice.status.as_u16(), 409, "{}", twice.body);
    assert!(
        twice.body.contains("Another service in the same place has this name"),
        "{}",
        twice.body
    );
    assert!(twice.body.contains("value=\"service\" checked"), "{}", twice.body);
}

#[tokio::test]
async fn a_member_sees_and_ends_their_own_tokens_alone() {
    let site = shop().await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    let eve = browser_of(&site, "eve", Role::Editor).await;
    let made = make(&vic, &[("name", "laptop"), ("scope", "config:read")]).await;
    let of_vic = vic.open(PATH).await;

    let of_eve = eve.open(PATH).await;
    let (_, behind) = of_vic.body.split_once("name=\"id\" value=\"").unwrap();
    let fields = [("csrf", form_token(&of_eve)), ("id", behind.split('"').next().unwrap())];
    let foreign = eve.post("/account/tokens/remove", &fields).await;
    let of_another = [("csrf", form_token(&of_vic)), fields[1]];
    let forged = eve.post("/account/tokens/remove", &of_another).await;

    assert!(!of_eve.body.contains("laptop"), "{}", of_eve.body);
    assert_eq!(foreign.location(), "/account/tokens?problem=gone");
    assert_eq!(forged.status.as_u16(), 403);
    assert_eq!(site.get_as("/v1/projects", token(&made)).await.status.as_u16(), 200);
}

#[tokio::test]
async fn an_admin_of_a_project_finds_the_services_there_and_removes_those_whose_roles_they_may_give()
 {
    let site = shop().await;
    let olga = owner(&site).await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    let service = |name, role, project| {
        let scope = ("scope", "config:read");
        [("name", name), scope, ("for", "service"), ("role", role), ("project", project)]
    };
    make(&olga, &service("everywhere", "viewer", "")).await;
    let made = make(&olga, &service("nightly", "editor", "1000")).await;

    let members = ada.open("/members").await.body;
    let page = ada.open(PATH).await;
    let of_viewer = [vic.open("/members").await.body, vic.open(PATH).await.body].concat();
    let removed = remove(&ada, &page).await;

    let nightly = "<bdi>nightly</bdi> <span class=\"pill\">service</span>";
    for (place, shown) in [("members", &members), ("tokens", &page.body)] {
        assert!(shown.contains(nightly), "{place}: {shown}");
        assert!(shown.contains("<strong>editor</strong> in <bdi>Shop</bdi>"), "{place}: {shown}");
    }
    assert!(members.contains("2 programs with roles of their own"), "{members}");
    assert!(members.contains("<a href=\"/account/tokens\">API tokens</a>"), "{members}");
    assert_eq!(page.body.matches("action=\"/account/tokens/remove\"").count(), 1);
    assert!(page.body.contains("Members who may give all of its roles can remove it"));
    assert!(!of_viewer.contains("nightly"), "{of_viewer}");
    assert_eq!(removed.location(), "/account/tokens?done=removed");
    assert_eq!(site.get_as("/v1/projects", token(&made)).await.status.as_u16(), 401);
}

#[tokio::test]
async fn an_admin_of_a_project_withdraws_the_role_there_of_a_service_that_they_cannot_remove() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let grant = |project: Option<&str>| RoleGrant {
        project: project.map(|project| project.parse().unwrap()),
        role: Role::Viewer,
        is_code_allowed: false,
    };
    let nightly = NewToken {
        name: "nightly".to_owned(),
        scope: Some(ScopeSet::LEAST),
        expiry: Expiry::Usual,
        holder: TokenFor::Service(vec![grant(None), grant(Some("1000"))]),
    };
    add_api_token(&site.app, &Actor::Command, nightly).await.unwrap();

    let page = ada.open(PATH).await;
    let (_, behind) = page.body.split_once("name=\"id\" value=\"").expect(&page.body);
    let id = behind.split('"').next().unwrap();
    let fields = [("csrf", form_token(&page)), ("id", id), ("project", "1000")];
    let withdrawn = ada.post("/account/tokens/withdraw-role", &fields).await;
    let after = ada.open(withdrawn.location()).await;
    let again = [("csrf", form_token(&after)), fields[1], fields[2]];
    let again = ada.post("/account/tokens/withdraw-role", &again).await;

    assert!(page.body.contains("Withdraw the role in <bdi>Shop</bdi>"), "{}", page.body);
    assert!(!page.body.contains("action=\"/account/tokens/remove\""), "{}", page.body);
    assert!(after.body.contains("The role is withdrawn."), "{}", after.body);
    assert!(after.body.contains("<strong>viewer</strong> for <bdi>the whole server</bdi>"));
    assert!(!after.body.contains("Withdraw the role"), "{}", after.body);
    assert_eq!(again.location(), "/account/tokens?problem=no-role");
}

#[tokio::test]
async fn a_form_for_the_token_of_a_service_does_not_begin_with_the_whole_server() {
    let site = shop().await;
    let olga = owner(&site).await;

    let page = olga.open(PATH).await.body;

    let (_, places) = page.split_once("name=\"project\"").expect(&page);
    let places = places.split("</select>").next().unwrap();
    assert!(!places.contains(" selected"), "{places}");
    let (least, widest) = (places.find("value=\"1000\""), places.find("value=\"\""));
    assert!(least.is_some() && least < widest, "what browsers choose comes first: {places}");
}
