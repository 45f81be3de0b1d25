//! The pages of applications: an admin registers one, changes it, gives it secrets and ends it; others learn who may.

use app::applications::{
    DeclaredApplication, declare_application, find_application, list_applications,
};
use app::roles::Actor;
use oauth::{Client, ClientKind};
use secrecy::SecretString;
use storage::Role;

use super::{browser_of, owner, shop};
use crate::browser::{Browser, form_token, token_of_another_tab};
use crate::site::{Answer, Site};

/// What the page shows in the element with this id.
fn shown<'a>(answer: &'a Answer, id: &str) -> &'a str {
    let (_, behind) = answer.body.split_once(&format!("id=\"{id}\">")).expect(&answer.body);
    behind.split('<').next().unwrap()
}

/// Sends a form of this page, as the page showed it.
async fn act(browser: &Browser<'_>, page: &Answer, path: &str, more: &[(&str, &str)]) -> Answer {
    let (_, rest) = page.body.split_once("name=\"seen\" value=\"").unwrap_or(("", "\""));
    let seen = rest.split('"').next().unwrap();
    let fields = [("csrf", form_token(page)), ("seen", seen)];
    browser.post(path, &[&fields[..], more].concat()).await
}

/// Registers an application with the form, and returns the answer.
async fn register(olga: &Browser<'_>, more: &[(&str, &str)]) -> Answer {
    let page = olga.open("/applications").await;
    act(olga, &page, "/applications/register", more).await
}

const REPORTS: [(&str, &str); 4] = [
    ("name", "Reports"),
    ("redirect_uris", " https://reports.example/cb \r\n\r\nhttps://reports.example/cb2"),
    ("type", "confidential"),
    ("scope", "config:read"),
];

async fn all(site: &Site) -> Vec<Client> {
    list_applications(&site.app, &Actor::Command).await.unwrap()
}

#[tokio::test]
async fn an_owner_registers_an_application_and_sees_its_secret_once() {
    let site = shop().await;
    let olga = owner(&site).await;

    let made = register(&olga, &REPORTS).await;
    let path = format!("/applications/{}", shown(&made, "client-id"));
    let secret = shown(&made, "new-secret");
    let again = olga.open(&path).await;
    let list = olga.open("/applications").await;

    assert_eq!((made.status.as_u16(), made.header("cache-control")), (201, "no-store"));
    assert!(secret.starts_with("assay_"), "{secret}");
    assert!(!again.body.contains(secret));
    assert!(list.body.contains(&format!("<a href=\"{path}\"><bdi>Reports</bdi></a>")));
    assert!(list.body.contains("https://reports.example/cb and 1 more"), "{}", list.body);
    let kept = all(&site).await;
    assert_eq!(kept[0].redirect_uris.len(), 2);
    assert_eq!(kept[0].scope.unwrap().to_string(), "config:read");
}

#[tokio::test]
async fn a_form_that_is_wrong_comes_back_as_it_was_filled_in() {
    let site = shop().await;
    let olga = owner(&site).await;
    let uri = ("redirect_uris", "http://reports.example/cb");

    let plain = register(&olga, &[("name", "<b>R"), uri, ("scope", "publish")]).await;
    let nothing =
        register(&olga, &[("name", "R"), ("redirect_uris", "https://reports.example/cb")]).await;
    let nameless = register(&olga, &[uri, ("scope", "publish")]).await;

    for refused in [&plain, &nothing, &nameless] {
        assert_eq!(refused.status.as_u16(), 422, "{}", refused.body);
    }
    assert!(plain.body.contains("value=\"&#60;b&#62;R\""), "{}", plain.body);
    assert!(plain.body.contains("http://reports.example/cb</textarea>"), "{}", plain.body);
    assert!(plain.body.contains("must be https, or http on 127.0.0.1"), "{}", plain.body);
    assert!(nothing.body.contains("Choose at least one."), "{}", nothing.body);
    assert!(nameless.body.contains("is 1 to 100 visible characters"), "{}", nameless.body);
    assert_eq!(all(&site).await.len(), 0);
}

#[tokio::test]
async fn an_application_changes_its_secret_without_a_pause() {
    let site = shop().await;
    let olga = owner(&site).await;
    let made = register(&olga, &REPORTS).await;
    let path = format!("/applications/{}", shown(&made, "client-id"));
    let first = all(&site).await[0].secrets[0].id.clone();

    let second = act(&olga, &made, &format!("{path}/add-secret"), &[("note", "2026")]).await;
    let third = act(&olga, &made, &format!("{path}/add-secret"), &[]).await;
    let removal = [("secret", first.as_str())];
    let removed = act(&olga, &made, &format!("{path}/remove-secret"), &removal).await;
    let twice = act(&olga, &second, &format!("{path}/remove-secret"), &removal).await;
    let page = olga.open(&path).await;

    assert_eq!((second.status.as_u16(), third.status.as_u16()), (201, 409));
    assert_ne!(shown(&second, "new-secret"), shown(&made, "new-secret"));
    assert!(third.body.contains("has 2 secrets already"), "{}", third.body);
    assert_eq!(removed.location(), format!("{path}?done=secret-removed"));
    assert_eq!(twice.location(), format!("{path}?problem=no-secret"));
    assert!(page.body.contains("<bdi>2026</bdi>"), "{}", page.body);
    assert!(!page.body.contains(&first), "{}", page.body);
}

