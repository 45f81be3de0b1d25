//! What `assay doctor` tells of the system that gets the events.

use std::fs::{Permissions, set_permissions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::thread::{self, JoinHandle};

use serde_json::Value;

use super::{about, states};
use crate::command_line::binary::{Folder, stdout};

/// A sink that gives these answers; the heads of the requests come back. None of them may have a body.
fn sink(answers: &'static [&'static str]) -> (u16, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let take = move |answer: &&str| {
        let mut reader = BufReader::new(listener.accept().unwrap().0);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            reader.read_line(&mut head).unwrap();
        }
        let answer = format!("HTTP/1.1 {answer}");
        reader.get_mut().write_all(answer.as_bytes()).unwrap();
        head.to_lowercase()
    };
    (port, thread::spawn(move || answers.iter().map(take).collect()))
}

const TAKEN: &str = "200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

const DENIED: &str = "500 Oops\r\nX-ClickHouse-Exception-Code: 497\r\nConnection: close\r\nContent-Length: 25\r\n\r\nNot enough: token-s3cret.";

const NO_DATA: &str = "400 Bad Request\r\nX-ClickHouse-Exception-Code: 108\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

const WRONG_KEY: &str =
    "403 Forbidden\r\nConnection: close\r\nContent-Length: 12\r\n\r\ntoken-s3cret";

const EMPTY: &str = "422 Unprocessable\r\nConnection: close\r\nContent-Length: 8\r\n\r\nno lines";

/// Looks at a sink; its findings, and the requests that came.
fn looked_at(address: &str, answers: &'static [&'static str]) -> (Value, Vec<String>) {
    let folder = Folder::new();
    let headers = folder.write("headers", "Authorization: Bearer token-s3cret\n");
    set_permissions(&headers, Permissions::from_mode(0o600)).unwrap();
    let (port, requests) = sink(answers);
    let address = address.replace("PORT", &port.to_string());
    let flags = ["--sink", &address, "--sink-headers", "headers", "--listen", "127.0.0.1:0"];
    let looked = folder.assay(&[&["doctor", "--data", "data", "--json"], &flags[..]].concat());
    let told = stdout(&looked);
    assert!(!told.contains("s3cret") && !told.contains("path-of"), "{told}");
    let findings: Value = serde_json::from_str(&told).unwrap();
    let is_about_sink = |finding: &&Value| finding["check"] == "sink";
    let found = findings.as_array().unwrap().iter().filter(is_about_sink).cloned().collect();
    (found, requests.join().unwrap())
}

#[test]
fn a_sink_is_asked_without_sending_it_anything() {
    let clickhouse = "clickhouse+http://127.0.0.1:PORT/shop/events";
    let lines = "http://127.0.0.1:PORT/path-of-s3cret";
    let cases = [
        (clickhouse, &[TAKEN, TAKEN][..], "ok"),
        (clickhouse, &[TAKEN, NO_DATA], "ok"),
        (clickhouse, &[TAKEN, DENIED], "error: grant the user INSERT on the table"),
        (clickhouse, &[WRONG_KEY], "error: correct --sink-headers"),
        (lines, &[TAKEN], "ok"),
        (lines, &[WRONG_KEY], "error: correct --sink-headers"),
        (lines, &[EMPTY], "warning: if it refuses a request without events alone, all is well"),
    ];

    for (address, answers, expected) in cases {
        let (found, requests) = looked_at(address, answers);

        let text = |field: &str| found[0][field].as_str().unwrap_or_default().to_owned();
        let told = format!("{}: {}", text("state"), text("cure"));
        assert!(told.starts_with(expected), "{told}: {found}");
        assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
        for request in requests {
            assert!(request.contains("authorization: bearer token-s3cret\r\n"), "{request}");
            let has_body = request
                .lines()
                .any(|line| line.starts_with("content-length:") && line != "content-length: 0")
                || request.contains("transfer-encoding");
            assert!(!has_body, "{request}");
        }
    }
}

#[test]
fn a_sink_that_is_away_and_headers_that_others_can_read_are_told() {
    let folder = Folder::new();
    let headers = folder.write("headers", "X-Key: token-s3cret\n");
    set_permissions(&headers, Permissions::from_mode(0o644)).unwrap();
    let flags = ["--sink-headers", "headers", "--listen", "127.0.0.1:0", "--json"];
    let look = |address| {
        folder.assay(&[&["doctor", "--data", "data", "--sink", address], &flags[..]].concat())
    };

    let away = look("http://127.0.0.1:9/in");
    let wrong = look("kafka://broker/in");

    assert_eq!(away.status.code(), Some(1));
    assert_eq!(states(&away, "sink"), ["error", "warning"], "{}", stdout(&away));
    assert!(about(&away, "sink")[1].1.contains("other users"), "{}", stdout(&away));
    let told = about(&wrong, "sink");
    assert!(told[0].1.starts_with("--sink: expected `clickhouse+https://"), "{told:?}");
}
