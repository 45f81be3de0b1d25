//! What operators watch: Prometheus reads counts, at an address that visitors do not know.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, Request};
use regex::Regex;
use serde_json::{Value, json};

use crate::command_line::binary::{Folder, Server, stderr};
use crate::events::{batch, bought, now, publish, send};
use crate::site::Site;
use crate::tls::certificates::{Authority, FLAGS};

const PAGE: &str = include_str!("../../../../docs/monitoring.md");

const ALERTS: &str = include_str!("../../../../deploy/monitoring/alerts.yaml");

const DASHBOARD: &str = include_str!("../../../../deploy/monitoring/dashboard.json");

/// A free port, as Prometheus would know it.
const METRICS: [&str; 2] = ["--metrics-address", "127.0.0.1:0"];

pub(crate) async fn scrape(server: &Server) -> String {
    let url = server.ready["metrics_url"].as_str().unwrap();
    let answer = reqwest::get(url).await.unwrap();
    let format = answer.headers()["content-type"].to_str().unwrap();
    assert_eq!(format, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    let text = answer.text().await.unwrap();
    assert!(text.ends_with("# EOF\n"), "{text}");
    text
}

fn counts(site: &Site) -> String {
    let mut text = String::new();
    site.app.monitor().write_to(&mut text).unwrap();
    text
}

/// The metrics of a server on which everything that is counted has happened, and of one that speaks https.
async fn all_names() -> BTreeSet<String> {
    let (folder, client) = (Folder::new(), reqwest::Client::new());
    let server = folder.serve(&[&["--demo"], &METRICS[..]].concat());
    let event = json!({"id": "e", "type": "event"});
    for (path, body) in [
        ("/v1/events", batch("ada", &[bought("o1", 1), event])),
        ("/v1/events", "{}".to_owned()),
        ("/oauth2/token?grant_type=authorization_code&client_id=unknown", String::new()),
    ] {
        let request = client.post(server.url(path)).header("content-type", "text/plain");
        request.body(body).send().await.unwrap();
    }
    let (other_folder, authority) = (Folder::new(), Authority::new());
    authority.issue("localhost").write(&other_folder);
    let https = other_folder.serve(&[&FLAGS[..], &METRICS].concat());
    names(&(scrape(&server).await + &scrape(&https).await))
}

/// The metrics there are, as queries name them.
fn names(text: &str) -> BTreeSet<String> {
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let name = |(name, kind): (&str, &str)| match kind {
        "counter" => format!("{name}_total"),
        "info" => format!("{name}_info"),
        _ => name.to_owned(),
    };
    types.map(name).collect()
}

/// The names and labels of all series, without their values.
fn series(text: &str) -> BTreeSet<&str> {
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples.map(|line| line.rsplit_once(' ').unwrap().0).collect()
}

/// What was counted under this name and these labels.
pub(crate) fn value(text: &str, series: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no `{series}` in\n{text}")).parse().unwrap()
}

#[tokio::test]
async fn prometheus_reads_at_an_address_of_its_own() {
    let folder = Folder::new();
    let server = folder.serve(&[&["--demo"], &METRICS[..]].concat());
    for _ in 0..3 {
        assert_eq!(reqwest::get(server.url("/js/1000.js")).await.unwrap().status(), 200);
    }

    let read = scrape(&server).await;

    let snippets = r#"assay_http_requests_total{route="/js/{file}",method="GET",status="2xx"}"#;
    assert!((value(&read, snippets) - 3.0).abs() < 0.1, "{read}");
    let taken = r#"assay_http_request_duration_seconds_count{route="/js/{file}",method="GET"}"#;
    assert!((value(&read, taken) - 3.0).abs() < 0.1, "{read}");
    let version = format!("assay_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert!((value(&read, &version) - 1.0).abs() < 0.1);
    assert!(value(&read, r#"assay_snippet_builds_total{result="built"}"#) > 0.0);
    for operation in ["compile_snippet", "publish_revision"] {
        let labels = format!(r#"{{operation="{operation}",result="ok"}}"#);
        let count = format!("assay_operation_duration_seconds_count{labels}");
        assert!(value(&read, &count) > 0.0, "{read}");
    }
    assert!(value(&read, "assay_database_connections_limit") > 0.0);
    assert!(value(&read, "process_cpu_seconds_total") > 0.0);
    assert!(value(&read, "process_open_fds") < value(&read, "process_max_fds"));
    let kilobytes = server.resident_kilobytes();
    let resident = value(&read, "process_resident_memory_bytes") / 1024.0;
    assert!((0.5..2.0).contains(&(resident / f64::from(u32::try_from(kilobytes).unwrap()))));
}

#[tokio::test]
async fn visitors_cannot_read_what_operators_read() {
    let folder = Folder::new();
    let server = folder.serve(&[&["--demo"], &METRICS[..]].concat());

    let at_the_door = reqwest::get(server.url("/metrics")).await.unwrap();

    assert_eq!(at_the_door.status(), 404);
    let metrics = server.ready["metrics_url"].as_str().unwrap();
    let other = metrics.replace("/metrics", "/js/1000.js");
    assert_eq!(reqwest::get(other).await.unwrap().status(), 404);
}

#[test]
fn nothing_is_read_unless_an_address_is_given() {
    let folder = Folder::new();
    let server = folder.serve(&["--demo"]);

    assert_eq!(server.ready.get("metrics_url"), None);
}

#[test]
fn an_address_that_another_program_has_is_named_with_its_flag() {
    let folder = Folder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();

    let refused = folder.assay(&[
        "serve",
        "--demo",
        "--listen",
        "127.0.0.1:0",
        "--metrics-address",
        &address,
    ]);

    let told = stderr(&refused);
    assert!(told.contains(&format!("cannot listen on {address}")), "{told}");
    assert!(told.contains("choose another address with --metrics-address"), "{told}");
}

#[tokio::test]
async fn the_end_of_the_certificate_can_be_watched() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("localhost").write(&folder);
    let server = folder.serve(&[&FLAGS[..], &METRICS].concat());

    let read = scrape(&server).await;

    assert!(value(&read, "assay_tls_certificate_not_after_seconds") > 1.7e9, "{read}");
}

#[tokio::test]
async fn made_up_paths_and_methods_make_no_new_series() {
    let site = Site::start();
    let call = async |method: &str, path: String| {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        site.send(Request::builder().method(method).uri(path).body(Body::empty()).unwrap()).await
    };
    let strange = async |number: usize| {
        for path in ["/", "/v1/", "/v1/projects/", "/oauth2/", "/js/", "/assets/", "/projects/"] {
            call("GET", format!("{path}made-up-{number}?a={number}")).await;
        }
        call(&format!("MADEUP{number}"), format!("/js/{number}.js")).await;
        call(&format!("MADEUP{number}"), format!("/made-up-{number}")).await;
    };
    strange(0).await;
    let text = counts(&site);
    let before = series(&text);

    for number in 1..500 {
        strange(number).await;
    }

    let text = counts(&site);
    assert_eq!(series(&text), before);
    assert!(!text.contains("made-up") && !text.contains("MADEUP"), "{text}");
}

#[tokio::test]
async fn accepted_and_refused_requests_are_counted() {
    let site = Site::start();
    publish(&site, "on").await;
    let (at, nameless) = (now(&site), json!({"id": "e", "type": "event", "time": 1}));

    send(&site, &batch("ada", &[bought("o1", at), bought("o2", at), nameless])).await;
    send(&site, &batch("ada", &[]).replace("\"1000\"", "\"1001\"")).await;
    let nobody = Request::post("/v1/events").header("authorization", "Bearer nobody");
    site.send(nobody.body(Body::from(batch("ada", &[bought("o3", at)]))).unwrap()).await;
    let form = Request::post("/oauth2/token?grant_type=authorization_code&client_id=unknown");
    site.send(form.body(Body::empty()).unwrap()).await;

    let text = counts(&site);
    for (series, expected) in [
        ("assay_events_accepted_total", 2.0),
        (r#"assay_events_rejected_total{reason="missing_field"}"#, 1.0),
        (r#"assay_event_batches_refused_total{reason="unknown_project"}"#, 1.0),
        (r#"assay_event_batches_refused_total{reason="sender"}"#, 1.0),
        (r#"assay_token_requests_total{result="invalid_client"}"#, 1.0),
        (r#"assay_refusals_total{event="client.refused"}"#, 1.0),
        (r#"assay_background_failures_total{task="audit_sealing"}"#, 0.0),
        (r#"assay_snippet_builds_total{result="failed"}"#, 0.0),
        (r#"assay_event_batches_refused_total{reason="storage"}"#, 0.0),
    ] {
        assert!((value(&text, series) - expected).abs() < 0.1, "{series}\n{text}");
    }
}

#[tokio::test]
async fn every_metric_is_documented_and_there() {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let documented: BTreeSet<String> = rows
        .map(|(name, _)| name.to_owned())
        .filter(|name| name.starts_with("assay_") || name.starts_with("process_"))
        .collect();

    assert_eq!(all_names().await, documented);
}

#[tokio::test]
async fn the_log_is_json_for_programs_and_has_no_secret() {
    let folder = Folder::new();
    let server = folder.serve_logging("info", &["--demo", "--log-format", "json"]);
    let secret = "assay_cs_jiDcGTYy";
    let path = format!("/v1/projects/1000?client_secret={secret}");
    let request = reqwest::Client::new().get(server.url(&path)).bearer_auth(secret);

    let answer = request.send().await.unwrap();

    let log = folder.log_of(server);
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of_request: Vec<Value> = lines.filter(|line| line["span"].is_object()).collect();
    let line = of_request.last().unwrap();
    assert_eq!(line["span"]["id"], answer.headers()["x-request-id"].to_str().unwrap());
    assert_eq!(line["span"]["route"], "/v1/projects/{id}");
    assert_eq!((&line["message"], &line["level"]), (&json!("answered"), &json!("INFO")));
    assert_eq!((&line["path"], &line["status"]), (&json!("/v1/projects/1000"), &json!(400)));
    assert!(line["milliseconds"].is_f64() && line["timestamp"].is_string(), "{line}");
    assert!(!log.contains("jiDcGTYy"), "{log}");
}

/// The metrics that a text names; of a histogram's series, their histogram.
fn named(text: &str) -> BTreeSet<String> {
    let name = Regex::new(r"\b(?:assay|process)_[a-z_]+").unwrap();
    let names = name.find_iter(text).map(|found| found.as_str());
    let whole = |name: &str| {
        let histogram = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        histogram.unwrap_or(name).to_owned()
    };
    names.map(whole).collect()
}

#[tokio::test]
async fn dashboard_and_alerts_ask_for_what_is_there() {
    let asked = &named(ALERTS) | &named(DASHBOARD);

    let there = all_names().await;

    let missing: Vec<_> = asked.difference(&there).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let unseen: Vec<_> = there.difference(&asked).collect();
    assert_eq!(
        unseen,
        ["process_threads", "process_virtual_memory_bytes"],
        "no alert looks at these"
    );
}

#[test]
fn dashboard_can_be_imported() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();

    let numbers: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();

    assert_eq!(numbers.len(), panels.len());
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        assert!(panel["targets"].as_array().is_some_and(|asked| !asked.is_empty()), "{panel}");
        assert_eq!(panel["datasource"]["uid"], "${datasource}", "{panel}");
    }
}

#[test]
fn every_alert_is_documented() {
    let alerts: Vec<_> =
        ALERTS.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();

    let documented: Vec<_> = PAGE
        .lines()
        .filter_map(|line| Some(line.strip_prefix("| `Assay")?.split_once('`')?.0))
        .collect();

    let documented: Vec<_> = documented.iter().map(|name| format!("Assay{name}")).collect();
    assert_eq!(documented, alerts);
}
