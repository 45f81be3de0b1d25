//! Servers and apps send events with the public key of a project, and what a project and a disk have no room for is refused.

use app::events::{FREE_BYTES_AT_LEAST, renew_events_key};
use app::roles::Actor;
use axum::body::Body;
use axum::http::{Method, Request};
use events::Record;
use serde_json::{Value, json};
use storage::Role;

use crate::browser::{Browser, form_token};
use crate::console::browser_of;
use crate::edge::Endless;
use crate::events::{batch, bought, now, publish, publish_with, send, send_as};
use crate::oauth::token_call::fetch_tokens;
use crate::site::{Answer, Site};

const KEY: &str = "/v1/projects/1000/events-key";

const PAGE: &str = "/projects/1000/events-key";

async fn ask(site: &Site, method: Method, token: &str) -> Answer {
    let request = Request::builder().method(method).uri(KEY);
    let request = request.header("authorization", format!("Bearer {token}"));
    site.send(request.body(Body::empty()).unwrap()).await
}

async fn renewed(site: &Site, token: &str) -> String {
    let made = ask(site, Method::POST, token).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.body);
    made.json()["key"].as_str().unwrap().to_owned()
}

fn problem(answer: &Answer) -> (u16, Value) {
    (answer.status.as_u16(), answer.json()["code"].clone())
}

#[tokio::test]
async fn a_renewed_key_ends_the_one_before_and_a_removed_one_ends_as_well() {
    let site = Site::start();
    let token = fetch_tokens(&site, &site.application().await, "all").await.access;
    publish(&site, "on").await;
    let body = batch("ada", &[bought("o1", now(&site))]);
    assert_eq!(problem(&ask(&site, Method::GET, &token).await), (404, json!("not_found")));

    let first = renewed(&site, &token).await;
    assert!(first.starts_with("assay_ek_"), "{first}");
    assert_eq!(send_as(&site, &first, &body).await.status.as_u16(), 202);
    let second = renewed(&site, &token).await;

    let refused = send_as(&site, &first, &body).await;
    assert_eq!(problem(&refused), (401, json!("invalid_token")));
    assert!(!refused.body.contains(&first));
    assert_eq!(send_as(&site, &second, &body).await.status.as_u16(), 202);
    assert_eq!(ask(&site, Method::GET, &token).await.json()["key"], *second);
    assert_eq!(ask(&site, Method::DELETE, &token).await.status.as_u16(), 204);
    assert_eq!(problem(&ask(&site, Method::DELETE, &token).await), (404, json!("not_found")));
    assert_eq!(send_as(&site, &second, &body).await.status.as_u16(), 401);
}

#[tokio::test]
async fn a_key_adds_events_of_its_project_and_does_nothing_else() {
    let site = Site::start();
    publish_with(&site, "results: on, origins: ['https://shop.example']").await;
    let id = "1000".parse().unwrap();
    let key = renew_events_key(&site.app, &Actor::Command, id).await.unwrap().unwrap().key;
    let body = batch("ada", &[bought("o1", now(&site))]);

    let of_other = send_as(&site, &key, &body.replace("\"1000\"", "\"1001\"")).await;

    assert_eq!(of_other.status.as_u16(), 401);
    for path in ["/v1/projects/1000", KEY, "/v1/projects/1000/campaigns/3001/results"] {
        assert_eq!(
            problem(&site.get_as(path, &key).await),
            (401, json!("invalid_token")),
            "{path}"
        );
    }
    assert_eq!(send_as(&site, &key, &body).await.status.as_u16(), 202, "a server has no origin");
    for (origin, status) in [("https://shop.example", 202), ("https://evil.example", 403)] {
        let request = Request::post("/v1/events").header("content-type", "text/plain");
        let request = request.header("authorization", format!("Bearer {key}"));
        let request = request.header("origin", origin).body(Body::from(body.clone())).unwrap();
        assert_eq!(site.send(request).await.status.as_u16(), status, "{origin}");
    }
}

