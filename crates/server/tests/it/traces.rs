//! Traces, as a collector gets them from the real binary.

pub(crate) mod collector;

use std::collections::BTreeMap;
use std::net::TcpListener;

use axum::body::Body;
use axum::http::Request;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{Span, Status};
use rustix::process::Signal;
use serde_json::{Value, json};

use self::collector::{Collector, attribute, value};
use crate::browser::Browser;
use crate::command_line::binary::{Folder, Server, stderr};
use crate::crash::client::{CHALLENGE, Caller, exchange, use_of};
use crate::crash::life::{demo_application, demo_member};
use crate::door::{DATA, Door as _};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// Spans leave at once.
const AT_ONCE: (&str, &str) = ("OTEL_BSP_SCHEDULE_DELAY", "10");

/// Spans leave when the server stops.
const AT_THE_END: (&str, &str) = ("OTEL_BSP_SCHEDULE_DELAY", "3600000");

/// The example of W3C Trace Context, section 2.2: a caller that keeps its trace, and one that does not.
const KEPT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const NOT_KEPT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

/// Runs the demo with this collector.
fn serve(
    collector: &Collector,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> (Folder, Server) {
    let endpoint = (ENDPOINT, &*collector.endpoint());
    let folder = Folder::with_variables(&[&[endpoint], variables].concat());
    let server = folder.serve_logging("info", &[&["--demo", "--data", DATA], arguments].concat());
    (folder, server)
}

async fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> u16 {
    let request = reqwest::Client::new().get(server.url(path));
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap().status().as_u16()
}

fn stop(server: &mut Server) {
    server.signal(Signal::TERM);
    assert_eq!(server.exit_code(), Some(0));
}

/// What came until the server ended.
fn all_spans(collector: &Collector) -> Vec<Span> {
    collector.rest().iter().flat_map(collector::Received::spans).collect()
}

fn of_route<'a>(spans: &'a [Span], route: &str) -> &'a Span {
    spans.iter().find(|span| attribute(span, "http.route") == route).unwrap()
}

/// What the request of a route waited for, as it is told.
fn waited_for(spans: &[Span], route: &str) -> Vec<Value> {
    let request = of_route(spans, route);
    spans.iter().filter(|span| span.parent_span_id == request.span_id).map(span_as_json).collect()
}

fn is_root(span: &Span) -> bool {
    span.kind == i32::from(SpanKind::Server)
}

/// All that a span says, but for what the machine decides.
fn span_as_json(span: &Span) -> Value {
    let attributes: BTreeMap<_, _> = span
        .attributes
        .iter()
        .map(|attribute| {
            let name = attribute.key.clone();
            let value = if name == "server.port" {
                "[port]".to_owned()
            } else {
                value(&span.attributes, &name)
            };
            (name, value)
        })
        .collect();
    let status = span.status.as_ref().map_or(StatusCode::Unset, Status::code);
    json!({"name": span.name, "kind": span.kind().as_str_name(), "attributes": attributes, "status": status.as_str_name()})
}

#[tokio::test]
async fn a_request_is_a_child_of_its_callers_span() {
    let collector = Collector::start();
    let (_folder, server) = serve(&collector, &[AT_ONCE], &[]);

    assert_eq!(get(&server, "/js/1000.js?visitor=ada", &[("traceparent", KEPT)]).await, 200);

    let spans = collector.spans_until("/js/{file}");
    let span = of_route(&spans, "/js/{file}");
    assert_eq!(hex::encode(&span.trace_id), KEPT[3..35]);
    assert_eq!(hex::encode(&span.parent_span_id), KEPT[36..52]);
    insta::assert_json_snapshot!(span_as_json(span));
}

#[tokio::test]
async fn a_trace_has_the_work_that_its_request_waits_for_and_no_other() {
    let collector = Collector::start();
    let (_folder, mut server) = serve(&collector, &[AT_THE_END], &[]);
    let caller = Caller::new(&server.url(""));
    let (member, application) = (demo_member(&server), demo_application(&server));
    let code = Browser::new(&caller).fetch_code(&member, &application, &CHALLENGE).await;
    let tokens = caller.send_text(exchange(&application, &code)).await.json();
    caller.send_text(use_of(tokens["access_token"].as_str().unwrap())).await;
    stop(&mut server);

    let spans = all_spans(&collector);

    insta::assert_json_snapshot!(waited_for(&spans, "/oauth2/token"));
    assert!(spans.iter().any(|span| span.name == "hash_password"));
    for span in &spans {
        let root = spans.iter().find(|root| is_root(root) && root.trace_id == span.trace_id);
        assert!(is_root(span) == span.parent_span_id.is_empty() && root.is_some(), "{span:?}");
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano);
    }
}

