//! A new phase of a running experiment waits in the draft: what members can do meanwhile with what visitors meet, and what they are told.

use app::documents::ResourceKind;
use app::drafts::ExpectedVersion;
use app::resources::{Archiving, archive_resource, change_resource};
use app::revisions::publish_draft;
use app::roles::Actor;
use domain::ProjectId;
use serde_json::json;
use storage::Role;

use super::campaigns::{HERO, act, running};
use super::{browser_of, resource, shop};
use crate::browser::{Browser, form_token};
use crate::events;
use crate::oauth::token_call::fetch_tokens;
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

/// The shop whose campaign shows other visitors a second experience, started.
async fn with_second_experience(browser: &Browser<'_>, site: &Site) {
    let hero = (ResourceKind::Campaign, "3001".to_owned());
    let first = resource(site, hero.0, &hero.1).await["experiments"][0].clone();
    let second = json!({"id": "4101", "key": "second", "variations": [{"id": "5101", "key": "c", "weight": 10000}]});
    let patch = json!({"type": "personalization", "experiments": [first, second]});
    let wish = (patch.as_object().unwrap().clone(), ExpectedVersion::any());
    change_resource(&site.app, &Actor::Command, project(), hero, wish).await.unwrap();
    running(browser).await;
}

#[tokio::test]
async fn a_winner_of_another_experience_can_be_named_while_a_new_phase_waits() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    with_second_experience(&browser, &site).await;
    begin_phase(&browser).await;

    let form = browser.open(&format!("{HERO}/conclude")).await;
    let fields = [("action", "conclude"), ("winner", "5101")];
    let concluded = act(&browser, &form, &fields).await;

    assert!(form.body.contains("So no winner of it can be named now"), "{}", form.body);
    assert!(form.body.contains("In second</p>") && form.body.contains("value=\"5101\""));
    assert_eq!(form.body.matches("name=\"winner\"").count(), 2, "and that nothing won");
    assert!(!form.body.contains("name=\"ship\""), "{}", form.body);
    assert_eq!(concluded.location(), format!("{HERO}?done=conclude"), "{}", concluded.body);
    let named = resource(&site, ResourceKind::Campaign, "3001").await;
    assert_eq!(named["experiments"][1]["winner"], "5101");
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

    let results = format!(
        "The present phase of <b><bdi>hero</bdi></b> in <b><bdi>hero</bdi></b> ends. Its <a href=\"{HERO}/results\">"
    );
    assert!(before.contains("Those of the present one are listed below them"), "{before}");
    assert!(waiting.contains("A new phase takes its place when the draft is published"));
    assert!(home.contains("Which experiments end") && home.contains(&results), "{home}");
    assert!(
        !after.contains(">what visitors get<") && !home_after.contains("Which experiments end")
    );
}

#[tokio::test]
async fn an_experience_that_the_draft_only_archives_ends_without_a_new_phase() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    with_second_experience(&browser, &site).await;
    let second = (ResourceKind::Experiment, "4101".to_owned());
    let archiving = (Archiving::Archive, ExpectedVersion::any());
    archive_resource(&site.app, &Actor::Command, project(), second, archiving).await.unwrap();

    let (page, home) = (browser.open(HERO).await.body, browser.open(HOME).await.body);

    assert!(page.contains(">what visitors get<"), "{page}");
    assert!(page.contains("It ends when the draft is published. Its results are then"), "{page}");
    assert!(!page.contains("takes its place when"), "{page}");
    assert!(home.contains("Which experiments end") && !home.contains("present phase"), "{home}");
}

#[tokio::test]
async fn results_of_an_earlier_phase_stay_below_those_of_the_next_one() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    events::publish(&site, "on").await;
    events::let_visitors_come(&site).await;
    let browser = browser_of(&site, "eva", Role::Publisher).await;
    let results = async |query: &str| browser.open(&format!("{HERO}/results{query}")).await;
    let counted = "With <q>b</q>, between";
    running(&browser).await;
    let first = results("").await.body;

    begin_phase(&browser).await;
    publish_the_draft(&site).await;
    let next = results("").await.body;
    let earlier = results("?revision=2").await.body;
    let csv = results("/csv?revision=2").await;
    let path = "/v1/projects/1000/campaigns/hero/results";
    let live = site.get_as(path, &token).await.json();
    let past = site.get_as(&format!("{path}?revision=2"), &token).await.json();
    let text = site.get_as(&format!("{path}?revision=2&format=text"), &token).await.body;

    assert!(first.contains(counted) && !first.contains("Earlier experiments"), "{first}");
    assert!(next.contains("There is nothing to tell yet"), "{next}");
    let link = format!("href=\"{HERO}/results?revision=2\"><q>hero</q></a>, until revision 2");
    assert!(next.contains("Earlier experiments") && next.contains(&link), "{next}");
    assert!(earlier.contains(counted) && earlier.contains("Visitors get another revision now"));
    assert!(earlier.contains(&format!("{HERO}/results/csv?revision=2\"")), "{earlier}");
    for pointless in ["/conclude", "/share", "You can stop"] {
        assert!(!earlier.contains(pointless), "{pointless} in {earlier}");
    }
    assert_eq!(
        csv.header("content-disposition"),
        "attachment; filename=\"hero_text-results-2.csv\""
    );
    assert_eq!(csv.body.lines().count(), 1 + 2 * 2, "{}", csv.body);
    assert_eq!((&live["revision"], &live["is_past"]), (&json!(3), &json!(false)));
    assert_eq!(live["experiments"][0]["reason"], "no_visitor");
    assert_eq!(
        (&live["earlier"][0]["id"], &live["earlier"][0]["revision"]),
        (&json!("4001"), &json!(2))
    );
    assert_eq!((&past["revision"], &past["is_past"]), (&json!(2), &json!(true)));
    assert_eq!(past["experiments"][0]["results"]["variations"][1]["visitors"], 140);
    assert!(text.contains("This is what revision 2 has."), "{text}");
    assert_eq!(results("?revision=9").await.status.as_u16(), 404);
    assert_eq!(site.get_as(&format!("{path}?revision=9"), &token).await.status.as_u16(), 404);
}