#[tokio::test]
async fn events_sent_with_a_key_are_not_trusted_and_not_limited_by_address() {
    let site = Site::start();
    publish(&site, "on").await;
    let id = "1000".parse().unwrap();
    let key = renew_events_key(&site.app, &Actor::Command, id).await.unwrap().unwrap().key;
    let body = batch("ada", &[bought("o1", now(&site))]);

    for _ in 0..310 {
        assert_eq!(send_as(&site, &key, &body).await.status.as_u16(), 202);
    }

    let logged = site.app.store().list_logged_events(id, 0, 100).await.unwrap();
    let records: Vec<Record> = serde_json::from_slice(&logged[0].body).unwrap();
    assert_eq!((records.len(), records[0].marks.is_trusted), (1, false));
}

#[tokio::test]
async fn a_wrong_key_is_refused_before_the_body_comes_and_limited_by_address() {
    let site = Site::start();
    publish(&site, "on").await;
    let id = "1000".parse().unwrap();
    let key = renew_events_key(&site.app, &Actor::Command, id).await.unwrap().unwrap().key;
    let body = batch("ada", &[bought("o1", now(&site))]);
    let show_wrong = async || {
        let request = Request::post("/v1/events").header("content-type", "application/json");
        let request = request.header("authorization", "Bearer assay_ek_of_nobody");
        site.send(request.body(Body::new(Endless)).unwrap()).await
    };

    for _ in 0..300 {
        assert_eq!(problem(&show_wrong().await), (401, json!("invalid_token")));
    }

    let refused = show_wrong().await;
    assert_eq!(problem(&refused), (429, json!("too_many_events")));
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(problem(&send_as(&site, &key, &body).await), (429, json!("too_many_events")));
    site.advance_seconds(1);
    assert_eq!(send_as(&site, &key, &body).await.status.as_u16(), 202);
}

#[tokio::test]
async fn a_page_that_sends_too_much_is_refused_before_the_body_comes() {
    let site = Site::start();
    publish(&site, "on").await;
    let body = batch("ada", &[bought("o1", now(&site))]);
    while send(&site, &body).await.status.as_u16() == 202 {}

    let request = Request::post("/v1/events").header("content-type", "text/plain");
    let refused = site.send(request.body(Body::new(Endless)).unwrap()).await;

    assert_eq!(problem(&refused), (429, json!("too_many_events")));
}

#[tokio::test]
async fn editors_make_renew_and_remove_the_key_in_the_console_and_viewers_see_it() {
    let site = Site::start();
    publish(&site, "on").await;
    let eva = browser_of(&site, "eva", Role::Editor).await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    let act = async |browser: &Browser<'_>, verb: &str| {
        let page = browser.open(PAGE).await;
        let fields = [("csrf", form_token(&page))];
        browser.post(&format!("{PAGE}/{verb}"), &fields).await
    };
    let none = eva.open(PAGE).await;
    assert!(none.body.contains("The project has no key."), "{}", none.body);

    let made = act(&eva, "renew").await;
    assert_eq!(made.header("location"), format!("{PAGE}?done=renewed"));

    let id = "1000".parse().unwrap();
    let key = site.app.store().find_events_key(id).await.unwrap().unwrap().key;
    let seen = vic.open(PAGE).await;
    assert!(seen.body.contains(&key) && !seen.body.contains("Renew the key"), "{}", seen.body);
    assert!(eva.open("/projects/1000/settings").await.body.contains(PAGE));
    assert!(eva.open("/projects/1000/install").await.body.contains(PAGE));
    assert_eq!(act(&eva, "remove").await.header("location"), format!("{PAGE}?done=removed"));
    assert_eq!(act(&eva, "remove").await.header("location"), format!("{PAGE}?problem=no-key"));
}

#[tokio::test]
async fn a_project_that_is_flooded_waits_and_programs_with_a_token_go_on() {
    let site = Site::start_taking(600);
    let token = fetch_tokens(&site, &site.application().await, "events:write").await.access;
    publish(&site, "on").await;
    let at = now(&site);
    let events: Vec<Value> = (0..500).map(|number| bought(&format!("o{number}"), at)).collect();
    let body = batch("ada", &events);
    assert_eq!(send(&site, &body).await.status.as_u16(), 202);

    let refused = send(&site, &body).await;

    assert_eq!(problem(&refused), (429, json!("too_many_events")));
    assert_eq!(refused.header("retry-after"), "40", "400 of 600 a minute are missing");
    assert_eq!(send_as(&site, &token, &body).await.status.as_u16(), 202);
    site.advance_seconds(40);
    assert_eq!(send(&site, &body).await.status.as_u16(), 202);
}