#[tokio::test]
async fn neither_secrets_nor_visitors_are_in_a_trace() {
    let collector = Collector::start();
    let (_folder, mut server) = serve(&collector, &[AT_THE_END], &[]);
    let caller = Caller::new(&server.url(""));
    let (member, application) = (demo_member(&server), demo_application(&server));
    let state = [("state", "s3cret-state"), CHALLENGE[0], CHALLENGE[1]];
    let code = Browser::new(&caller).fetch_code(&member, &application, &state).await;
    let tokens = caller.send_text(exchange(&application, &code)).await.json();
    let headers = [
        ("user-agent", "s3cret-browser"),
        ("cookie", "experimentation_id=s3cret-visitor"),
        ("x-forwarded-for", "203.0.113.77"),
        ("x-request-id", "s3cret-request"),
        ("referer", "https://s3cret-page.example/"),
        ("host", "s3cret-host.example"),
    ];
    get(&server, "/js/1000.js?visitor=s3cret-query", &headers).await;
    get(&server, "/v1/projects/s3cret-path", &headers).await;
    get(&server, "/s3cret-nowhere", &headers).await;
    let strange = Request::builder().method("S3CRET").uri("/js/1000.js").body(Body::empty());
    caller.send(strange.unwrap()).await;
    stop(&mut server);

    let sent: Vec<u8> = collector.rest().into_iter().flat_map(|received| received.body).collect();

    let sent = String::from_utf8_lossy(&sent).to_lowercase();
    assert!(sent.contains("/oauth2/token") && sent.contains("_other"), "{sent}");
    let text = |name: &str| tokens[name].as_str().unwrap().to_lowercase();
    let secrets = [
        "s3cret".to_owned(),
        "203.0.113.77".to_owned(),
        code.to_lowercase(),
        text("access_token"),
        text("refresh_token"),
        application.client_secret.to_lowercase(),
        member.password.to_lowercase(),
        member.email.to_lowercase(),
    ];
    for secret in secrets {
        assert!(!sent.contains(&secret), "{secret} in {sent}");
    }
}

#[tokio::test]
async fn a_caller_that_keeps_no_trace_gets_none() {
    let collector = Collector::start();
    let (_folder, mut server) = serve(&collector, &[AT_THE_END], &[]);

    get(&server, "/js/1000.js", &[("traceparent", NOT_KEPT)]).await;
    get(&server, "/healthz", &[("traceparent", KEPT)]).await;
    stop(&mut server);

    let routes: Vec<_> =
        all_spans(&collector).iter().map(|span| attribute(span, "http.route")).collect();
    assert_eq!(routes, ["/healthz"]);
}

#[tokio::test]
async fn an_invalid_traceparent_begins_a_new_trace() {
    let collector = Collector::start();
    let (_folder, mut server) = serve(&collector, &[AT_THE_END], &[]);

    for broken in [
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        &KEPT.replace('4', "g"),
    ] {
        get(&server, "/healthz", &[("traceparent", broken)]).await;
    }
    let long = format!("a={}", "x".repeat(600));
    get(&server, "/js/1000.js", &[("traceparent", KEPT), ("tracestate", &long)]).await;
    stop(&mut server);

    let spans = all_spans(&collector);
    let begun = spans.iter().filter(|span| span.parent_span_id.is_empty()).count();
    assert_eq!((begun, spans.iter().filter(|span| is_root(span)).count()), (4, 5));
    let continued = of_route(&spans, "/js/{file}");
    assert_eq!(
        (hex::encode(&continued.trace_id).as_str(), &*continued.trace_state),
        (&KEPT[3..35], "")
    );
}

