//! How visitors come: with which browser and device, read of the `User-Agent` or told by servers and kept coarsely, and to which page.

use app::events::{ExportFormat, export_events, seal_events};
use app::roles::Actor;
use axum::body::Body;
use axum::http::{HeaderValue, Request};
use serde_json::{Value, json};
use storage::Role;

use crate::console::browser_of;
use crate::events::{batch, bought, exposure, now, publish, send_as};
use crate::oauth::token_call::fetch_tokens;
use crate::site::{Answer, Site};

const SAFARI: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PATH: &str = "/v1/projects/1000/campaigns/3001/results";

async fn send_with(site: &Site, user_agent: &[u8], body: &str) -> Answer {
    let request = Request::post("/v1/events")
        .header("content-type", "text/plain;charset=UTF-8")
        .header("user-agent", HeaderValue::from_bytes(user_agent).unwrap());
    site.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

async fn see(site: &Site, visitor: &str, variation: &str, user_agent: &str) {
    let events = [exposure("x", now(site), variation), bought("o", now(site) + 1)];
    let answer = send_with(site, user_agent.as_bytes(), &batch(visitor, &events)).await;
    assert_eq!(answer.status.as_u16(), 202, "{}", answer.body);
}

async fn split(site: &Site, token: &str, by: &str) -> Value {
    let results = site.get_as(&format!("{PATH}?segment={by}"), token).await.json();
    results["experiments"][0]["results"]["segments"].clone()
}

/// The visitors of each segment.
fn visitors(split: &Value) -> Value {
    let segments = split["segments"].as_array().unwrap().iter();
    segments.map(|one| json!([one["segment"], one["visitors"]])).collect()
}

#[tokio::test]
async fn figures_name_the_variation_by_its_id() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    publish(&site, "on").await;
    see(&site, "ada", "5001", SAFARI).await;
    see(&site, "ben", "5002", SAFARI).await;

    let results = site.get_as(&format!("{PATH}?segment=browser"), &token).await.json();

    let found = &results["experiments"][0]["results"];
    let ids = |metric: &Value| -> Vec<Value> {
        let variations = metric["variations"].as_array().unwrap().iter();
        variations.map(|one| one["variation_id"].clone()).collect()
    };
    assert_eq!(ids(&found["metrics"][0]), ["5001", "5002"]);
    assert_eq!(ids(&found["segments"]["segments"][0]["metrics"][0]), ["5001", "5002"]);
}

#[tokio::test]
async fn a_page_needs_to_tell_nothing_and_results_know_its_browser_wherever_events_are() {
    let site = Site::start();
    let application = site.application().await;
    let scopes = "results:read events:write";
    let token = fetch_tokens(&site, &application, scopes).await.access;
    publish(&site, "on").await;
    see(&site, "ada", "5001", SAFARI).await;
    see(&site, "ben", "5002", FIREFOX).await;
    site.advance_seconds(10);
    // Ben comes back with another browser, and a server tells of the others.
    see(&site, "ben", "5002", SAFARI).await;
    let mut told = exposure("x", now(&site), "5002");
    told["browser"] = json!("samsung_internet");
    told["device"] = json!("tablet");
    send_as(&site, &token, &batch("cleo", &[told])).await;
    send_as(&site, &token, &batch("dan", &[exposure("x", now(&site), "5001")])).await;

    let browsers = split(&site, &token, "browser").await;
    let devices = split(&site, &token, "device").await;

    let expected = json!([
        ["safari", [1, 0]],
        ["firefox", [0, 1]],
        ["samsung_internet", [0, 1]],
        ["unknown", [1, 0]]
    ]);
    assert_eq!(visitors(&browsers), expected);
    let expected =
        json!([["desktop", [0, 1]], ["mobile", [1, 0]], ["tablet", [0, 1]], ["unknown", [1, 0]]]);
    assert_eq!(visitors(&devices), expected);
    assert!(browsers["text"].as_str().unwrap().starts_with("These are not verdicts"));
    let whole = site.get_as(PATH, &token).await.json();
    assert_eq!(whole["experiments"][0]["results"].get("segments"), None);
    site.advance_seconds(300);
    assert!(seal_events(&site.app).await.unwrap().events > 0);
    assert_eq!(split(&site, &token, "browser").await, browsers);
    let unknown = site.get_as(&format!("{PATH}?segment=browsers"), &token).await;
    assert_eq!(
        (unknown.status.as_u16(), &unknown.json()["code"]),
        (400, &json!("invalid_parameter"))
    );
    let text = site.get_as(&format!("{PATH}?segment=device&format=text"), &token).await;
    assert!(text.body.contains("\nBy device. These are not verdicts"), "{}", text.body);
}

