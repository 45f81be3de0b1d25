//! Admins see how many events of a project are kept, what is kept of a visitor, and delete either.

use serde_json::json;
use storage::Role;

use super::browser_of;
use crate::browser::{Browser, form_token};
use crate::events::{batch, bought, exposure, now, publish, send};
use crate::site::{Answer, Site};

const PAGE: &str = "/projects/1000/collected-events";

/// A shop of which ada and bob have done something.
async fn shop() -> Site {
    let site = Site::start();
    publish(&site, "on").await;
    let at = now(&site);
    send(&site, &batch("ada", &[exposure("e", at, "5001"), bought("o", at)])).await;
    send(&site, &batch("bob", &[bought("o", at)])).await;
    site
}

async fn act(browser: &Browser<'_>, verb: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.open(PAGE).await;
    let fields = [&[("csrf", form_token(&page))], fields].concat();
    browser.post(&format!("{PAGE}/{verb}"), &fields).await
}

/// A reload of the page that follows deletes nothing.
async fn assert_leads_to(browser: &Browser<'_>, answer: &Answer, query: &str, words: &str) {
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.body);
    assert_eq!(answer.header("location"), format!("{PAGE}{query}"));
    let page = browser.open(answer.header("location")).await;
    assert!(page.body.contains(words), "{}", page.body);
}

async fn kept(site: &Site) -> u64 {
    site.app.store().weigh_events("1000".parse().unwrap()).await.unwrap().events
}

#[tokio::test]
async fn an_admin_sees_how_many_events_are_kept_and_comes_there_from_the_settings() {
    let site = shop().await;
    let adam = browser_of(&site, "adam", Role::Admin).await;

    let page = adam.open(PAGE).await;

    assert!(page.body.contains("3 events of what visitors saw and did"), "{}", page.body);
    assert!(page.body.contains("deleted 400 days after they happened"), "{}", page.body);
    assert!(adam.open("/projects/1000/settings").await.body.contains(PAGE));
}

#[tokio::test]
async fn members_below_admin_neither_see_nor_delete_events() {
    let site = shop().await;
    for (name, role) in [("vic", Role::Viewer), ("eva", Role::Editor), ("pia", Role::Publisher)] {
        let browser = browser_of(&site, name, role).await;
        let settings = browser.open("/projects/1000/settings").await;

        let page = browser.open(PAGE).await;

        assert_eq!(page.status.as_u16(), 403, "{name}");
        assert!(!page.body.contains("3 events"), "{}", page.body);
        assert!(!settings.body.contains(PAGE), "{name} is not led there");
        let csrf = [("csrf", form_token(&settings))];
        for (verb, more) in [
            ("download", &[("visitor", "ada")][..]),
            ("forget", &[("visitor", "ada")]),
            ("delete", &[("which", "all"), ("key", "shop")]),
        ] {
            let fields = [&csrf, more].concat();
            let refused = browser.post(&format!("{PAGE}/{verb}"), &fields).await;
            assert_eq!(refused.status.as_u16(), 403, "{name}: {verb}");
        }
    }
    assert_eq!(kept(&site).await, 3);
}

#[tokio::test]
async fn what_is_kept_of_a_visitor_is_downloaded_and_deleted() {
    let site = shop().await;
    let adam = browser_of(&site, "adam", Role::Admin).await;

    let file = act(&adam, "download", &[("visitor", " ada "), ("by", "id")]).await;

    let told = file.json();
    let number = told["visitor"].as_str().unwrap();
    assert_eq!((&told["total"], &told["events"][0]["kind"]), (&json!(2), &json!("exposure")));
    let name = format!("attachment; filename=\"project-1000-visitor-{number}.json\"");
    assert_eq!(file.header("content-disposition"), name);
    let forgotten = act(&adam, "forget", &[("visitor", number), ("by", "number")]).await;
    assert_leads_to(&adam, &forgotten, "?done=deleted", "These events are deleted.").await;
    assert_eq!(kept(&site).await, 1, "that of bob");
}

#[tokio::test]
async fn a_form_that_names_no_visitor_does_nothing_and_says_so() {
    let site = shop().await;
    let adam = browser_of(&site, "adam", Role::Admin).await;

    for verb in ["download", "forget"] {
        let nobody = act(&adam, verb, &[("visitor", " "), ("by", "id")]).await;
        let no_number = act(&adam, verb, &[("visitor", "ada"), ("by", "number")]).await;

        for (refused, words) in [(nobody, "Which visitor?"), (no_number, "No visitor has this")] {
            assert_eq!(refused.status.as_u16(), 422, "{}", refused.body);
            assert!(refused.body.contains(words), "{}", refused.body);
        }
    }
    assert_eq!(kept(&site).await, 3);
}

#[tokio::test]
async fn events_of_the_project_are_deleted_once_its_key_is_typed() {
    let site = shop().await;
    let adam = browser_of(&site, "adam", Role::Admin).await;
    for fields in [
        [("which", "all"), ("before", ""), ("key", "")],
        [("which", "all"), ("before", ""), ("key", "Shop")],
        [("which", "before"), ("before", ""), ("key", "shop")],
    ] {
        let refused = act(&adam, "delete", &fields).await;
        assert_eq!(refused.status.as_u16(), 422, "{fields:?}");
        assert!(refused.body.contains("<details class=\"inset\" open>"), "{}", refused.body);
    }
    let before = [("which", "before"), ("before", "2027-01-15"), ("key", "shop")];
    let none = act(&adam, "delete", &before).await;
    assert_leads_to(&adam, &none, "?done=none", "There were no such events.").await;

    let all = act(&adam, "delete", &[("which", "all"), ("before", ""), ("key", "shop")]).await;

    assert_leads_to(&adam, &all, "?done=deleted", "No events.").await;
    assert_eq!(kept(&site).await, 0);
}
