//! What starts and stops when: in the console, and over REST.

use std::time::Duration;

use app::documents::ResourceKind;
use app::drafts::ExpectedVersion;
use app::resources::change_resource;
use app::revisions::publish_draft;
use app::roles::Actor;
use app::schedules::{Ran, SteadyTime, run_due};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use storage::Role;

use super::campaigns::running;
use super::{browser_of, shop};
use crate::browser::form_token;
use crate::oauth::token_call::fetch_tokens;
use crate::site::Site;

const SCHEDULE: &str = "/projects/1000/schedule";

/// Sets the schedule of a campaign in the draft. The clock of a site begins on 15 January 2027, at 8:00 UTC.
async fn schedule(site: &Site, campaign: &str, schedule: Value) {
    let change = json!({"schedule": schedule, "name": format!("Campaign <{campaign}>")});
    let change = (change.as_object().unwrap().clone(), ExpectedVersion::any());
    let campaign = (ResourceKind::Campaign, campaign.to_owned());
    let id = "1000".parse().unwrap();
    change_resource(&site.app, &Actor::Command, id, campaign, change).await.unwrap();
}

async fn publish(site: &Site) {
    let id = "1000".parse().unwrap();
    publish_draft(&site.app, &Actor::Command, id, String::new(), |_| true).await.unwrap();
}

/// Acts on all campaigns of the shop over REST.
async fn act_on_all(site: &Site, token: &str, action: &str) -> Value {
    let request = Request::post("/v1/projects/1000/campaigns/actions")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json");
    let body = json!({ "action": action }).to_string();
    site.send(request.body(Body::from(body)).unwrap()).await.json()
}

/// A campaign as visitors get it, and in the draft.
async fn live_and_draft(site: &Site, token: &str, campaign: &str) -> [Value; 2] {
    let path = format!("/v1/projects/1000/campaigns/{campaign}");
    let live = site.get_as(&format!("{path}?state=live"), token).await.json();
    [live, site.get_as(&path, token).await.json()]
}

/// What is due happens, by a clock that was never set.
async fn run_due_moments(site: &Site) -> Ran {
    let time = SteadyTime { now: site.app.wall_time(), steady_for: Duration::MAX };
    run_due(&site.app, time).await.unwrap()
}

#[tokio::test]
async fn moments_are_listed_in_the_order_of_time_with_what_became_of_them() {
    let site = shop().await;
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "config:read").await.access;
    let browser = browser_of(&site, "vic", Role::Viewer).await;
    let states = async || {
        let answer = site.get_as("/v1/projects/1000/schedule", &token).await.json();
        let moments = answer["moments"].as_array().unwrap().iter();
        let line =
            |one: &Value| format!("{} {} {}", one["campaign_id"], one["action"], one["state"]);
        moments.map(|one| line(one).replace('"', "")).collect::<Vec<_>>()
    };
    let empty = browser.open(SCHEDULE).await.body;
    let hero = json!({"start": "2027-01-15T10:00", "stop": "2027-02-01T09:00", "time_zone": "Europe/Berlin"});
    schedule(&site, "3001", hero).await;
    let unpublished = states().await;
    publish(&site).await;
    schedule(&site, "3002", json!({"start": "2027-01-20T08:00"})).await;
    let planned = states().await;
    let page = browser.open(SCHEDULE).await.body;

    site.advance_seconds(3_601);
    run_due_moments(&site).await;
    let later = browser.open(SCHEDULE).await.body;

    assert!(empty.contains("Nothing is scheduled"), "{empty}");
    assert_eq!(unpublished, ["3001 start unpublished", "3001 stop unpublished"]);
    assert_eq!(planned, ["3001 start due", "3002 start unpublished", "3001 stop due"]);
    assert_eq!(states().await, ["3001 start done", "3002 start unpublished", "3001 stop due"]);
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text} in {page}"));
    let (start, stop) = ("2027-01-15 10:00 Europe/Berlin", "2027-02-01 09:00 Europe/Berlin");
    assert!(place(start) < place("not published") && place("not published") < place(stop));
    assert!(page.contains("<bdi>Campaign &#60;3001&#62;</bdi></a> starts"), "{page}");
    let (to_come, past) = later.split_once("id=\"past\"").unwrap();
    assert!(to_come.contains(stop) && past.contains(start) && past.contains(">done<"), "{later}");
    let foreign = browser.open("/projects/9/schedule").await.status.as_u16();
    assert!(matches!(foreign, 403 | 404), "{foreign}");
}

