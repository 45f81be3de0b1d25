//! Events from pages and servers.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};

use crate::oauth::token_call::fetch_tokens;
use crate::shop::{publish_text, shop_with};
use crate::site::{Answer, Site};

/// The shop with results counted here, or not.
pub(crate) async fn publish(site: &Site, results: &str) {
    publish_with(site, &format!("results: {results}")).await;
}

pub(crate) async fn publish_with(site: &Site, fields: &str) {
    publish_text(site, &shop_with(fields)).await;
}

pub(crate) async fn send(site: &Site, body: &str) -> Answer {
    let request = Request::post("/v1/events").header("content-type", "text/plain;charset=UTF-8");
    site.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

pub(crate) fn now(site: &Site) -> i64 {
    site.app.now().as_milliseconds()
}

pub(crate) fn exposure(id: &str, at: i64, variation: &str) -> Value {
    json!({"id": id, "time": at, "type": "exposure", "campaign": "3001", "experiment": "4001", "variation": variation})
}

pub(crate) fn bought(id: &str, at: i64) -> Value {
    json!({"id": id, "time": at, "type": "event", "name": "purchase", "revenue": 1999})
}

pub(crate) fn batch(visitor: &str, events: &[Value]) -> String {
    json!({"project": "1000", "visitor": visitor, "events": events}).to_string()
}

#[tokio::test]
async fn a_page_sends_events_and_hears_what_became_of_each() {
    let site = Site::start();
    publish(&site, "on").await;
    let at = now(&site);
    let unknown = exposure("e2", at, "5009");

    let answer =
        send(&site, &batch("ada", &[exposure("e1", at, "5002"), unknown, bought("o1", at)])).await;

    assert_eq!((answer.status.as_u16(), answer.header("access-control-allow-origin")), (202, "*"));
    let detail = "the live project has no `variation` called `5009`";
    assert_eq!(
        answer.json(),
        json!({"accepted": 2, "rejected": [{"index": 1, "code": "unknown_name", "detail": detail}], "late": []})
    );
}

#[tokio::test]
async fn after_a_clock_that_was_ahead_an_event_has_the_time_of_its_sender() {
    let site = Site::start();
    publish(&site, "on").await;
    site.set_clock_back_seconds(1_190);
    let at = site.app.wall_time();
    let event = bought("o1", at.as_milliseconds());
    let batch = json!({"project": "1000", "visitor": "ada", "sent": at.as_milliseconds(), "events": [event]});

    let answer = send(&site, &batch.to_string()).await;

    assert_eq!(answer.json()["accepted"], 1, "{}", answer.body);
    let log = site.app.store().list_logged_events("1000".parse().unwrap(), 0, 1_000_000).await;
    let kept: Value = serde_json::from_slice(&log.unwrap()[0].body).unwrap();
    assert_eq!(kept[0]["at"], at.as_milliseconds(), "{kept}");
}

#[tokio::test]
async fn a_batch_that_a_server_sends_again_hours_later_keeps_its_times() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "events:write").await.access;
    publish(&site, "on").await;
    let (now, hour) = (now(&site), 3_600_000);
    let sent_first = now - 6 * hour;
    let event = bought("o1", sent_first - 1);
    let batch = json!({"project": "1000", "visitor": "ada", "sent": sent_first, "events": [event]});

    let of_server = send_as(&site, &token, &batch.to_string()).await;
    let of_page = send(&site, &batch.to_string()).await;

    assert_eq!((of_server.status.as_u16(), of_page.status.as_u16()), (202, 202));
    let kept = db_logged_moments(&site).await;
    assert_eq!(kept, [sent_first - 1, now - 1], "the page's clock is six hours slow");
}

#[tokio::test]
async fn a_time_that_cannot_be_is_told_at_once_and_in_the_results() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    publish(&site, "on").await;
    let (at, day) = (now(&site), 86_400_000);
    let events = [
        exposure("e1", at - 8 * day, "5002"),
        bought("o1", at),
        bought("o2", at / 1_000),
        json!({"id": 1}),
        bought("o3", at - day),
    ];

    let answer = send(&site, &batch("ada", &events)).await.json();

    assert_eq!((&answer["accepted"], &answer["late"]), (&json!(4), &json!([0, 2])), "{answer}");
    let results = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await.json();
    assert_eq!(results["experiments"][0]["results"]["health"]["late_events"], 2, "{results}");
}

