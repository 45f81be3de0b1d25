//! The lists of resources: what each line says, and what a search finds.

use storage::Role;

use super::campaigns::running;
use super::{browser_of, shop};

const CAMPAIGNS: &str = "/projects/1000/campaigns";

#[tokio::test]
async fn a_campaign_is_found_by_its_status_and_by_its_whole_id() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    running(&browser).await;
    let found = async |text: &str| {
        let page = browser.open(&format!("{CAMPAIGNS}?text={text}")).await.body;
        let has = |id: &str| page.contains(&format!("<a href=\"{CAMPAIGNS}/{id}\">"));
        [has("3001"), has("3002")]
    };

    assert_eq!(found("Running").await, [true, false]);
    assert_eq!(found("not+started").await, [false, true]);
    assert_eq!(found("3002").await, [false, true]);
    assert_eq!(found("300").await, [false, false], "a part of an id is none");
}

#[tokio::test]
async fn campaigns_are_listed_by_status_and_the_last_one_first() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    running(&browser).await;
    let listed = async |query: &str| {
        let page = browser.open(&format!("{CAMPAIGNS}?{query}")).await.body;
        let link = format!("<h2><a href=\"{CAMPAIGNS}/");
        let links = page.split(&link).skip(1);
        links.map(|link| link.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };

    assert_eq!(listed("status=running").await, ["3001"]);
    assert_eq!(listed("status=not_started&sort=name").await, ["3002"]);
    assert_eq!(listed("status=paused").await, [""; 0]);
    assert_eq!(listed("").await, ["3001", "3002"]);
    assert_eq!(listed("sort=newest").await, ["3002", "3001"]);
}

#[tokio::test]
async fn a_line_says_what_is_published_and_that_nothing_uses_what_needs_a_user() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    running(&browser).await;

    let campaigns = browser.open(CAMPAIGNS).await.body;
    let audiences = browser.open("/projects/1000/audiences").await.body;

    assert!(campaigns.contains("<span class=\"pill\">published</span>"), "{campaigns}");
    assert!(campaigns.contains("added in the draft"), "{campaigns}");
    assert!(!campaigns.contains("Nothing uses it") && !campaigns.contains(">live<"), "{campaigns}");
    assert!(audiences.contains("Nothing uses it"), "{audiences}");
}