#[tokio::test]
async fn a_campaign_tells_that_its_start_was_missed_until_it_runs() {
    const MISSED: &str = "2027-01-15 10:00 UTC: missed. It will no longer start by itself";
    let site = shop().await;
    schedule(&site, "3001", json!({"start": "2027-01-15T10:00", "time_zone": "UTC"})).await;
    publish(&site).await;

    site.advance_seconds(3 * 86_400);
    run_due_moments(&site).await;

    let browser = browser_of(&site, "pia", Role::Publisher).await;
    let page = async || browser.open("/projects/1000/campaigns/3001").await.body;
    let told = page().await;
    assert!(told.contains(MISSED), "{told}");
    running(&browser).await;
    assert!(!page().await.contains("missed"), "it runs");
}

#[tokio::test]
async fn pausing_all_campaigns_names_those_that_will_still_start() {
    let site = shop().await;
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "publish").await.access;
    let ann = browser_of(&site, "pia", Role::Publisher).await;
    let pause_over_rest = async || act_on_all(&site, &token, "pause").await;
    schedule(&site, "3002", json!({"start": "2027-01-20T08:00"})).await;
    assert_eq!(pause_over_rest().await["scheduled_starts"], json!([]), "nothing is live");
    publish(&site).await;
    running(&ann).await;

    let asked = ann.open("/projects/1000/pause").await;
    let paused = ann.post("/projects/1000/pause", &[("csrf", form_token(&asked))]).await;
    let after = ann.open(paused.location()).await.body;
    let over_rest = pause_over_rest().await;

    let start = "<bdi>Campaign &#60;3002&#62;</bdi></a></h3>";
    let at = "Starts <time datetime=\"2027-01-20T08:00:00Z\">";
    for page in [&asked.body, &after] {
        assert!(page.contains("These will still start"), "{page}");
        assert!(page.contains(start) && page.contains(at), "{page}");
    }
    assert!(after.contains("Paused. Visitors see the site without these campaigns"), "{after}");
    assert!(after.contains("No campaign runs."), "{after}");
    let starts = json!([{"campaign": "3002", "starts_at": "2027-01-20T08:00:00Z"}]);
    assert_eq!((&over_rest["campaigns"], &over_rest["scheduled_starts"]), (&json!([]), &starts));

    schedule(&site, "3002", Value::Null).await;
    publish(&site).await;
    assert_eq!(pause_over_rest().await["scheduled_starts"], json!([]));
}

#[tokio::test]
async fn all_scheduled_starts_are_taken_back_in_one_revision_and_the_rest_stays() {
    let site = shop().await;
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "config:read publish").await.access;
    let nothing = act_on_all(&site, &token, "unschedule").await;
    let zone = "Europe/Berlin";
    let both = json!({"start": "2027-01-15T09:30", "stop": "2027-02-01T09:00", "time_zone": zone});
    schedule(&site, "3001", both).await;
    schedule(&site, "3002", json!({"start": "2027-01-15T09:30", "time_zone": zone})).await;
    publish(&site).await;
    let unfinished =
        (json!({"name": "Unfinished"}).as_object().unwrap().clone(), ExpectedVersion::any());
    let cart = (ResourceKind::Campaign, "3002".to_owned());
    change_resource(&site.app, &Actor::Command, "1000".parse().unwrap(), cart, unfinished)
        .await
        .unwrap();

    let taken_back = act_on_all(&site, &token, "unschedule").await;
    site.advance_seconds(1_800);
    let ran = run_due_moments(&site).await;

    let none = json!({"campaigns": [], "live_since_revision": null, "scheduled_starts": []});
    assert_eq!((nothing, act_on_all(&site, &token, "unschedule").await), (none.clone(), none));
    let expected =
        json!({"campaigns": ["3001", "3002"], "live_since_revision": 2, "scheduled_starts": []});
    assert_eq!(taken_back, expected);
    assert!(ran.done.is_empty() && ran.missed.is_empty() && ran.failed.is_empty(), "{ran:?}");
    let stop = json!({"start": null, "stop": "2027-02-01T09:00", "time_zone": zone});
    for campaign in live_and_draft(&site, &token, "3001").await {
        assert_eq!((&campaign["schedule"], &campaign["status"]), (&stop, &json!("not_started")));
    }
    let [live, draft] = live_and_draft(&site, &token, "3002").await;
    assert_eq!((&live["schedule"], &draft["schedule"]), (&Value::Null, &Value::Null));
    assert_eq!((&live["name"], &draft["name"]), (&json!("Campaign <3002>"), &json!("Unfinished")));
    let revision = site.get_as("/v1/projects/1000/revisions/2", &token).await.json();
    assert_eq!(revision["message"], "take back all scheduled starts");
}

