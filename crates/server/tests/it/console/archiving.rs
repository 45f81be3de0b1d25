//! Members archive a project in the console and restore it; an owner of the server deletes it for good.

use app::revisions::publish_draft;
use app::roles::Actor;
use storage::Role;

use super::{browser_of, owner, shop};
use crate::browser::{Browser, form_token};
use crate::site::{Answer, Site};

const PAGE: &str = "/projects/1000/archiving";

async fn act(browser: &Browser<'_>, verb: &str, more: &[(&str, &str)]) -> Answer {
    let page = browser.open(PAGE).await;
    let fields = [&[("csrf", form_token(&page))], more].concat();
    browser.post(&format!("{PAGE}/{verb}"), &fields).await
}

async fn publish(site: &Site) {
    let id = "1000".parse().unwrap();
    publish_draft(&site.app, &Actor::Command, id, String::new(), |_| true).await.unwrap();
}

#[tokio::test]
async fn an_owner_archives_a_project_sees_what_visitors_get_and_deletes_it_by_its_key() {
    let site = shop().await;
    let olga = owner(&site).await;
    let settings = olga.open("/projects/1000/settings").await;
    assert!(settings.body.contains(&format!("href=\"{PAGE}\"")), "{}", settings.body);
    let campaigns = "/projects/1000/campaigns";
    assert!(!olga.open(campaigns).await.body.contains("This project is archived"));
    assert!(!olga.open(PAGE).await.body.contains("Delete this project"), "it is in use");

    let archived = act(&olga, "archive", &[]).await;

    assert_eq!(archived.header("location"), format!("{PAGE}?done=archived"));
    let told = olga.open(archived.header("location")).await.body;
    assert!(told.contains("The project is archived in the draft."), "{told}");
    let note = olga.open(campaigns).await.body;
    assert!(note.contains("This project is archived, and was never published."), "{note}");
    let listed = olga.open("/?archived=yes").await.body;
    assert!(listed.contains("href=\"/projects/1000\""), "{listed}");

    let refused = act(&olga, "delete", &[("key", "shop2")]).await;
    assert_eq!(refused.status.as_u16(), 422);
    assert!(refused.body.contains("This is not the key of the project. Nothing was deleted."));
    let deleted = act(&olga, "delete", &[("key", " shop ")]).await;

    assert_eq!((deleted.status.as_u16(), deleted.header("location")), (303, "/?done=deleted"));
    let told = olga.open("/?done=deleted").await.body;
    assert!(told.contains("The project is deleted for good"), "{told}");
    assert_eq!(olga.open("/projects/1000").await.status.as_u16(), 404);
    assert!(!olga.open("/?archived=yes").await.body.contains("/projects/1000"));
}

#[tokio::test]
async fn each_page_of_an_archived_project_says_since_when_visitors_get_nothing() {
    let site = shop().await;
    let olga = owner(&site).await;
    publish(&site).await;
    act(&olga, "archive", &[]).await;
    let page = "/projects/1000/pages";
    let in_draft = olga.open(page).await.body;
    publish(&site).await;
    let live = olga.open(page).await.body;
    act(&olga, "restore", &[]).await;
    let restored = olga.open(page).await.body;
    publish(&site).await;

    assert!(in_draft.contains("archived in the draft. Visitors get what is live"), "{in_draft}");
    let since = "Visitors get an empty snippet since <time datetime=\"2027-01-15T08:00:00Z\">";
    assert!(live.contains(since), "{live}");
    assert!(restored.contains("This project is restored in the draft."), "{restored}");
    assert!(!olga.open(page).await.body.contains("aria-label=\"Archived\""));
}

#[tokio::test]
async fn an_editor_archives_and_restores_and_deletes_nothing() {
    let site = shop().await;
    let eva = browser_of(&site, "eva", Role::Editor).await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    let refused = act(&vic, "archive", &[]).await;
    assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);

    act(&eva, "archive", &[]).await;

    let page = eva.open(PAGE).await.body;
    assert!(page.contains("Restore the project") && !page.contains("Delete for good"), "{page}");
    let refused = act(&eva, "delete", &[("key", "shop")]).await;
    assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
    act(&eva, "restore", &[]).await;
    assert!(eva.open(PAGE).await.body.contains("Archive the project"));
}

#[tokio::test]
async fn a_campaign_of_an_archived_project_is_not_started() {
    let site = shop().await;
    let olga = owner(&site).await;
    act(&olga, "archive", &[]).await;
    let campaign = "/projects/1000/campaigns/3001";
    let page = olga.open(campaign).await;
    let etag = crate::browser::hidden_fields(&page.body);
    let etag = etag.iter().find(|(name, _)| name == "etag").map_or("", |(_, value)| value);
    let fields = [("csrf", form_token(&page)), ("action", "start"), ("etag", etag)];

    let refused = olga.post(&format!("{campaign}/act"), &fields).await;

    assert_eq!(refused.status.as_u16(), 409, "{}", refused.body);
    assert!(refused.body.contains("on the page that its settings lead to"), "{}", refused.body);
}