#[tokio::test]
async fn a_change_meanwhile_is_told_before_anything_changes() {
    let site = shop().await;
    let olga = owner(&site).await;
    let made = register(&olga, &REPORTS).await;
    let path = format!("/applications/{}", shown(&made, "client-id"));
    let change = format!("{path}/change");
    let uris = ("redirect_uris", "https://reports.example/cb");
    let scopes = [("scope", "config:read"), ("scope", "results:read")];

    let renamed = [&[("name", "Weekly reports"), uris][..], &scopes].concat();
    let changed = act(&olga, &made, &change, &renamed).await;
    let stale = act(&olga, &made, &change, &[("name", "Mine"), uris, scopes[0]]).await;

    assert_eq!(changed.location(), format!("{path}?done=changed"));
    assert_eq!(stale.status.as_u16(), 409, "{}", stale.body);
    assert!(stale.body.contains("changed this application meanwhile"), "{}", stale.body);
    assert!(stale.body.contains("value=\"Mine\""), "{}", stale.body);
    let kept = &all(&site).await[0];
    assert_eq!((kept.name.as_str(), kept.redirect_uris.len()), ("Weekly reports", 1));
    assert_eq!(kept.scope.unwrap().to_string(), "config:read results:read");
}

#[tokio::test]
async fn an_application_is_switched_off_and_on_and_removed() {
    let site = shop().await;
    let olga = owner(&site).await;
    let made = register(&olga, &[&REPORTS[..2], &[("type", "public"), REPORTS[3]]].concat()).await;
    let path = format!("/applications/{}", shown(&made, "client-id"));
    let is_off = async || all(&site).await[0].disabled_at.is_some();

    assert!(made.body.contains("It has no secret, and proves itself by PKCE."), "{}", made.body);
    assert_eq!(all(&site).await[0].kind, ClientKind::Public);
    let off = act(&olga, &made, &format!("{path}/disable"), &[]).await;
    assert_eq!(off.location(), format!("{path}?done=disabled"));
    assert!(is_off().await);
    assert!(olga.open(&path).await.body.contains("<h3>Off since"));
    act(&olga, &made, &format!("{path}/enable"), &[]).await;
    assert!(!is_off().await);
    let removed = act(&olga, &made, &format!("{path}/remove"), &[]).await;
    assert_eq!(removed.location(), "/applications?done=removed");
    let double_click = act(&olga, &made, &format!("{path}/remove"), &[]).await;
    assert_eq!(double_click.location(), removed.location());
    let csrf = token_of_another_tab(&made);
    let twice = olga.post(&format!("{path}/remove"), &[("csrf", &csrf)]).await;
    assert_eq!(twice.location(), "/applications?problem=gone");
    assert_eq!(olga.open(&path).await.status.as_u16(), 404);
}

#[tokio::test]
async fn what_a_project_file_declares_is_shown_and_stays() {
    let site = shop().await;
    let olga = owner(&site).await;
    let declared = DeclaredApplication {
        client_id: "ci".to_owned(),
        name: "CI".to_owned(),
        redirect_uris: vec!["https://ci.example/cb".to_owned()],
        scope: None,
        secret: Some(SecretString::from("a secret of thirty-two characters")),
    };
    declare_application(&site.app, declared).await.unwrap();
    let page = olga.open("/applications/ci").await;

    let removed = act(&olga, &page, "/applications/ci/remove", &[]).await;
    let secret = act(&olga, &page, "/applications/ci/add-secret", &[]).await;
    let uris = ("redirect_uris", "https://evil.example/cb");
    let change = [("name", "CI"), uris, REPORTS[3]];
    let changed = act(&olga, &page, "/applications/ci/change", &change).await;

    assert!(page.body.contains("Change it there"), "{}", page.body);
    assert!(!page.body.contains("/applications/ci/remove\""), "{}", page.body);
    for refused in [removed, secret, changed] {
        assert_eq!(refused.status.as_u16(), 409, "{}", refused.body);
        assert!(refused.body.contains("declared in a project file"), "{}", refused.body);
    }
    let kept = find_application(&site.app, &Actor::Command, &"ci".parse().unwrap()).await.unwrap();
    assert_eq!(kept.unwrap().redirect_uris[0].as_str(), "https://ci.example/cb");
}

#[tokio::test]
async fn an_admin_of_one_project_learns_who_manages_applications() {
    let site = shop().await;
    let olga = owner(&site).await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let made = register(&olga, &REPORTS).await;
    let path = format!("/applications/{}", shown(&made, "client-id"));

    let page = ada.open("/applications").await;
    let other = ada.open(&path).await;
    let foreign = act(&ada, &made, &format!("{path}/disable"), &[]).await;
    let own = olga.post(&format!("{path}/disable"), &[("csrf", form_token(&page))]).await;
    let registration = [&[("csrf", form_token(&page))], &REPORTS[..]].concat();
    let forged = ada.post("/applications/register", &registration).await;

    assert!(page.body.contains("Admins and owners of the whole server"), "{}", page.body);
    assert!(!page.body.contains("Reports"), "{}", page.body);
    for refused in [other, foreign, own, forged] {
        assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
    }
    assert!(all(&site).await[0].disabled_at.is_none());
}