#[tokio::test]
async fn a_start_that_only_the_draft_has_stays_there() {
    let site = shop().await;
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "config:read publish").await.access;
    schedule(&site, "3001", json!({"start": "2027-01-20T10:00", "time_zone": "Europe/Berlin"}))
        .await;
    schedule(&site, "3002", json!({"start": "2027-01-20T10:00"})).await;
    publish(&site).await;
    // The same moment by another clock, and another moment.
    schedule(&site, "3001", json!({"start": "2027-01-20T09:00", "time_zone": "UTC"})).await;
    schedule(&site, "3002", json!({"start": "2027-01-21T10:00"})).await;

    act_on_all(&site, &token, "unschedule").await;

    let [live, draft] = live_and_draft(&site, &token, "3001").await;
    assert_eq!((&live["schedule"], &draft["schedule"]), (&Value::Null, &Value::Null));
    let [live, draft] = live_and_draft(&site, &token, "3002").await;
    assert_eq!(live["schedule"], Value::Null);
    assert_eq!(draft["schedule"]["start"], "2027-01-21T10:00");
}

#[tokio::test]
async fn a_start_that_is_due_is_either_taken_back_or_carried_out() {
    let site = shop().await;
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "config:read publish").await.access;
    let states = async || {
        let answer = site.get_as("/v1/projects/1000/schedule", &token).await.json();
        let moments = answer["moments"].as_array().unwrap().iter();
        moments.map(|one| one["state"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    schedule(&site, "3001", json!({"start": "2027-01-15T08:10"})).await;
    publish(&site).await;
    site.advance_seconds(600);

    let taken_back = act_on_all(&site, &token, "unschedule").await;
    let ran = run_due_moments(&site).await;
    assert_eq!(taken_back["campaigns"], json!(["3001"]));
    assert!(ran.done.is_empty() && ran.missed.is_empty() && ran.failed.is_empty(), "{ran:?}");
    assert_eq!(states().await, ["cancelled"]);

    schedule(&site, "3001", json!({"start": "2027-01-15T08:20"})).await;
    publish(&site).await;
    site.advance_seconds(600);
    let ran = run_due_moments(&site).await;
    let too_late = act_on_all(&site, &token, "unschedule").await;
    assert_eq!((ran.done.len(), &too_late["campaigns"]), (1, &json!([])));
    assert_eq!(too_late["live_since_revision"], Value::Null);
    assert_eq!(states().await, ["cancelled", "done"]);
    for campaign in live_and_draft(&site, &token, "3001").await {
        assert_eq!(campaign["status"], "running");
        assert_eq!(campaign["schedule"]["start"], "2027-01-15T08:20");
    }
}

#[tokio::test]
async fn a_publisher_takes_starts_back_in_the_console_and_an_editor_does_not() {
    let site = shop().await;
    schedule(&site, "3002", json!({"start": "2027-01-20T08:00"})).await;
    publish(&site).await;
    let [pia, eve] = [("pia", Role::Publisher), ("eve", Role::Editor)];
    let (pia, eve) = (browser_of(&site, pia.0, pia.1).await, browser_of(&site, eve.0, eve.1).await);
    let home = pia.open("/projects/1000").await.body;
    let (of_pia, of_eve) =
        (pia.open("/projects/1000/pause").await, eve.open("/projects/1000/pause").await);
    let unschedule = "/projects/1000/pause/unschedule";

    let refused = eve.post(unschedule, &[("csrf", form_token(&of_eve))]).await;
    let done = pia.post(unschedule, &[("csrf", form_token(&of_pia))]).await;
    let after = pia.open(done.location()).await.body;
    let again = pia
        .post(unschedule, &[("csrf", form_token(&pia.open("/projects/1000/pause").await))])
        .await;
    let again = pia.open(again.location()).await.body;

    assert!(home.contains("href=\"/projects/1000/pause\""), "nothing runs, but one starts: {home}");
    let button = "<button class=\"danger\" aria-describedby=\"unscheduling\">Take back this start<";
    assert!(of_pia.body.contains(button), "{}", of_pia.body);
    assert!(of_eve.body.contains("disabled>Take back this start<"), "{}", of_eve.body);
    assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
    assert!(after.contains("Taken back. Campaigns start only when"), "{after}");
    assert!(!after.contains("These will still start"), "{after}");
    assert!(again.contains("No start was to come any more"), "{again}");
    assert!(!pia.open("/projects/1000").await.body.contains("href=\"/projects/1000/pause\""));
}

#[tokio::test]
async fn a_member_reads_before_publishing_what_comes_of_moments_that_are_past() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let (ends, starts) = ("so it ends as soon as this is live", "does not start it");
    schedule(&site, "3001", json!({"start": "2026-01-15T09:00"})).await;
    let late = browser.open("/projects/1000").await.body;

    schedule(&site, "3001", json!({"start": "2027-01-16T09:00"})).await;
    let later = browser.open("/projects/1000").await.body;

    assert!(late.contains(starts), "{late}");
    assert!(!later.contains(starts) && !later.contains(ends), "{later}");
}
