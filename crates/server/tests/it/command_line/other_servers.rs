//! Servers that are not Assay, or that stand before it: pages where people sign in, redirects, limits, proxies.

use std::io::Write as _;
use std::net::TcpListener;
use std::process::Output;
use std::thread;

use super::binary::{Folder, PROJECT, stderr, stdout};
use super::remote::Desk;
use crate::webhooks::read;

/// The address of a server that answers everything with this.
fn answering(head: &str, body: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let length = body.len();
    let answer =
        format!("HTTP/1.1 {head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (_, mut stream) = read(stream.unwrap());
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

fn shop() -> Folder {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    folder
}

fn run(arguments: &[&str], server: &str) -> Output {
    let arguments = [arguments, &["--server", server]].concat();
    shop().assay_with("ASSAY_TOKEN", "assay_pat_x", &arguments)
}

#[test]
fn an_answer_of_another_server_is_no_success() {
    let json = "200 OK\r\nContent-Type: application/json";
    let page = "200 OK\r\nContent-Type: text/html; charset=utf-8";
    for (head, body, came) in [
        (page, "<!doctype html><title>Sign in</title>", "with `text/html`"),
        ("200 OK", "", "without a media type"),
        (json, "[]", "with other JSON"),
        (json, r#"{"status": "ok"}"#, "with other JSON"),
    ] {
        let server = answering(head, body);
        for (arguments, code) in [
            (&["diff", "shop.yaml", "--exit-code", "--json"][..], 2),
            (&["diff", "shop.yaml"], 1),
            (&["apply", "shop.yaml", "--publish", "--yes"], 1),
            (&["export", "shop"], 1),
            (&["results", "hero", "--project", "shop"], 1),
            (&["results", "hero", "--project", "shop", "--json"], 1),
            (&["simulate", "shop.yaml", "--url", "https://shop.example/"], 1),
        ] {
            let told = run(arguments, &server);

            assert_eq!((told.status.code(), &*stdout(&told)), (Some(code), ""), "{arguments:?}");
            let expected = format!(
                "error: there is no Assay at `{server}/`: another server answers, {came}\n"
            );
            assert!(stderr(&told).starts_with(&expected), "{arguments:?}: {}", stderr(&told));
        }
        let listen = server.strip_prefix("http://").unwrap();
        let asked = shop().assay(&["ready", "--listen", listen]);
        assert_eq!(asked.status.code(), Some(3), "{body}");
        assert!(stderr(&asked).contains("another server than Assay"), "{}", stderr(&asked));
    }
}

#[test]
fn a_refusal_by_a_proxy_or_firewall_is_attributed_to_it() {
    for (status, code, cure) in [
        ("403 Forbidden", 1, "a firewall that reads requests"),
        ("413 Content Too Large", 1, "client_max_body_size"),
        ("429 Too Many Requests", 3, "it limits requests"),
        ("502 Bad Gateway", 3, "may be away"),
        ("401 Unauthorized", 1, "what signs people in"),
    ] {
        let server = answering(&format!("{status}\r\nContent-Type: text/html"), "<h1>No</h1>");
        let told = run(&["diff", "shop.yaml"], &server);

        let number = &status[..3];
        let expected = format!("what stands before `{server}/` answers {number}, not Assay");
        assert_eq!(told.status.code(), Some(code), "{status}: {}", stderr(&told));
        assert!(stderr(&told).contains(&expected), "{}", stderr(&told));
        assert!(stderr(&told).contains(cure), "{}", stderr(&told));
    }
}

#[test]
fn text_alone_shows_no_results() {
    let server = answering("200 OK\r\nContent-Type: text/plain", "It works!");

    let told = run(&["results", "hero", "--project", "shop"], &server);

    assert_eq!((told.status.code(), &*stdout(&told)), (Some(1), ""));
    assert!(stderr(&told).contains("there is no Assay at"), "{}", stderr(&told));
}

#[test]
fn a_redirect_says_where_it_leads_and_nothing_secret() {
    let to = "302 Found\r\nLocation: https://sso.example/login?state=s3cret#s3cret";
    let server = answering(to, "");

    for command in
        [&["diff", "shop.yaml"][..], &["simulate", "shop.yaml", "--url", "https://shop.example/"]]
    {
        let told = run(command, &server);

        assert_eq!(told.status.code(), Some(1));
        let told = stderr(&told);
        let expected = format!(
            "error: `{server}/` leads elsewhere (302), to `https://sso.example/login`\n  hint: "
        );
        assert!(told.starts_with(&expected) && !told.contains("s3cret"), "{told}");
    }
}

#[test]
fn failures_that_may_pass_have_an_exit_code_of_their_own() {
    let problem = "\r\nContent-Type: application/problem+json";
    let busy = format!("429 Too Many Requests\r\nRetry-After: 7{problem}");
    let changed = format!("412 Precondition Failed{problem}");

    let busy = run(&["diff", "shop.yaml"], &answering(&busy, r#"{"detail": "too often"}"#));
    let changed = answering(&changed, r#"{"code": "etag_mismatch"}"#);
    let changed = run(&["apply", "shop.yaml"], &changed);

    assert_eq!((busy.status.code(), changed.status.code()), (Some(3), Some(3)));
    let expected = "error: the server says 429: too often\n  hint: try again in 7 seconds\n";
    assert_eq!(stderr(&busy), expected);
    assert!(stderr(&changed).contains("the draft has changed meanwhile"), "{}", stderr(&changed));
}

#[tokio::test]
async fn no_proxy_hears_of_requests_to_this_machine() {
    let desk = Desk::start().await;
    let nobody = "http://127.0.0.1:9";
    let here = [desk.server.url(""), desk.server.url("").replace("127.0.0.1", "localhost")];
    for variable in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "http_proxy"] {
        for server in &here {
            let variables = [("ASSAY_TOKEN", &*desk.token), (variable, nobody)];
            let diff = ["diff", "shop.yaml", "--server", server];
            let told = desk.folder.assay_where(&variables, &diff);
            assert_eq!(told.status.code(), Some(0), "{variable}: {}", stderr(&told));
        }
    }
}

#[test]
fn a_proxy_that_does_not_answer_is_named_without_its_password() {
    let variables =
        [("ASSAY_TOKEN", "assay_pat_x"), ("HTTPS_PROXY", "http://ann:s3cret@127.0.0.1:9")];
    let diff = ["diff", "shop.yaml", "--server", "https://assay.example"];

    let told = shop().assay_where(&variables, &diff);

    assert_eq!(told.status.code(), Some(3));
    let told = stderr(&told);
    let expected =
        "error: `https://assay.example/` does not answer through the proxy `127.0.0.1:9`";
    assert!(told.starts_with(expected) && !told.contains("s3cret"), "{told}");
}
