//! The page of the audit log: those who may read it search it, and pass what they found on by its address.

use app::documents::ResourceKind;
use app::drafts::ExpectedVersion;
use app::resources::change_resource;
use app::roles::Actor;
use serde_json::json;
use storage::Role;

use super::{browser_of, owner, shop};
use crate::site::{Answer, Site};

/// The headings of the entries, newest first.
fn events(page: &Answer) -> Vec<&str> {
    let (_, list) = page.body.split_once("id=\"found\"").unwrap_or_default();
    list.split("<h3>")
        .skip(1)
        .map(|entry| entry.split(['<', '\n']).next().unwrap().trim())
        .collect()
}

async fn rename_home(site: &Site, name: &str) {
    let change = json!({ "name": name }).as_object().unwrap().clone();
    let change = (change, ExpectedVersion::any());
    let page = (ResourceKind::Page, "2001".to_owned());
    let shop = "1000".parse().unwrap();
    change_resource(&site.app, &Actor::Command, shop, page, change).await.unwrap();
}

#[tokio::test]
async fn an_owner_finds_who_did_what_in_a_project() {
    let site = shop().await;
    let olga = owner(&site).await;
    rename_home(&site, "<b>Start</b>").await;

    let everything = olga.open("/audit").await;
    let in_shop = olga.open("/audit?project=1000&event=draft.changed").await;
    let elsewhere = olga.open("/audit?project=1001").await;

    assert_eq!(events(&everything)[..2], ["Draft changed", "Session started"]);
    assert_eq!(events(&in_shop), ["Draft changed"]);
    assert!(in_shop.body.contains("<option value=\"1000\" selected>Shop</option>"));
    assert!(in_shop.body.contains("in <a href=\"/projects/1000\"><bdi>Shop</bdi></a>"));
    assert!(in_shop.body.contains("by <bdi>the operator, at a terminal</bdi>"));
    assert!(in_shop.body.contains("&#60;b&#62;Start&#60;/b&#62;"), "{}", in_shop.body);
    assert!(elsewhere.body.contains("No entry matches."), "{}", elsewhere.body);
}

#[tokio::test]
async fn an_owner_finds_what_a_person_did_and_what_was_done_about_them() {
    let site = shop().await;
    let olga = owner(&site).await;
    browser_of(&site, "vic", Role::Viewer).await;

    let of_vic = olga.open("/audit?person=+vic%40example.com+").await;
    let today = olga.open("/audit?person=vic@example.com&since=2027-01-15&until=2027-01-15").await;
    let later = olga.open("/audit?person=vic@example.com&since=2027-01-16").await;
    let cut = olga.open("/audit?person=vic@example.com&since=2027-0&event=x&page=-1").await;

    assert_eq!(events(&of_vic), ["Session started", "Member added"]);
    assert_eq!(events(&today), events(&of_vic));
    assert_eq!(events(&later), [""; 0]);
    assert_eq!(events(&cut), events(&of_vic), "what cannot be read narrows nothing");
    assert!(of_vic.body.contains("value=\"vic@example.com\""), "{}", of_vic.body);
}

#[tokio::test]
async fn a_long_log_comes_in_pages_that_keep_the_search() {
    let site = shop().await;
    let olga = owner(&site).await;
    for number in 0..51 {
        rename_home(&site, &format!("Name {number}")).await;
    }

    let first = olga.open("/audit?project=1000&event=draft.changed").await;
    let older = "/audit?project=1000&event=draft.changed&page=2";
    let second = olga.open(older).await;

    assert_eq!((events(&first).len(), events(&second).len()), (50, 1));
    let link = format!("href=\"{}\" rel=\"next\"", older.replace('&', "&#38;"));
    assert!(first.body.contains(&link), "{}", first.body);
    assert!(second.body.contains("rel=\"prev\""), "{}", second.body);
}

#[tokio::test]
async fn an_admin_of_one_project_learns_who_reads_the_log() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;

    let page = ada.open("/audit").await;

    assert!(page.body.contains("Admins and owners of the whole server."), "{}", page.body);
    assert_eq!(events(&page), [""; 0]);
}
