//! What the snippet weighs: in the console, and over REST.

use app::documents::ResourceKind;
use app::drafts::ExpectedVersion;
use app::resources::change_resource;
use app::revisions::{Side, snippet_size};
use app::roles::Actor;
use serde_json::json;
use storage::Role;

use super::campaigns::{HERO, act};
use super::{browser_of, shop};
use crate::oauth::token_call::fetch_tokens;
use crate::site::Site;

const SIZE: &str = "/projects/1000/size";

/// Lets the draft be as large as this name makes it.
async fn change_draft(site: &Site, name: &str) {
    let change = (json!({ "name": name }).as_object().unwrap().clone(), ExpectedVersion::any());
    let campaign = (ResourceKind::Campaign, "3001".to_owned());
    let id = "1000".parse().unwrap();
    change_resource(&site.app, &Actor::Command, id, campaign, change).await.unwrap();
}

/// Measures both states now: pages would do so in the background.
async fn measure(site: &Site) {
    for side in [Side::Live, Side::Draft] {
        snippet_size(&site.app, &Actor::Command, "1000".parse().unwrap(), side).await.unwrap();
    }
}

#[tokio::test]
async fn the_size_of_the_draft_is_compared_with_what_is_live() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    act(&browser, &browser.open(HERO).await, &[("action", "start")]).await;
    change_draft(&site, "A much longer name: zx9 quick 7kq fox wj4v <b> ü2p").await;

    let early = browser.open(SIZE).await.body;
    measure(&site).await;
    let page = browser.open(SIZE).await.body;

    assert!(early.contains("Assay is measuring") || early.contains("By feature"), "{early}");
    assert!(!page.contains("Assay is measuring"), "{page}");
    for shown in ["The whole snippet", "By feature", "By experiment", "<bdi>hero/hero</bdi>"] {
        assert!(page.contains(shown), "{shown} in {page}");
    }
    let (_, of_hero) = page.split_once("<bdi>hero/hero</bdi>").unwrap();
    let of_hero = of_hero.split("</tr>").next().unwrap();
    assert!(of_hero.contains("<rect class=\"of-live\"") && of_hero.contains(">+"), "{of_hero}");
    assert!(!page.contains(" style="), "the policy allows no style of a page's own");
}

#[tokio::test]
async fn a_project_that_was_never_published_has_the_size_of_its_draft() {
    let site = shop().await;
    let browser = browser_of(&site, "vic", Role::Viewer).await;
    snippet_size(&site.app, &Actor::Command, "1000".parse().unwrap(), Side::Draft).await.unwrap();

    let page = browser.open(SIZE).await.body;

    assert!(page.contains(">Draft</th>") && !page.contains(">Live</th><td"), "{page}");
    assert!(matches!(browser.open("/projects/9/size").await.status.as_u16(), 403 | 404));
}

#[tokio::test]
async fn programs_read_the_size_of_any_state() {
    let site = shop().await;
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "config:read").await.access;
    let weigh = async |query: &str| {
        site.get_as(&format!("/v1/projects/1000/snippet-size{query}"), &token).await
    };

    let early = weigh("").await;
    let browser = browser_of(&site, "pat", Role::Publisher).await;
    act(&browser, &browser.open(HERO).await, &[("action", "start")]).await;
    let (live, first) = (weigh("").await.json(), weigh("?revision=1").await.json());
    let draft = weigh("?revision=draft").await.json();

    assert_eq!(early.status.as_u16(), 409, "{}", early.body);
    assert_eq!(live, first);
    assert_eq!((&live["campaigns"], &live["experiments"]), (&json!(1), &json!(1)));
    assert_eq!(live["by_experiment"][0]["of"], "hero/hero");
    let published =
        app::revisions::find_revision_line(&site.app, &Actor::Command, "1000".parse().unwrap(), 1);
    assert_eq!(live["bytes"]["brotli"], published.await.unwrap().brotli_bytes);
    assert_eq!(draft["bytes"]["raw"], live["bytes"]["raw"]);
    for wrong in ["?revision=7", "?revision=next"] {
        assert!(matches!(weigh(wrong).await.status.as_u16(), 400 | 404), "{wrong}");
    }
}