#[tokio::test]
async fn nothing_else_of_a_user_agent_is_kept() {
    let site = Site::start();
    publish(&site, "on").await;
    see(&site, "ada", "5001", SAFARI).await;
    let id = "1000".parse().unwrap();
    let logged = site.app.store().list_logged_events(id, 0, 1 << 20).await.unwrap();
    site.advance_seconds(300);
    seal_events(&site.app).await.unwrap();
    let out = site.folder.path().join("export");

    let export = (out.clone(), ExportFormat::Ndjson);
    export_events(&site.app, &Actor::Command, id, export).await.unwrap();

    let body: Value = serde_json::from_slice(&logged[0].body).unwrap();
    let known = json!({"browser": "safari", "device": "mobile"});
    assert_eq!(body[0]["what"]["Exposure"]["agent"], known);
    let lines = std::fs::read_to_string(out.join("events.ndjson")).unwrap();
    let exposed: Value = serde_json::from_str(lines.lines().next_back().unwrap()).unwrap();
    assert_eq!((&exposed["browser"], &exposed["device"]), (&json!("safari"), &json!("mobile")));
    for text in [body.to_string(), lines] {
        assert!(!text.contains("18_1") && !text.contains("Mozilla"), "{text}");
    }
}

#[tokio::test]
async fn a_page_that_was_seen_too_early_and_its_id_are_kept_wherever_events_are() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    publish(&site, "on").await;
    let flickers = async || {
        let results = site.get_as(PATH, &token).await.json();
        results["experiments"][0]["results"]["health"]["flicker_visitors"].clone()
    };
    for (visitor, page, may_flicker) in [
        ("ada", "home", true),
        ("ben", "2001", false),
        ("cleo", "gone", false),
        ("ada", "2001", false),
    ] {
        site.advance_seconds(1);
        let mut told = exposure(page, now(&site), "5001");
        told["page"] = json!(page);
        told["flicker"] = json!(may_flicker);
        let answer = send_with(&site, FIREFOX.as_bytes(), &batch(visitor, &[told])).await;
        assert_eq!(answer.status.as_u16(), 202, "{}", answer.body);
    }

    assert_eq!(flickers().await, 1, "by the first exposure");
    site.advance_seconds(300);
    assert!(seal_events(&site.app).await.unwrap().events > 0);
    assert_eq!(flickers().await, 1);
    let out = site.folder.path().join("export");
    let export = (out.clone(), ExportFormat::Ndjson);
    export_events(&site.app, &Actor::Command, "1000".parse().unwrap(), export).await.unwrap();
    let lines = std::fs::read_to_string(out.join("events.ndjson")).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut pages: Vec<_> = lines.map(|line| line["page_id"].as_u64()).collect();
    pages.sort_unstable();
    assert_eq!(pages, [None, Some(2001), Some(2001), Some(2001)], "no page is called `gone`");
}

#[tokio::test]
async fn a_hostile_user_agent_costs_no_event() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    publish(&site, "on").await;
    let long = [b"Safari/Version/".repeat(400), SAFARI.as_bytes().to_vec()].concat();
    let agents: [&[u8]; 5] =
        [b"", b"\xff\xfe\x80 Chrome/1", b"\t\tChrome/\t", b"'; drop table --", &long];
    for (number, user_agent) in agents.into_iter().enumerate() {
        let body = batch(&number.to_string(), &[exposure("x", now(&site), "5001")]);

        assert_eq!(send_with(&site, user_agent, &body).await.status.as_u16(), 202);
    }

    let found = visitors(&split(&site, &token, "browser").await);

    assert_eq!(
        found,
        json!([["chrome", [1, 0]], ["safari", [1, 0]], ["other", [1, 0]], ["unknown", [2, 0]]])
    );
}

#[tokio::test]
async fn a_member_chooses_a_segment_on_the_page_of_results() {
    let site = Site::start();
    publish(&site, "on").await;
    see(&site, "ada", "5001", SAFARI).await;
    see(&site, "ben", "5002", FIREFOX).await;
    let ann = browser_of(&site, "ann", Role::Analyst).await;
    let page = "/projects/1000/campaigns/3001/results";

    let whole = ann.open(page).await;
    let split = ann.open(&format!("{page}?segment=device")).await;

    assert!(whole.body.contains("?segment=browser#segments-0\">By browser</a>"), "{}", whole.body);
    assert!(!whole.body.contains("These are not verdicts"), "{}", whole.body);
    assert!(split.body.contains("These are not verdicts"), "{}", split.body);
    assert!(split.body.contains("rowspan=\"2\">Phones</th>"), "{}", split.body);
    let table = ann.open(&format!("{page}/csv?segment=device")).await;
    assert!(table.body.contains(",device,mobile,,\r\n"), "{}", table.body);
    assert_eq!(ann.open(&format!("{page}?segment=page")).await.status.as_u16(), 404);
}
