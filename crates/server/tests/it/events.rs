//! Events from pages, and the results that they come to.

use axum::body::Body;
use axum::http::{Method, Request};
use domain::{NoFiles, Source};
use serde_json::{Value, json};

use app::documents::check_document;
use app::projects::publish_project;

use crate::browser::Browser;
use crate::oauth::token_call::fetch_tokens;
use crate::projects::{HANDED, SHOP};
use crate::site::{Answer, Site};

/// The shop with results counted here, or not.
pub(crate) async fn publish(site: &Site, results: &str) {
    publish_with(site, &format!("results: {results}")).await;
}

pub(crate) async fn publish_with(site: &Site, fields: &str) {
    let text = SHOP.replace("project: {", &format!("project: {{{fields}, "));
    assert_ne!(text, SHOP);
    publish_text(site, &text).await;
}

pub(crate) async fn publish_text(site: &Site, text: &str) {
    let source = Source { name: "shop.yaml", text, files: &NoFiles };
    publish_project(&site.app, check_document(&source).unwrap().project, HANDED).await.unwrap();
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
    publish_text(&site, &[&SHOP.replace("project: {", "project: {results: on, "), events].concat())
        .await;
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
async fn what_cannot_be_kept_is_refused_with_the_reason_and_pages_may_read_it() {
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

#[tokio::test]
async fn an_analyst_reads_the_results_of_what_came_each_event_once() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    publish(&site, "on").await;
    let read =
        async || site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await.json();
    let nothing = read().await;
    assert_eq!(nothing["experiments"][0]["reason"], "no_visitor");

    let_visitors_come(&site).await;
    site.advance_seconds(10);
    let_visitors_come(&site).await;

    let results = read().await;
    assert_eq!(results["events"], nothing["events"].as_u64().unwrap() + 2 * (280 + 130));
    let found = &results["experiments"][0]["results"];
    let visitors: Vec<_> =
        found["variations"].as_array().unwrap().iter().map(|one| one["visitors"].clone()).collect();
    assert_eq!(visitors, [json!(140), json!(140)]);
    let totals = |metric: usize| {
        let arms = found["metrics"][metric]["variations"].as_array().unwrap().iter();
        arms.map(|arm| arm["total"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(totals(0), [30.0, 100.0], "visitors who bought");
    assert_eq!(totals(1), [30.0 * 1999.0, 100.0 * 1999.0], "what they paid");
    assert_eq!(found["verdict"]["code"], "better");
    let written = async |format: &str| {
        let path = format!("/v1/projects/1000/campaigns/3001/results?format={format}");
        site.get_as(&path, &token).await
    };
    let (table, text) = (written("csv").await, written("text").await);
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(table.body.lines().count(), 1 + 4, "{}", table.body);
    assert!(text.body.contains("\npurchase (conversion rate, primary)\n"), "{}", text.body);
    assert_eq!(written("xml").await.json()["code"], "invalid_parameter");
    for key in ["hero", "key:hero"] {
        let path = format!("/v1/projects/1000/campaigns/{key}/results");
        assert_eq!(site.get_as(&path, &token).await.json(), results, "{key}");
    }
    let unknown = site.get_as("/v1/projects/1000/campaigns/heroo/results", &token).await;
    assert_eq!(unknown.status.as_u16(), 404, "{}", unknown.body);
}

#[tokio::test]
async fn a_bayesian_plan_tells_probabilities_and_losses() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    let text = SHOP.replace("project: {", "project: {results: on, ");
    let planned = text.replace("name: Hero text", "name: Hero text\n    plan: {method: bayesian}");
    assert_ne!(planned, text);
    publish_text(&site, &planned).await;
    let_visitors_come(&site).await;

    let results = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await.json();

    let found = &results["experiments"][0]["results"];
    assert_eq!(
        (&found["method"], &found["verdict"]["code"]),
        (&json!("bayesian"), &json!("better"))
    );
    assert_eq!(found["plan"]["tolerated_loss"], 0.0025);
    let arms = &found["metrics"][0]["variations"];
    assert_eq!(arms[0]["posterior"]["chance_to_beat_control"], Value::Null);
    assert_eq!(arms[1]["posterior"]["is_low_risk"], true, "{arms}");
    assert!(arms[1]["posterior"]["probability_best"].as_f64().unwrap() > 0.99, "{arms}");
}

#[tokio::test]
async fn programs_previews_and_forced_variations_do_not_count() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    publish(&site, "on").await;
    let at = now(&site);
    for (visitor, mark) in [("a", "bot"), ("b", "forced"), ("c", "preview"), ("d", "holdback")] {
        let mut marked = exposure(visitor, at, "5001");
        marked[mark] = true.into();
        send(&site, &batch(visitor, &[marked])).await;
    }
    send(&site, &batch("e", &[exposure("e", at, "5002")])).await;

    let results = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await.json();

    let found = &results["experiments"][0]["results"];
    assert_eq!(found["variations"][0]["visitors"], 0);
    assert_eq!(found["variations"][1]["visitors"], 1);
    assert_eq!(
        (&found["health"]["bot_events"], &found["health"]["forced_exposures"]),
        (&json!(1), &json!(2))
    );
}

#[tokio::test]
async fn crawlers_that_say_so_do_not_count_and_servers_may_call_themselves_anything() {
    let site = Site::start();
    let application = site.application().await;
    let scopes = "results:read events:write";
    let token = fetch_tokens(&site, &application, scopes).await.access;
    publish(&site, "on").await;
    let at = now(&site);
    let sent = async |visitor: &str, user_agent: &str, token: Option<&str>| {
        let request = Request::post("/v1/events")
            .header("content-type", "text/plain;charset=UTF-8")
            .header("user-agent", user_agent);
        let request = match token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        };
        let body = batch(visitor, &[exposure(visitor, at, "5002")]);
        assert_eq!(site.send(request.body(Body::from(body)).unwrap()).await.status.as_u16(), 202);
    };
    sent("robot", "Mozilla/5.0 (compatible; Googlebot/2.1)", None).await;
    sent("person", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0", None).await;
    sent("shopper", "ShopBot/1.0", Some(&token)).await;

    let results = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await.json();

    let found = &results["experiments"][0]["results"];
    assert_eq!(found["variations"][1]["visitors"], 2);
    assert_eq!(found["health"]["bot_events"], 1);
}

#[tokio::test]
async fn who_is_held_back_is_compared_with_who_is_not() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    let shop = SHOP.replace("    status: not_started", "    holdback: 25%\n    status: running");
    publish_text(&site, &shop.replace("project: {", "project: {results: on, ")).await;
    let at = now(&site);
    for number in 0..400 {
        if number == 200 {
            // So many at once are all that one address may send.
            site.advance_seconds(10);
        }
        let (is_held_back, visitor) = (number % 4 == 0, number.to_string());
        let mut seen = exposure(&format!("e{visitor}"), at, "5001");
        seen["holdback"] = is_held_back.into();
        let mut events = vec![seen];
        if number % 20 == 0 || !is_held_back && number % 3 > 0 {
            events.push(bought(&format!("o{visitor}"), at + 1));
        }
        assert_eq!(send(&site, &batch(&visitor, &events)).await.status.as_u16(), 202);
    }

    let results = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await.json();

    let found = &results["holdback"]["results"];
    let told = |field: &str| [&found["variations"][0][field], &found["variations"][1][field]];
    assert_eq!(told("id"), [&json!("held_back"), &json!("shown")], "{results}");
    assert_eq!(told("visitors"), [&json!(100), &json!(300)]);
    assert_eq!(told("expected_share"), [&json!(0.25), &json!(0.75)]);
    assert_eq!(found["metrics"][0]["variations"][0]["total"], 20.0);
    assert_eq!(found["verdict"]["code"], "better");
    let shown = &results["experiments"][0]["results"]["variations"];
    assert_eq!((&shown[0]["visitors"], &shown[1]["visitors"]), (&json!(300), &json!(0)));
}

#[tokio::test]
async fn who_may_only_read_the_configuration_reads_no_results() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "config:read").await.access;
    publish(&site, "on").await;

    let answer = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await;

    assert_eq!(
        (answer.status.as_u16(), &answer.json()["code"]),
        (403, &json!("insufficient_scope"))
    );
}