#[tokio::test]
async fn without_a_propagator_no_trace_is_continued() {
    let collector = Collector::start();
    let (_folder, server) = serve(&collector, &[AT_ONCE, ("OTEL_PROPAGATORS", "none")], &[]);

    get(&server, "/healthz", &[("traceparent", KEPT)]).await;

    let spans = collector.spans_until("/healthz");
    assert!(spans[0].parent_span_id.is_empty() && hex::encode(&spans[0].trace_id) != KEPT[3..35]);
}

#[tokio::test]
async fn the_sampler_decides_what_is_kept() {
    let collector = Collector::start();
    let sampler = ("OTEL_TRACES_SAMPLER", "always_off");
    let (_folder, mut server) = serve(&collector, &[AT_ONCE, sampler], &[]);

    get(&server, "/js/1000.js", &[("traceparent", KEPT)]).await;
    stop(&mut server);

    assert!(collector.rest().is_empty());
}

#[tokio::test]
async fn a_failure_of_the_server_is_an_error_and_a_refusal_is_none() {
    let collector = Collector::start();
    let folder = Folder::with_variables(&[(ENDPOINT, &collector.endpoint()), AT_ONCE]);
    let server = folder.serve_with_limits("warn", &["--demo", "--data", DATA]);
    assert_eq!(get(&server, "/v1/projects/1000", &[]).await, 401);
    let refused = collector.spans_until("/v1/projects/{id}");

    let pid = server.ready["pid"].to_string();
    let full =
        std::process::Command::new("prlimit").args(["--pid", &pid, "--fsize=0:unlimited"]).status();
    assert!(full.unwrap().success());
    assert_eq!(get(&server, "/readyz", &[]).await, 503);

    let refused = span_as_json(of_route(&refused, "/v1/projects/{id}"));
    assert_eq!(
        (&refused["status"], &refused["attributes"]["error.type"]),
        (&json!("STATUS_CODE_UNSET"), &Value::Null)
    );
    let failed = collector.spans_until("/readyz");
    let failed: Vec<_> = failed
        .iter()
        .map(span_as_json)
        .filter(|told| told["status"] == "STATUS_CODE_ERROR")
        .collect();
    insta::assert_json_snapshot!(failed);
}

#[tokio::test]
async fn a_server_that_stops_sends_what_it_has_with_the_headers_and_names_of_the_operator() {
    let collector = Collector::start();
    let variables = [
        AT_THE_END,
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc,x-tenant=shop"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
        ("OTEL_SERVICE_NAME", "shop"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=live"),
    ];
    let (_folder, mut server) = serve(&collector, &variables, &[]);
    get(&server, "/healthz", &[]).await;

    stop(&mut server);

    let received = collector.rest().remove(0);
    for line in [
        "post /v1/traces http/1.1\r\n",
        "content-type: application/x-protobuf\r\n",
        "content-encoding: gzip\r\n",
        "authorization: bearer abc\r\n",
        "x-tenant: shop\r\n",
    ] {
        assert!(received.head.contains(line), "{line} in {}", received.head);
    }
    let resource = received.resource().attributes;
    let names = [
        "service.name",
        "deployment.environment.name",
        "service.version",
        "telemetry.sdk.language",
    ];
    let told = names.map(|name| value(&resource, name));
    assert_eq!(told, ["shop", "live", env!("CARGO_PKG_VERSION"), "rust"]);
}

#[tokio::test]
async fn a_collector_that_is_down_is_one_line_in_the_log_and_slows_nothing_down() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    drop(taken);
    let endpoint = format!("http://{address}");
    let folder = Folder::with_variables(&[(ENDPOINT, &endpoint), AT_ONCE]);
    let mut server = folder.serve(&["--demo", "--metrics-address", "127.0.0.1:0"]);

    for _ in 0..50 {
        assert_eq!(get(&server, "/js/1000.js", &[]).await, 200);
    }
    let log = server.log_until("the collector does not take traces");
    let metrics = reqwest::get(server.ready["metrics_url"].as_str().unwrap()).await.unwrap();
    let metrics = metrics.text().await.unwrap();
    let collector = Collector::at(address);
    get(&server, "/healthz", &[]).await;
    collector.spans_until("/healthz");
    server.signal(Signal::TERM);

    let log = log + &server.log_until("the collector takes traces again");
    assert_eq!(
        log.matches("the collector does not take traces, which are lost").count(),
        1,
        "{log}"
    );
    assert!(!metrics.contains("assay_background_failures_total{task=\"traces\"} 0"), "{metrics}");
    assert_eq!(server.exit_code(), Some(0));
}

