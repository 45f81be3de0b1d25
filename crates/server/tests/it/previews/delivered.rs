//! `/js/{project}.js?preview=<token>`.

use super::{SHOP, shop, token_of};
use crate::shop::publish_text;
use crate::site::{Answer, Site};

async fn preview(site: &Site, token: &str) -> Answer {
    site.get(&format!("/js/1000.js?preview={token}")).await
}

/// A script that tells the person why there is no preview, and holds nothing of the project.
fn assert_refused(answer: &Answer, reason: &str) {
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
    assert!(answer.body.contains("sessionStorage.removeItem"), "{}", answer.body);
    assert!(answer.body.contains(reason), "{reason} in {}", answer.body);
    assert!(answer.body.len() < 300, "{}", answer.body);
}

const NOT_SIGNED: &str = "this link is not as it was made";

#[tokio::test]
async fn a_link_shows_a_variation_of_a_campaign_that_does_not_run() {
    let site = shop().await;
    let token = token_of(&site, &["short"]).await;

    let answer = preview(&site, &token).await;
    let live = site.get("/js/1000.js").await;

    assert_eq!(answer.status.as_u16(), 200);
    assert!(answer.body.contains("Ship faster"), "{}", answer.body);
    assert!(!live.body.contains("Ship faster"), "{}", live.body);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin");
}

#[tokio::test]
async fn a_link_that_shows_nothing_says_why() {
    let site = shop().await;
    let token = token_of(&site, &["short"]).await;

    for altered in ["", "x", "%00", &token[1..], &format!("{token}A")] {
        assert_refused(&preview(&site, altered).await, NOT_SIGNED);
    }
    site.advance_seconds(7 * 86_400);
    assert_refused(&preview(&site, &token).await, "this link has expired");
}

#[tokio::test]
async fn a_tab_keeps_its_link_on_pages_of_another_project() {
    let site = shop().await;
    let token = token_of(&site, &["short"]).await;
    let other = SHOP.replace("1000", "9000").replace("key: shop", "key: other");
    publish_text(&site, &other).await;

    let elsewhere = site.get(&format!("/js/9000.js?preview={token}")).await;

    assert!(elsewhere.body.contains("for another project of this server"), "{}", elsewhere.body);
    assert!(!elsewhere.body.contains("removeItem"), "{}", elsewhere.body);
    assert!(preview(&site, &token).await.body.contains("Ship faster"));
}

#[tokio::test]
async fn a_link_follows_the_live_revision() {
    let site = shop().await;
    let token = token_of(&site, &["short"]).await;
    preview(&site, &token).await;

    publish_text(&site, &SHOP.replace("Ship faster", "Ship today")).await;
    let changed = preview(&site, &token).await;
    publish_text(&site, &SHOP.replace("5002", "5009")).await;
    let gone = preview(&site, &token).await;
    publish_text(&site, &SHOP.replace("preview: true", "preview: false")).await;
    let off = preview(&site, &token).await;

    assert!(changed.body.contains("Ship today"), "{}", changed.body);
    assert_refused(&gone, "not in the project any more");
    assert_refused(&off, "previews are switched off");
}

#[tokio::test]
async fn a_page_that_names_one_revision_can_be_previewed_too() {
    let site = shop().await;
    let token = token_of(&site, &["short"]).await;

    let hash = "0".repeat(32);
    let answer = site.get(&format!("/js/1000/{hash}.js?preview={token}")).await;

    assert!(answer.body.contains("Ship faster"));
    assert_eq!(answer.header("cache-control"), "private, no-store");
}

#[tokio::test]
async fn a_visitor_can_end_a_preview() {
    let site = shop().await;

    assert_refused(&preview(&site, "off").await, "what visitors see again");
}
