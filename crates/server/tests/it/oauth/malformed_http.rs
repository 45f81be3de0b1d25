//! Requests that are not proper HTTP, byte by byte: none is understood in a way that a proxy in front could understand differently.

use crate::wire::{Listener, RawResponse};

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

/// A request to the token endpoint with these header lines and this body.
fn post(headers: &[&str], body: &str) -> String {
    let headers: Vec<String> = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let headers = headers.concat();
    format!("POST /oauth2/token HTTP/1.1\r\nHost: a\r\n{FORM}\r\n{headers}\r\n{body}")
}

#[track_caller]
fn assert_oauth_error(heard: &RawResponse, status: u16, error: &str) {
    assert_eq!(heard.status, status, "{heard:?}");
    assert!(heard.body.starts_with(&format!("{{\"error\":\"{error}\"")), "{heard:?}");
    for header in
        ["content-type: application/json\r\n", "cache-control: no-store\r\n", "pragma: no-cache"]
    {
        assert!(heard.head.contains(header), "{heard:?}");
    }
}

#[test]
fn a_body_of_two_lengths_is_refused_and_the_connection_closed() {
    let listener = Listener::start();
    for lengths in [["Content-Length: 3", "Content-Length: 4"], ["Content-Length: -1", FORM]] {
        let mut wire = listener.connect();
        wire.send(post(&lengths, "a=bc"));

        assert_eq!(wire.hear().status, 400, "{lengths:?}");
        assert!(wire.is_closed(), "{lengths:?}");
    }
}

#[test]
fn a_second_request_cannot_hide_behind_two_kinds_of_length() {
    let listener = Listener::start();
    let hidden = "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    for headers in [
        ["Content-Length: 4", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: chunked", "Content-Length: 4"],
        ["Transfer-Encoding: xchunked", "Content-Length: 4"],
    ] {
        let mut wire = listener.connect();
        wire.send(post(&headers, hidden));

        assert!((400..500).contains(&wire.hear().status), "{headers:?}");
        assert!(wire.is_closed(), "{headers:?}");
    }
}