#[tokio::test]
async fn a_collector_that_never_answers_keeps_no_request_and_no_process() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let patience = ("OTEL_EXPORTER_OTLP_TIMEOUT", "300");
    let folder = Folder::with_variables(&[(ENDPOINT, &endpoint), AT_ONCE, patience]);
    let mut server = folder.serve(&["--demo"]);

    for _ in 0..50 {
        assert_eq!(get(&server, "/js/1000.js", &[]).await, 200);
    }

    stop(&mut server);
}

#[tokio::test]
async fn nothing_is_there_unless_the_operator_asks_for_it() {
    let collector = Collector::start();
    let endpoint = collector.endpoint();
    let off: [&[(&str, &str)]; 3] = [
        &[("OTEL_SERVICE_NAME", "shop")],
        &[(ENDPOINT, &endpoint), ("OTEL_SDK_DISABLED", "true")],
        &[(ENDPOINT, &endpoint), ("OTEL_TRACES_EXPORTER", "none")],
    ];
    for variables in off {
        let mut server = Folder::with_variables(variables).serve(&["--demo"]);
        get(&server, "/js/1000.js", &[("traceparent", KEPT)]).await;

        let threads = threads(&server);

        assert!(threads.iter().all(|name| !name.starts_with("OpenTelemetry")), "{threads:?}");
        stop(&mut server);
    }
    assert!(collector.rest().is_empty());
    let (_folder, server) = serve(&collector, &[], &[]);
    assert!(threads(&server).iter().any(|name| name.starts_with("OpenTelemetry")));
}

/// The names of the threads of a server, as Linux cuts them.
fn threads(server: &Server) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", server.ready["pid"])).unwrap();
    let name = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap();
    tasks.map(|task| name(task.unwrap())).collect()
}

#[test]
fn a_protocol_that_is_not_spoken_is_refused_at_the_start() {
    let folder = Folder::new();
    let variables =
        [("OTEL_TRACES_EXPORTER", "otlp"), ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc")];

    let refused = folder.assay_where(&variables, &["serve", "--demo", "--listen", "127.0.0.1:0"]);

    assert_eq!(refused.status.code(), Some(1));
    insta::assert_snapshot!(stderr(&refused));
}

#[tokio::test]
async fn a_line_of_the_log_names_its_trace() {
    let collector = Collector::start();
    let (folder, server) = serve(&collector, &[AT_ONCE], &["--log-format", "json"]);

    get(&server, "/v1/projects/1000", &[("traceparent", KEPT)]).await;

    let spans = collector.spans_until("/v1/projects/{id}");
    let log = folder.log_of(server);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered = lines.iter().find(|line| line["path"] == "/v1/projects/1000").unwrap();
    assert_eq!(answered["trace_id"], KEPT[3..35]);
    let span = of_route(&spans, "/v1/projects/{id}");
    assert_eq!(answered["span_id"], hex::encode(&span.span_id));
    assert_eq!(
        (&answered["span"]["name"], &answered["span"]["route"]),
        (&json!("request"), &json!("/v1/projects/{id}"))
    );
    let outside = lines.iter().find(|line| line["span"].is_null()).unwrap();
    assert_eq!(outside.get("trace_id"), None);
}

#[tokio::test]
async fn postgres_is_asked_within_the_trace_of_the_request() {
    let collector = Collector::start();
    let folder = Folder::with_variables(&[(ENDPOINT, &collector.endpoint()), AT_THE_END]);
    let database = crate::postgres::database("traces");
    let mut server = folder.serve(&["--demo", "--database", &database]);
    let caller = Caller::new(&server.url(""));
    let (member, application) = (demo_member(&server), demo_application(&server));
    let code = Browser::new(&caller).fetch_code(&member, &application, &CHALLENGE).await;
    caller.send_text(exchange(&application, &code)).await;
    stop(&mut server);

    let spans = all_spans(&collector);

    insta::assert_json_snapshot!(waited_for(&spans, "/oauth2/token"));
}
