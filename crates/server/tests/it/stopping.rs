//! Who is connected while the real binary is told to stop, and who is not while others are slow.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;
use storage::SqliteStore;

use crate::command_line::binary::{Folder, PROJECT, project_with, stderr};
use crate::wire::{Listener, Wire};

const ASK: &str = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

/// A request whose body is asked for before it is sent: once it is, the request is being answered.
const ASK_WITH_BODY: &str = "POST /oauth2/token HTTP/1.1\r\nHost: a\r\n\
    Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n";

#[test]
fn a_server_that_is_told_to_stop_finishes_what_is_going_on() {
    let mut listener = Listener::start();
    let (mut idle, mut busy) = (listener.connect(), listener.connect());
    idle.send(ASK);
    assert_eq!(idle.hear().status, 200);
    busy.send(ASK_WITH_BODY);
    assert!(busy.hears_continue());

    listener.server.signal(Signal::TERM);

    assert!(idle.is_closed(), "nothing is going on there");
    busy.send("grant_type=x");
    assert_eq!(busy.hear().status, 401);
    assert!(busy.is_closed());
    assert_eq!(listener.server.exit_code(), Some(0));
}

#[test]
fn a_server_that_drains_goes_on_while_a_balancer_looks_elsewhere() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let mut server = folder.serve(&["shop.yaml", "--drain", "3600"]);
    let ask = |path: &str| {
        let mut page = Wire::connect(server.address());
        page.send(format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
        (page.hear().status, page.is_closed())
    };
    let mut idle = Wire::connect(server.address());
    idle.send(ASK);
    assert_eq!(idle.hear().status, 200);

    server.signal(Signal::TERM);

    // The signal may be on its way still.
    while ask("/readyz").0 == 200 {}
    assert_eq!(ask("/readyz"), (503, true));
    assert_eq!(ask("/js/1000.js"), (200, true), "visitors still come");
    idle.send(ASK);
    assert_eq!(idle.hear().status, 200, "a request that comes on an open connection is answered");
    server.signal(Signal::TERM);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn an_idle_connection_is_kept_for_as_long_as_the_operator_says() {
    let folder = Folder::new();
    let server = folder.serve(&["--idle-timeout", "1"]);
    let mut idle = Wire::connect(server.address());
    idle.send(ASK);
    assert_eq!(idle.hear().status, 200);

    let answered = Instant::now();
    assert!(idle.is_closed());

    let kept = answered.elapsed();
    assert!(kept > Duration::from_millis(900) && kept < Duration::from_mins(1), "{kept:?}");
}

#[test]
fn a_time_that_no_connection_can_be_kept_for_is_refused_with_those_that_can() {
    for seconds in ["0", "7201", "-1", "1.5", "forever"] {
        let refused = Folder::new().assay(&["serve", &format!("--idle-timeout={seconds}")]);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(stderr(&refused).contains("--idle-timeout <SECONDS>"), "{}", stderr(&refused));
    }
    let refused = Folder::new().assay(&["serve", "--idle-timeout", "7201"]);
    assert!(stderr(&refused).contains("7201 is not in 1..=7200"), "{}", stderr(&refused));
}

/// More than a pipe holds and the server keeps, with a line of the log each.
const REQUESTS: usize = 12_000;

#[test]
fn an_unread_log_delays_no_request_and_no_stop_and_is_told_of() {
    let folder = Folder::new();
    let mut server = folder.serve_unread("info", &["--metrics-address", "127.0.0.1:0"]);
    let mut page = Wire::connect(server.address());

    for _ in 0..REQUESTS {
        page.send(ASK);
        assert_eq!(page.hear().status, 200);
    }

    let metrics = server.ready["metrics_url"].as_str().unwrap();
    let mut operator =
        Wire::connect(metrics.strip_prefix("http://").unwrap().trim_end_matches("/metrics"));
    operator.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
    let told = operator.hear().body;
    assert!(told.contains("\nassay_log_lines_lost_total 1"), "{told}");
    server.signal(Signal::TERM);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn a_stopped_server_leaves_all_in_one_file_also_if_another_program_has_it_open() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let mut server = folder.serve(&["shop.yaml", "--data", "data"]);
    // Who closes a database last moves its log into it: here, that is not the server.
    let _other = SqliteStore::open(&folder.path("data/assay.db")).unwrap();
    server.signal(Signal::TERM);
    assert_eq!(server.exit_code(), Some(0));
    assert!(!folder.path("ready.json").exists(), "nothing tells of a server that is gone");
    fs::create_dir(folder.path("copy")).unwrap();
    fs::copy(folder.path("data/assay.db"), folder.path("copy/assay.db")).unwrap();

    let copy = folder.serve(&["--data", "copy"]);

    let mut page = Wire::connect(copy.address());
    page.send("GET /js/1000.js HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_eq!(page.hear().status, 200);
}

/// Between what stopping may take, 13 seconds, and the minute that a sink may take.
const STOPPED_BY: Duration = Duration::from_secs(40);

#[test]
fn a_sink_that_never_answers_does_not_keep_a_server_that_is_to_stop() {
    let (folder, sink) = (Folder::new(), TcpListener::bind("127.0.0.1:0").unwrap());
    folder.write("shop.yaml", &project_with("results: on"));
    let address = format!("http://{}/", sink.local_addr().unwrap());
    let keeping = ["--data", "data", "--seal-events", "0", "--sink", &address];
    let mut server = folder.serve(&[&["shop.yaml"], &keeping[..]].concat());
    let event = json!({"id": "e", "time": 0, "type": "event", "name": "purchase"});
    let body = json!({"project": "1000", "visitor": "ada", "events": [event]}).to_string();
    let mut page = Wire::connect(server.address());
    page.send(format!(
        "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    assert_eq!(page.hear().status, 202);
    let _request = sink.accept().unwrap();

    let told_at = Instant::now();
    server.signal(Signal::TERM);

    assert_eq!(server.exit_code(), Some(0));
    assert!(told_at.elapsed() < STOPPED_BY, "{:?}", told_at.elapsed());
}

#[test]
fn slow_clients_do_not_delay_others() {
    let listener = Listener::start();
    let slow: Vec<_> = (0..100)
        .map(|number| {
            let mut wire = listener.connect();
            wire.send(match number % 4 {
                0 => "",
                1 => "POST /oauth2/tok",
                2 => ASK_WITH_BODY,
                _ => "POST /oauth2/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
            });
            wire
        })
        .collect();

    assert_eq!(listener.ask(ASK).status, 200);
    drop(slow);
}
