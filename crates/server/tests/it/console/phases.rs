//! A new phase of a running experiment waits in the draft: what members can do meanwhile with what visitors meet, and what they are told.

use app::revisions::{Restoration, publish_draft, restore_revision};
use app::roles::Actor;
use domain::ProjectId;
use storage::Role;

use super::campaigns::{HERO, act, running};
use super::{browser_of, shop};
use crate::browser::{Browser, form_token};
use crate::events;
use crate::site::{Answer, Site};

const HOME: &str = "/projects/1000";

fn project() -> ProjectId {
    "1000".parse().unwrap()
}

/// Presses the button that begins a new phase of the experiment 4001, which visitors take part in.
async fn begin_phase(browser: &Browser<'_>) -> Answer {
    let page = browser.open(HERO).await;
    let fields = [("csrf", form_token(&page)), ("experiment", "4001")];
    let begun = browser.post(&format!("{HERO}/new-phase"), &fields).await;
    browser.open(begun.location()).await
}

async fn act_on(browser: &Browser<'_>, variation: &str, action: &str) -> Answer {
    let page = browser.open(HERO).await;
    let fields = [("csrf", form_token(&page)), ("variation", variation), ("action", action)];
    browser.post(&format!("{HERO}/act-on-variation"), &fields).await
}

/// The variations that a campaign's page has buttons for.
fn listed(page: &str) -> Vec<String> {
    let ids = page.split("name=\"variation\" value=\"").skip(1);
    ids.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

async fn publish_the_draft(site: &Site) {
    publish_draft(&site.app, &Actor::Command, project(), String::new(), |_| true).await.unwrap();
}

#[tokio::test]
async fn a_variation_that_visitors_meet_is_paused_while_a_new_phase_waits() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    running(&browser).await;
    let waiting = begin_phase(&browser).await.body;
    let [live, next] = <[String; 2]>::try_from(listed(&waiting)).expect(&waiting);
    let before = site.get("/js/1000.js").await.body;

    let paused = act_on(&browser, &live, "pause").await;
    let page = browser.open(paused.location()).await.body;
    let stopped = site.get("/js/1000.js").await.body;
    let in_draft = act_on(&browser, &next, "pause").await;
    let told = browser.open(in_draft.location()).await.body;

    assert_eq!(live, "5001", "what visitors get comes first: {waiting}");
    assert!(waiting.contains(">what visitors get<") && waiting.contains(">in the draft alone<"));
    assert_eq!(paused.location(), format!("{HERO}?done=pause-variation"));
    assert!(page.contains(">Resume<span") && page.contains(">Pause in the draft<span"), "{page}");
    assert_ne!(stopped, before, "it goes live at once");
    assert_eq!(in_draft.location(), format!("{HERO}?done=pause-in-draft"));
    assert!(told.contains("paused in the draft alone"), "{told}");
    assert_eq!(site.get("/js/1000.js").await.body, stopped, "no visitor notices that");
}

#[tokio::test]
async fn no_winner_is_named_while_a_new_phase_waits() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    running(&browser).await;
    let form = browser.open(&format!("{HERO}/conclude?winner=5001")).await;
    begin_phase(&browser).await;

    let waiting = browser.open(&format!("{HERO}/conclude?winner=5001")).await;
    let shipping = [("action", "conclude"), ("winner", "5001"), ("ship", "yes")];
    let refused = act(&browser, &waiting, &shipping).await;
    let status = browser.open(HERO).await.body;
    let concluded = act(&browser, &waiting, &[("action", "conclude")]).await;

    assert!(form.body.contains("value=\"5001\" checked"), "{}", form.body);
    assert_eq!(refused.status.as_u16(), 422, "{}", refused.body);
    assert!(refused.body.contains("Nothing was concluded"), "{}", refused.body);
    for page in [waiting.body, refused.body] {
        assert!(page.contains("A new phase waits in the draft"), "{page}");
        assert!(page.contains("href=\"/projects/1000/discard\""), "{page}");
        assert!(!page.contains("name=\"winner\"") && !page.contains("name=\"ship\""), "{page}");
    }
    assert!(status.contains("<span class=\"pill running\">"), "{status}");
    assert_eq!(concluded.location(), format!("{HERO}?done=conclude"));
}

#[tokio::test]
async fn members_read_what_becomes_of_results_before_they_begin_and_publish_a_new_phase() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let before = running(&browser).await.body;

    let waiting = begin_phase(&browser).await.body;
    let home = browser.open(HOME).await.body;
    publish_the_draft(&site).await;
    let (after, home_after) = (browser.open(HERO).await.body, browser.open(HOME).await.body);

    let results = format!("href=\"{HERO}/results\"");
    let revision = "href=\"/projects/1000/history/1\">revision 1</a>";
    assert!(before.contains("Those of the present one are no longer shown"), "{before}");
    assert!(waiting.contains("The results of this one are then no longer shown"), "{waiting}");
    assert!(home.contains("What results lose") && home.contains(&results), "{home}");
    for page in [before, waiting, home] {
        assert!(page.contains(revision), "{page}");
    }
    assert!(!after.contains(">what visitors get<") && !home_after.contains("What results lose"));
}

#[tokio::test]
async fn results_of_an_earlier_phase_come_back_with_its_revision() {
    let site = Site::start();
    events::publish(&site, "on").await;
    events::let_visitors_come(&site).await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let results = async || browser.open(&format!("{HERO}/results")).await.body;
    let counted = "With <q>b</q>, between";
    running(&browser).await;
    let first = results().await;

    begin_phase(&browser).await;
    publish_the_draft(&site).await;
    let next = results().await;
    let restoration = Restoration { number: 2, message: String::new(), expected: None };
    restore_revision(&site.app, &Actor::Command, project(), restoration).await.unwrap();

    assert!(first.contains(counted), "{first}");
    assert!(next.contains("There is nothing to tell yet"), "{next}");
    assert!(results().await.contains(counted));
}