#[test]
fn a_body_that_is_encoded_on_the_way_is_refused() {
    let listener = Listener::start();
    let transfer = listener.ask(post(&["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"));
    let content = listener.ask(post(&["Content-Encoding: gzip", "Content-Length: 3"], "a=b"));

    assert_oauth_error(&transfer, 400, "invalid_request");
    assert_oauth_error(&content, 400, "invalid_request");
}

#[test]
fn a_body_that_is_chunked_twice_is_refused_and_the_connection_closed() {
    let listener = Listener::start();
    let chunked = "Transfer-Encoding: chunked";
    for headers in [
        &[chunked, chunked][..],
        &[chunked, "Transfer-Encoding: Chunked"],
        &["Transfer-Encoding: chunked, chunked"],
    ] {
        let mut wire = listener.connect();
        wire.send(post(headers, "3\r\na=b\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"));

        let heard = wire.hear();
        assert_oauth_error(&heard, 400, "invalid_request");
        assert!(wire.is_closed(), "{headers:?}");
    }
}

#[test]
fn a_broken_chunk_is_an_error_of_the_caller() {
    let listener = Listener::start();

    let heard = listener.ask(post(&["Transfer-Encoding: chunked"], "zz\r\na=b\r\n0\r\n\r\n"));

    assert_oauth_error(&heard, 400, "invalid_request");
}

#[test]
fn the_host_is_named_exactly_once() {
    let listener = Listener::start();
    for (version, hosts) in [
        ("1.1", ""),
        ("1.1", "Host: a\r\nHost: b\r\n"),
        ("1.0", "Host: a\r\nHost: b\r\n"),
        ("1.1", "Host: a b/@x\r\n"),
        ("1.0", "Host: a@b\r\n"),
    ] {
        let heard = listener
            .ask(format!("POST /oauth2/token HTTP/{version}\r\n{hosts}Content-Length: 0\r\n\r\n"));
        assert_oauth_error(&heard, 400, "invalid_request");
    }
    let old = listener.ask("POST /oauth2/token HTTP/1.0\r\nContent-Length: 0\r\n\r\n");
    assert_oauth_error(&old, 401, "invalid_client");
}

#[test]
fn bytes_that_belong_in_no_request_are_refused() {
    let listener = Listener::start();
    for request in [
        &b"POST /oauth2/token?code=\x00 HTTP/1.1\r\nHost: a\r\n\r\n"[..],
        b"POST /oauth2/token?code=\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /oauth2/token HTTP/1.1\r\nHost: a\r\nAuthorization: Basic \x00\r\n\r\n",
        b"POST /oauth2/token HTTP/1.1\r\nHost: a\r\nAuthorization: Basic\r\n YTpi\r\n\r\n",
        b"POST /oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Length : 0\r\n\r\n",
        b"POST /oauth2/token\r\n\r\n",
    ] {
        let mut wire = listener.connect();
        wire.send(request);

        assert_eq!(wire.hear().status, 400, "{}", String::from_utf8_lossy(request));
        assert!(wire.is_closed());
    }
    let in_body = [&post(&["Content-Length: 2"], "").into_bytes()[..], b"\x00\xff"].concat();
    assert_oauth_error(&listener.ask(in_body), 400, "invalid_request");
}

#[test]
fn too_long_headers_and_addresses_are_refused() {
    let listener = Listener::start();
    let header = |length| format!("Authorization: Basic {}", "a".repeat(length));
    let query = |length| {
        let code = "a".repeat(length);
        format!("POST /oauth2/token?code={code} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    };
    let many: Vec<String> = (0..200).map(|number| format!("X-{number}: a")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();

    let long = listener.ask(post(&["Content-Length: 0", &header(20_000)], ""));
    assert_oauth_error(&long, 401, "invalid_client");
    assert_eq!(listener.ask(post(&many, "")).status, 431);
    assert_oauth_error(&listener.ask(query(30_000)), 400, "invalid_request");
    assert_eq!(listener.ask(query(40_000)).status, 431);
    assert_eq!(listener.ask(query(500_000)).status, 431);
}

#[test]
fn a_body_that_is_too_large_is_refused_before_it_is_sent() {
    let listener = Listener::start();
    for waiting in ["Expect: 100-continue", "X-Other: 1"] {
        let heard = listener.ask(post(&["Content-Length: 3000000", waiting], ""));
        assert_oauth_error(&heard, 413, "invalid_request");
    }
}

#[test]
fn a_client_that_sends_too_large_a_body_at_once_still_gets_the_answer() {
    let listener = Listener::start();
    let body = "a".repeat(3_000_000);
    let whole = post(&["Content-Length: 3000000"], &body);
    let chunked = post(&["Transfer-Encoding: chunked"], &format!("2dc6c0\r\n{body}\r\n0\r\n\r\n"));

    for request in [whole, chunked] {
        let mut wire = listener.connect();
        wire.send_all(request);
        assert_oauth_error(&wire.hear(), 413, "invalid_request");
    }
}

#[test]
fn methods_are_what_they_are_called_and_nothing_else() {
    let listener = Listener::start();
    let ask = |line: &str, more: &str| {
        listener.ask(format!("{line} HTTP/1.1\r\nHost: a\r\n{more}Content-Length: 0\r\n\r\n"))
    };
    for endpoint in ["token", "revoke", "introspect"] {
        for method in ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "post", "X"]
        {
            let heard = ask(&format!("{method} /oauth2/{endpoint}"), "Origin: https://evil\r\n");
            assert_oauth_error(&heard, 405, "invalid_request");
            assert!(heard.head.contains("allow: post\r\n"), "{heard:?}");
            assert!(!heard.head.contains("access-control"), "{heard:?}");
        }
        let disguised = ask(&format!("GET /oauth2/{endpoint}"), "X-HTTP-Method-Override: POST\r\n");
        assert_oauth_error(&disguised, 405, "invalid_request");
        let parameter = ask(&format!("GET /oauth2/{endpoint}?_method=POST"), "");
        assert_oauth_error(&parameter, 405, "invalid_request");
    }
}

#[test]
fn header_names_are_case_insensitive() {
    let listener = Listener::start();
    let credentials = "bm9ib2R5Ong=";
    let heard = listener.ask(format!(
        "POST /oauth2/token HTTP/1.1\r\nhOST: a\r\naUTHORIZATION: bASIC {credentials}\r\n\
         CONTENT-TYPE: APPLICATION/X-WWW-FORM-URLENCODED\r\ncontent-LENGTH: 14\r\n\r\ngrant_type=abc"
    ));

    assert_oauth_error(&heard, 401, "invalid_client");
    assert!(heard.head.contains("www-authenticate: basic "), "{heard:?}");
    assert!(heard.body.contains("the client is unknown"), "the header was read: {heard:?}");
}

#[test]
fn only_the_exact_address_is_the_endpoint() {
    let listener = Listener::start();
    for path in [
        "/oauth2",
        "/oauth2/",
        "/oauth2/token/",
        "/oauth2/tokens",
        "/oauth2/token/x",
        "/oauth2/nothing",
    ] {
        let heard =
            listener.ask(format!("POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"));
        assert_oauth_error(&heard, 404, "invalid_request");
    }
}
