//! Whether Assay counts what visitors do, and whether a campaign runs: what pages say of it before there are results.

use app::revisions::publish_draft;
use app::roles::Actor;
use storage::Role;

use super::campaigns::{HERO, act, running};
use super::filled_form::FilledForm;
use super::{browser_of, shop};
use crate::browser::Browser;

const HOME: &str = "/projects/1000";

/// Sets in the draft that results are counted here.
async fn count_here(browser: &Browser<'_>) {
    let form = FilledForm::of(&browser.open("/projects/1000/settings").await);
    form.with("/results", "on").save(browser).await;
}

#[tokio::test]
async fn a_campaign_says_that_counting_is_in_the_draft_alone() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let note = "What visitors do is not counted";
    running(&browser).await;
    let without = browser.open(HERO).await.body;

    count_here(&browser).await;
    let (waiting, home) = (browser.open(HERO).await.body, browser.open(HOME).await.body);
    let project = "1000".parse().unwrap();
    publish_draft(&site.app, &Actor::Command, project, String::new(), |_| true).await.unwrap();
    let (counted, home_after) = (browser.open(HERO).await.body, browser.open(HOME).await.body);

    assert!(!without.contains(note), "the project does not count: {without}");
    assert!(waiting.contains(note) && waiting.contains("Publish the draft</a>"), "{waiting}");
    assert!(home.contains("Assay counts none yet: that it counts is set in the draft"), "{home}");
    assert!(!counted.contains(note), "{counted}");
    assert!(home_after.contains("Assay counts them"), "{home_after}");
}

#[tokio::test]
async fn the_first_start_takes_counting_along() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;

    count_here(&browser).await;
    let home = browser.open(HOME).await.body;
    let started = running(&browser).await.body;

    assert!(home.contains("Assay counts them"), "{home}");
    assert!(!started.contains("What visitors do is not counted"), "{started}");
    let results = browser.open(&format!("{HERO}/results")).await.body;
    assert!(results.contains("done</span> The live snippet sends"), "{results}");
}

#[tokio::test]
async fn results_that_are_missing_say_whether_the_campaign_runs() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let results = async || browser.open(&format!("{HERO}/results")).await.body;

    let not_started = results().await;
    let page = running(&browser).await;
    let runs = results().await;
    act(&browser, &page, &[("action", "pause")]).await;
    let paused = results().await;

    let campaign = format!("<a href=\"{HERO}\">");
    assert!(not_started.contains(&format!("{campaign}Start it</a>")), "{not_started}");
    assert!(runs.contains("done</span> The campaign is live."), "{runs}");
    assert!(paused.contains("missing</span> The campaign is live. It is paused."), "{paused}");
    assert!(paused.contains(&format!("{campaign}Resume it</a>")), "{paused}");
    assert!(runs.contains("missing</span> Another variation, or a holdback."), "{runs}");
}