#[tokio::test]
async fn a_member_sees_what_is_missing_and_then_who_won() {
    let site = Site::start();
    let member = site.member().await;
    publish(&site, "off").await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    let path = "/projects/1000/campaigns/3001/results";
    let off = browser.open(path).await.body;
    publish(&site, "on").await;
    let on = browser.open(path).await.body;

    let_visitors_come(&site).await;

    let done = "<span class=\"pill good\">done</span> ";
    assert!(
        off.contains("There is nothing to tell yet")
            && off.contains("missing</span> The campaign is live. <a"),
        "{off}"
    );
    let collecting = format!("{done}The live snippet sends");
    assert!(!off.contains(&collecting) && on.contains(&collecting), "{on}");
    let told = browser.open(path).await.body;
    assert!(told.contains("With <q>b</q>, between") && !told.contains("nothing to tell"), "{told}");
    assert!(told.contains("<svg") && told.contains(&format!("{path}/csv")), "{told}");
    let csv = browser.open(&format!("{path}/csv")).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert!(
        csv.body.starts_with("\u{feff}campaign,experiment,") && csv.body.lines().count() > 2,
        "{}",
        csv.body
    );
    let json = browser.open(&format!("{path}/json")).await.json();
    assert_eq!(json["experiments"][0]["results"]["verdict"]["variation"], "5002");
}

#[tokio::test]
async fn a_plan_that_was_over_before_anybody_came_is_told_to_be_what_is_missing() {
    let site = Site::start();
    let member = site.member().await;
    let text = SHOP.replace("project: {", "project: {results: on, ");
    let plan = "name: Hero text\n    plan: {until: 2026-12-24}";
    publish_text(&site, &text.replace("name: Hero text", plan)).await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    let path = "/projects/1000/campaigns/3001";

    send(&site, &batch("late", &[exposure("late", now(&site), "5002")])).await;

    let page = browser.open(&format!("{path}/results")).await.body;
    let told = format!("does not count. <a href=\"{path}/edit\">Change the plan</a>");
    assert!(
        page.contains("A last day of the plan that is not over.") && page.contains(&told),
        "{page}"
    );
    let json = browser.open(&format!("{path}/results/json")).await.json();
    assert_eq!(json["experiments"][0]["reason"], "plan_over");
}
