//! The disk is full, and later it is not: nothing was issued meanwhile, nothing is lost, and no operator has to act.
//!
//! A limit of what a process may write to a file stands for the full disk: it needs no rights, and fails the same calls.

use std::process::Command;

use serde_json::Value;

use super::client::{CHALLENGE, Caller, authorize, exchange, is_ready, use_of};
use super::life::{demo_application, demo_member};
use crate::browser::Browser;
use crate::command_line::binary::{Folder, Server};
use crate::door::DATA;
use crate::site::Answer;

/// From now on, no file may grow beyond so many bytes, as `prlimit` writes them.
fn limit_files(server: &Server, bytes: &str) {
    let pid = server.ready["pid"].to_string();
    let limit = format!("--fsize={bytes}:unlimited");
    assert!(Command::new("prlimit").args(["--pid", &pid, &limit]).status().unwrap().success());
}

fn assert_busy(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "1"), "{answer:?}");
    assert!(!answer.body.contains("assay_at_"), "nothing is issued: {answer:?}");
}

#[tokio::test]
async fn a_full_disk_is_reported_and_costs_no_code_or_token() {
    let folder = Folder::new();
    let server = folder.serve_with_limits("warn", &["--demo", "--data", DATA]);
    let (member, application) = (demo_member(&server), demo_application(&server));
    let caller = Caller::new(&server.url(""));
    let browser = Browser::new(&caller);
    let first = browser.fetch_code(&member, &application, &CHALLENGE).await;
    let waiting = caller.send_text(authorize(&application, &browser.cookies())).await;
    let waiting = waiting.returned("code").unwrap();
    let tokens = caller.send_text(exchange(&application, &first)).await.json();
    let access_token = tokens["access_token"].as_str().unwrap();
    assert_eq!(caller.send_text(use_of(access_token)).await.status, 200);

    limit_files(&server, "0");
    for _ in 0..3 {
        assert_busy(&caller.send_text(exchange(&application, &waiting)).await);
    }
    assert_busy(&caller.send_text(authorize(&application, &browser.cookies())).await);
    let readiness = caller.send_text(is_ready()).await;
    assert_eq!(readiness.status, 503, "a load balancer goes elsewhere");

    limit_files(&server, "unlimited");
    let exchanged = caller.send_text(exchange(&application, &waiting)).await;
    assert_eq!(exchanged.status, 200, "the code is still good: {exchanged:?}");
    let exchanged: Value = exchanged.json();
    for token in [access_token, exchanged["access_token"].as_str().unwrap()] {
        assert_eq!(caller.send_text(use_of(token)).await.status, 200);
    }
}

#[tokio::test]
async fn a_log_that_cannot_be_written_stops_nothing() {
    let folder = Folder::new();

    let server = folder.serve_speechless(&["--demo", "--data", DATA]);

    let caller = Caller::new(&server.url(""));
    let browser = Browser::new(&caller);
    let (member, application) = (demo_member(&server), demo_application(&server));
    let code = browser.fetch_code(&member, &application, &CHALLENGE).await;
    assert_eq!(caller.send_text(exchange(&application, &code)).await.status, 200);
}