#[tokio::test]
async fn an_unknown_event_is_told_with_the_nearest_name() {
    let site = Site::start();
    let events = "\nevents:\n  - {key: purchase}\n";
    publish_text(&site, &[&*shop_with("results: on"), events].concat()).await;
    let mut wrong = bought("o1", now(&site));
    wrong["name"] = "purchas".into();

    let answer = send(&site, &batch("ada", &[wrong])).await.json();

    let told = "the live project has no event called `purchas`; hint: did you mean `purchase`?";
    assert_eq!(answer["rejected"][0]["detail"], told, "{answer}");
}

/// When the events of the log happened.
async fn db_logged_moments(site: &Site) -> Vec<i64> {
    let log = site.app.store().list_logged_events("1000".parse().unwrap(), 0, 1_000_000).await;
    let rows = log.unwrap().into_iter().map(|row| row.body);
    let rows = rows.map(|body| serde_json::from_slice::<Vec<Value>>(&body).unwrap());
    rows.flatten().map(|event| event["at"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn an_unusable_batch_is_refused_with_a_reason_that_pages_may_read() {
    let site = Site::start();
    publish(&site, "on").await;
    let at = now(&site);
    let other = batch("ada", &[bought("o1", at)]).replace("\"1000\"", "\"1001\"");
    let many: Vec<Value> = (0..501).map(|number| bought(&number.to_string(), at)).collect();

    for (body, status, code) in [
        ("{", 400, "unreadable"),
        ("{}", 422, "invalid"),
        (batch("ada", &many).as_str(), 422, "invalid"),
        (batch("ada", &[json!({"id": 1})]).as_str(), 422, "no_valid_event"),
        (other.as_str(), 404, "not_found"),
        ("a".repeat(1024 * 1024 + 1).as_str(), 413, "body_too_long"),
    ] {
        let answer = send(&site, body).await;

        assert_eq!(answer.status.as_u16(), status, "{}", answer.body);
        assert_eq!(answer.json()["code"], code);
        assert_eq!(answer.header("access-control-allow-origin"), "*");
    }
    let form =
        Request::post("/v1/events").header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(site.send(form.body(Body::from("a=b")).unwrap()).await.status.as_u16(), 415);
}

#[tokio::test]
async fn a_project_that_does_not_count_results_takes_no_events() {
    let site = Site::start();
    publish(&site, "off").await;

    let answer = send(&site, &batch("ada", &[bought("o1", now(&site))])).await;

    assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (403, &json!("results_off")));
}

#[tokio::test]
async fn a_browser_that_asks_first_hears_that_it_may_send_json() {
    let site = Site::start();
    let asking = Request::builder().method(Method::OPTIONS).uri("/v1/events");
    let asking = asking
        .header("origin", "https://shop.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");

    let answer = site.send(asking.body(Body::empty()).unwrap()).await;

    assert_eq!(answer.status.as_u16(), 204);
    assert!(answer.header("access-control-allow-methods").contains("POST"));
}

#[tokio::test]
async fn an_address_that_floods_waits_and_may_go_on_afterwards() {
    let site = Site::start();
    publish(&site, "on").await;
    let body = batch("ada", &[bought("o1", now(&site))]);

    let mut taken = 0;
    let refused = loop {
        let answer = send(&site, &body).await;
        if answer.status.as_u16() != 202 {
            break answer;
        }
        taken += 1;
    };

    assert_eq!(taken, 300, "an office at once");
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "1"));
    assert_eq!(refused.json()["code"], "too_many_events");
    site.advance_seconds(10);
    assert_eq!(send(&site, &body).await.status.as_u16(), 202);
}

/// The same from a server that shows a token.
pub(crate) async fn send_as(site: &Site, token: &str, body: &str) -> Answer {
    let request = Request::post("/v1/events")
        .header("content-type", "application/json")
        .header("authorization", format!("Bearer {token}"));
    site.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

#[tokio::test]
async fn a_server_with_a_token_sends_as_much_as_it_wants() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "events:write").await.access;
    publish(&site, "on").await;
    let body = batch("ada", &[bought("o1", now(&site))]);

    for _ in 0..310 {
        assert_eq!(send_as(&site, &token, &body).await.status.as_u16(), 202);
    }
}

