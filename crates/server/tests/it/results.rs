//! Results, from the first visitor to the end of the campaign.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::events::{batch, bought, exposure, let_visitors_come, now, publish, send};
use crate::oauth::token_call::fetch_tokens;
use crate::shop::{publish_text, shop_with};
use crate::site::Site;

/// Makes the campaign have this status.
async fn publish_as(site: &Site, status: &str) {
    publish_text(site, &shop_with("results: on").replace("status: not_started", status)).await;
}

/// What programs read of the experiment.
async fn read(site: &Site, token: &str) -> Value {
    let answer = site.get_as("/v1/projects/1000/campaigns/3001/results", token).await;
    answer.json()["experiments"][0]["results"].clone()
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
    let text = shop_with("results: on");
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
async fn held_back_visitors_are_compared_with_all_others() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    let begun = "    holdback: 25%\n    status: running";
    let shop = shop_with("results: on").replace("    status: not_started", begun);
    publish_text(&site, &shop).await;
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
async fn a_token_that_reads_the_configuration_only_gets_no_results() {
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
    let text = shop_with("results: on");
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

#[tokio::test]
async fn results_stay_those_of_the_conclusion_whatever_visitors_do_later() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    publish_as(&site, "status: running").await;
    let_visitors_come(&site).await;
    site.advance_seconds(600);
    let by_then = read(&site, &token).await;
    publish_as(&site, "status: concluded").await;
    let concluded_at = now(&site);
    site.advance_seconds(600);

    // A visitor of the original buys, a page that stayed open shows a variation, and one event was on its way.
    for (visitor, event) in [
        ("5001-100", bought("later", now(&site))),
        ("newcomer", exposure("open", now(&site), "5002")),
    ] {
        assert_eq!(send(&site, &batch(visitor, &[event])).await.status.as_u16(), 202);
    }
    let found = read(&site, &token).await;
    let late = bought("late", concluded_at - 1);
    send(&site, &batch("5002-120", &[late])).await;
    let with_late = read(&site, &token).await;

    assert_eq!(by_then["ended_at"], Value::Null);
    assert_eq!(found["ended_at"], "2027-01-15T08:10:00Z");
    assert_eq!(found["metrics"], by_then["metrics"]);
    assert_eq!(found["variations"], by_then["variations"]);
    let buyers = |found: &Value| found["metrics"][0]["variations"][1]["total"].clone();
    assert_eq!([&found, &with_late].map(buyers), [json!(100.0), json!(101.0)]);
}