/// An event with as many bytes of properties.
fn long(id: &str, at: i64, kib: usize) -> Value {
    let properties = (0..kib).map(|place| (format!("p{place}"), json!("x".repeat(1_024))));
    let properties: serde_json::Map<String, Value> = properties.collect();
    json!({"id": id, "time": at, "type": "event", "name": "purchase", "properties": properties})
}

#[tokio::test]
async fn a_page_that_sends_long_batches_is_limited_by_their_length() {
    let site = Site::start();
    publish(&site, "on").await;
    let events: Vec<Value> =
        (0..30).map(|number| long(&format!("o{number}"), now(&site), 30)).collect();
    let body = batch("ada", &events);
    let parts = body.len().div_ceil(16 * 1_024);

    let mut taken = 0;
    let refused = loop {
        let answer = send(&site, &body).await;
        if answer.status.as_u16() != 202 {
            break answer;
        }
        taken += 1;
    };

    assert_eq!((parts, taken), (57, 300_usize.div_ceil(parts)));
    assert_eq!(problem(&refused), (429, json!("too_many_events")));
    assert_eq!(refused.header("retry-after"), "1", "42 beyond 300 are forgotten, 50 a second");
    site.advance_seconds(1);
    assert_eq!(send(&site, &body).await.status.as_u16(), 202);
    assert_eq!(send(&site, &body).await.header("retry-after"), "1");
}

#[tokio::test]
async fn long_events_of_a_project_count_as_several() {
    let site = Site::start_taking(600);
    publish(&site, "on").await;
    let id = "1000".parse().unwrap();
    let key = renew_events_key(&site.app, &Actor::Command, id).await.unwrap().unwrap().key;
    let events: Vec<Value> =
        (0..10).map(|number| long(&format!("o{number}"), now(&site), 30)).collect();
    let body = batch("ada", &events);
    assert_eq!(send_as(&site, &key, &body).await.status.as_u16(), 202, "one is always taken");

    let refused = send_as(&site, &key, &body).await;

    assert_eq!(problem(&refused), (429, json!("too_many_events")));
    assert_eq!(refused.header("retry-after"), "60");
}

#[tokio::test]
async fn however_fast_events_come_what_stays_free_stays_free() {
    let site = Site::start();
    publish(&site, "on").await;
    let id = "1000".parse().unwrap();
    let key = renew_events_key(&site.app, &Actor::Command, id).await.unwrap().unwrap().key;
    let body = batch("ada", &[long("o1", now(&site), 30)]);
    let room: u64 = 1_000_000;
    site.app.event_room().look(FREE_BYTES_AT_LEAST + room);

    let mut taken = 0;
    let refused = loop {
        let answer = send_as(&site, &key, &body).await;
        if answer.status.as_u16() != 202 {
            break answer;
        }
        taken += 1;
    };

    assert_eq!(problem(&refused), (503, json!("disk_full")));
    let written = taken * 2 * body.len() as u64;
    assert!((room / 2..room).contains(&written), "{taken} batches");
    site.app.event_room().look(FREE_BYTES_AT_LEAST + room);
    assert_eq!(send_as(&site, &key, &body).await.status.as_u16(), 202, "there is room again");
}

#[tokio::test]
async fn events_stop_before_the_disk_is_full() {
    let site = Site::start();
    publish(&site, "on").await;
    let body = batch("ada", &[bought("o1", now(&site))]);

    let changed = [1_000, 1_000].map(|free_bytes| site.app.event_room().look(free_bytes));
    let refused = send(&site, &body).await;

    assert_eq!(changed, [true, false]);
    assert_eq!(problem(&refused), (503, json!("disk_full")));
    assert_eq!(refused.header("retry-after"), "1");
    assert!(site.app.event_room().look(u64::MAX));
    assert_eq!(send(&site, &body).await.status.as_u16(), 202);
}