#[tokio::test]
async fn a_token_that_is_shown_must_be_right() {
    let site = Site::start();
    let application = site.application().await;
    let reader = fetch_tokens(&site, &application, "results:read").await.access;
    publish(&site, "on").await;
    let body = batch("ada", &[bought("o1", now(&site))]);

    for (token, status, code) in
        [("forged", 401, "invalid_token"), (reader.as_str(), 403, "insufficient_scope")]
    {
        let answer = send_as(&site, token, &body).await;

        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (status, &json!(code)));
    }
}

#[tokio::test]
async fn a_project_may_list_the_sites_whose_pages_send_events() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "events:write").await.access;
    publish_with(&site, "results: on, origins: ['https://*.shop.example']").await;
    let body = batch("ada", &[bought("o1", now(&site))]);
    let send_from = async |origin: Option<&str>| {
        let request = Request::post("/v1/events").header("content-type", "text/plain");
        let request =
            origin.into_iter().fold(request, |request, origin| request.header("origin", origin));
        site.send(request.body(Body::from(body.clone())).unwrap()).await
    };

    assert_eq!(send_from(Some("https://www.shop.example")).await.status.as_u16(), 202);
    for other in [Some("https://shop.example.evil.example"), Some("null"), None] {
        let answer = send_from(other).await;

        assert_eq!(
            (answer.status.as_u16(), &answer.json()["code"]),
            (403, &json!("origin_not_listed"))
        );
        assert_eq!(answer.header("access-control-allow-origin"), "*");
    }
    assert_eq!(send_as(&site, &token, &body).await.status.as_u16(), 202, "a server has no origin");
}

#[tokio::test]
async fn senders_of_snapshots_need_another_address_only() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "all").await.access;
    publish(&site, "on").await;
    let at = now(&site);
    let visitor = |id: &str, variation: &str| {
        let uuid = |what: &str| format!("{id}-{what}");
        json!({"visitor_id": id, "attributes": [], "snapshots": [
            {"decisions": [{"campaign_id": "3001", "experiment_id": "4001", "variation_id": variation, "is_campaign_holdback": false}],
             "events": [{"uuid": uuid("a"), "timestamp": at, "entity_id": "3001", "key": "campaign_activated", "type": "campaign_activated"}]},
            {"decisions": [], "events": [{"uuid": uuid("b"), "timestamp": at + 1, "key": "purchase", "type": "other", "tags": {"revenue": 500}}]},
        ]})
    };
    let batch = json!({
        "account_id": "12001", "project_id": "1000", "client_name": "python-sdk", "client_version": "5.1.0", "anonymize_ip": true,
        "enrich_decisions": true, "visitors": [visitor("ada", "5001"), visitor("bob", "5002"), visitor("cleo", "5009")],
    });

    let answer = send_as(&site, &token, &batch.to_string()).await.json();

    assert_eq!((&answer["accepted"], &answer["rejected"][0]["index"]), (&json!(5), &json!(4)));
    let results = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await.json();
    let arms = &results["experiments"][0]["results"]["metrics"][1]["variations"];
    let totals: Vec<_> = arms.as_array().unwrap().iter().map(|arm| arm["total"].clone()).collect();
    assert_eq!(totals, [json!(500.0), json!(500.0)]);
}

/// Visitors of both variations, of whom some buy; the second variation sells three times as much.
pub(crate) async fn let_visitors_come(site: &Site) {
    let_these_come(site, ("", 140), [30, 100]).await;
}

/// So many visitors for each variation, of which these buy something.
pub(crate) async fn let_these_come(site: &Site, (name, each): (&str, u32), buyers: [u32; 2]) {
    let at = now(site);
    for (variation, buyers) in ["5001", "5002"].into_iter().zip(buyers) {
        for number in 0..each {
            let id = format!("{variation}-{name}{number}");
            let mut events = vec![exposure(&format!("e{id}"), at, variation)];
            if number < buyers {
                events.push(bought(&format!("o{id}"), at + 1));
            }
            assert_eq!(send(site, &batch(&id, &events)).await.status.as_u16(), 202);
        }
    }
}
