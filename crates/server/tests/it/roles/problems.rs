//! Every refusal is a problem with a code, in words of ours, whatever is sent.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::Value;
use storage::RoleGrant;
use web::ProblemCode;

use super::{Call, assert_problem, shops, token_with};
use crate::site::{Answer, Site};

/// What libraries say when they refuse something.
const FOREIGN: [&str; 14] = [
    "line 1 column",
    "invalid type",
    "invalid value",
    "expected value",
    "expected ident",
    "EOF while",
    "unknown variant",
    "duplicate field",
    "missing field `",
    "Failed to",
    "recursion limit",
    "trailing characters",
    "deserialize",
    "Invalid UTF-8",
];

/// Bodies that nothing takes, and how each is refused.
const HOSTILE: [(&[u8], &str); 12] = [
    (b"", "body_required"),
    (b"[]", "invalid"),
    (b"null", "invalid"),
    (b"{", "unreadable"),
    (b"{}{}", "unreadable"),
    (b"\xef\xbb\xbf{", "unreadable"),
    (b"\xff{}", "unreadable"),
    (b"{\"a\": 1, \"a\": 1}", "unreadable"),
    (b"{\"a\": 1e999}", "unreadable"),
    (b"{\"__proto__\": {\"a\": 1}}", "invalid"),
    (b"{\"\\u0000\": \"\\u0000\"}", "invalid"),
    (b"{\"a\": 123456789012345678901234567890}", "invalid"),
];

fn assert_ours(answer: &Answer, asked: &str) -> String {
    let asked = format!("{asked}: {answer:?}");
    assert_eq!(answer.header("content-type"), "application/problem+json", "{asked}");
    let told = answer.json();
    let code = ProblemCode::ALL.iter().find(|code| told["code"] == code.word());
    assert_eq!(code.map(|code| code.status()), Some(answer.status), "{asked}");
    for error in told["errors"].as_array().into_iter().flatten() {
        assert!(error["code"].as_str().is_some_and(|code| !code.is_empty()), "{asked}");
        assert!(error["pointer"].as_str().is_some_and(|place| place.starts_with('#')), "{asked}");
    }
    assert!(!FOREIGN.iter().any(|words| answer.body.contains(words)), "{asked}");
    told["code"].as_str().unwrap().to_owned()
}

/// The method, address and operation of all that is described.
async fn operations(site: &Site) -> Vec<(Method, String, Value)> {
    let description = site.get("/v1/openapi.json").await.json();
    let paths = description["paths"].as_object().unwrap().clone();
    let all = paths.into_iter().filter(|(path, _)| path.starts_with("/v1/"));
    let all = all.flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().clone().into_iter();
        methods.map(move |(method, operation)| {
            (method.to_uppercase().parse().unwrap(), path.clone(), operation)
        })
    });
    all.collect()
}

/// The address of something that is there, where the story has one.
fn filled(path: &str, member: &str, client: &str) -> String {
    let mut collection = "";
    let segments = path.split('/').map(|segment| {
        let name = match (segment.starts_with('{'), collection) {
            (false, _) => segment,
            (true, "projects") => "1000",
            (true, "members") => member.rsplit('/').next().unwrap(),
            (true, "applications") => client,
            (true, "pages") => "2001",
            (true, "campaigns") => "3001",
            (true, "experiments") => "4001",
            (true, "variations") => "5001",
            (true, _) => "1",
        };
        collection = segment;
        name
    });
    segments.collect::<Vec<_>>().join("/")
}

/// The address with this name in the place of each parameter.
fn renamed(path: &str, name: &str) -> String {
    let segments = path.split('/');
    let segments = segments.map(|segment| if segment.starts_with('{') { name } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

fn usual_body(operation: &Value) -> &'static [u8] {
    if operation["requestBody"].is_null() { b"" } else { b"{}" }
}

/// What is not in this project is not found, whatever is sent; and a document without its running campaign is refused for that.
fn is_refused_before(path: &str, code: &str) -> bool {
    code == "not_found" || (code == "running" && path.ends_with("/document"))
}

async fn send(call: &Call<'_>, method: &Method, path: &str, body: &[u8]) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {}", call.token))
        .header("content-type", "application/json")
        .header("if-match", "*");
    call.site.send(request.body(Body::from(body.to_vec())).unwrap()).await
}

#[tokio::test]
async fn a_hostile_body_is_refused_in_our_words_wherever_a_body_is_taken() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &token };
    let member = call.path_of("owner@example.com").await;
    let deep = [b"[".repeat(10_000), [b"[".repeat(5_000), b"]".repeat(5_000)].concat()];
    let deep = deep.iter().map(|body| (body.as_slice(), "unreadable"));
    let bodies: Vec<_> = HOSTILE.into_iter().chain(deep).collect();

    for (method, path, operation) in operations(&site).await {
        if operation["requestBody"].is_null() {
            continue;
        }
        let address = filled(&path, &member, &application.client_id);
        let takes_json = !operation["requestBody"]["content"]["application/json"].is_null();
        let unsupported = (!takes_json).then_some("unsupported_media_type");
        site.advance_seconds(10);
        for (body, expected) in &bodies {
            let expected = unsupported.unwrap_or(expected);
            let answer = send(&call, &method, &address, body).await;
            let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
            let code = assert_ours(&answer, &format!("{method} {address} {shown}"));
            assert!(
                code == expected || is_refused_before(&path, &code),
                "{method} {address} {shown}: {code}"
            );
        }
    }
}

#[tokio::test]
async fn a_hostile_address_is_refused_in_our_words() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &token };
    let names =
        ["%FF", "%00", "a%00", "key:%00", "key:%FF", "999999999999999999999999", "-1", "%2e%2e"];

    for (method, path, operation) in operations(&site).await {
        if !path.contains('{') {
            continue;
        }
        for name in names {
            let address = renamed(&path, name);
            let body = usual_body(&operation);
            let code = assert_ours(&send(&call, &method, &address, body).await, &address);
            assert!(
                ["not_found", "invalid_range", "invalid"].contains(&&*code),
                "{method} {address} {code}"
            );
        }
    }
}

#[tokio::test]
async fn a_query_that_does_not_fit_is_refused_in_our_words() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &token };
    let pages = "/v1/projects/1000/pages";
    let campaigns = "/v1/projects/1000/campaigns";

    for (address, expected) in [
        (format!("{pages}?page=x"), "invalid_parameter"),
        (format!("{pages}?page=0"), "invalid_parameter"),
        (format!("{pages}?page="), "invalid_parameter"),
        (format!("{pages}?per_page=99999999999999999999"), "invalid_parameter"),
        (format!("{pages}?page=1&page=2"), "repeated_parameter"),
        (format!("{pages}?page=1&page=1"), "repeated_parameter"),
        (format!("{pages}?q=%FF"), "invalid_parameter"),
        (format!("{pages}?q=%00"), "invalid_parameter"),
        (format!("{pages}?%FF=1"), "invalid_parameter"),
        (format!("{pages}?archived=yes"), "invalid_parameter"),
        (format!("{pages}?state=lives"), "invalid_parameter"),
        (format!("{pages}?__proto__=1"), "unknown_parameter"),
        (format!("{campaigns}?status=runing"), "invalid_parameter"),
        (format!("{campaigns}?sort=nam"), "invalid_parameter"),
        (format!("{pages}/2001?state=x"), "invalid_parameter"),
        ("/v1/projects?archived=1".to_owned(), "invalid_parameter"),
        ("/v1/members?per_page=101".to_owned(), "invalid_parameter"),
        ("/v1/projects/1000/revisions/1..x/diff".to_owned(), "invalid_range"),
    ] {
        let answer = call.get(&address).await;
        assert_eq!(assert_ours(&answer, &address), expected, "{address}");
    }
    let near = call.get(&format!("{campaigns}?status=runing")).await;
    let told = near.json()["errors"][0]["detail"].as_str().unwrap().to_owned();
    assert!(told.ends_with("did you mean `running`?"), "{told}");
    let put = send(&call, &Method::PUT, "/v1/projects/1000/document?dry_run=1", b"{}").await;
    assert_problem(&put, 400, "invalid_parameter");
}

#[tokio::test]
async fn what_goes_wrong_before_a_handler_has_a_code_too() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, RoleGrant::OWNER).await;
    let page = "/v1/projects/1000/pages/2001";
    let bearer = format!("Bearer {token}");
    let known = ("authorization", bearer.as_str());
    let json = ("content-type", "application/json");
    let any = ("if-match", "*");
    let misplaced = format!("{page}?access_token=x");
    let decide = "/v1/projects/1000/decide";
    let long = "x".repeat(5 << 20);

    for (method, path, headers, body, expected) in [
        (Method::GET, page, &[][..], "", "token_required"),
        (Method::GET, page, &[("authorization", "Bearer x")], "", "invalid_token"),
        (Method::GET, &misplaced, &[known], "", "token_misplaced"),
        (Method::GET, "/v1/nothing", &[known], "", "not_found"),
        (Method::GET, "/v1/%FF", &[known], "", "not_found"),
        (Method::GET, "/v1/", &[known], "", "not_found"),
        (Method::GET, "/v1", &[known], "", "not_found"),
        (Method::PUT, page, &[known], "", "method_not_allowed"),
        (Method::PATCH, page, &[known, json], "{}", "precondition_required"),
        (Method::PATCH, page, &[known, json, ("if-match", "x")], "{}", "invalid_header"),
        (Method::PATCH, page, &[known, json, ("if-match", "\"x\"")], "{}", "etag_mismatch"),
        (Method::PATCH, page, &[known, any], "{}", "unsupported_media_type"),
        (
            Method::PATCH,
            page,
            &[known, any, ("content-type", "text/plain")],
            "{}",
            "unsupported_media_type",
        ),
        (
            Method::PATCH,
            page,
            &[known, any, json, ("content-encoding", "gzip")],
            "{}",
            "unsupported_media_type",
        ),
        (
            Method::POST,
            "/v1/projects/1000/imports/events",
            &[known, ("content-type", "text/csv"), ("content-encoding", "gzip")],
            "visitor,time,name",
            "unsupported_media_type",
        ),
        (
            Method::POST,
            "/v1/projects",
            &[known, json, ("idempotency-key", "")],
            "{}",
            "invalid_header",
        ),
        (Method::POST, "/v1/members", &[known, json], &long, "body_too_long"),
        (Method::POST, decide, &[known, json], &long[..1 << 20], "body_too_long"),
    ] {
        let mut request = Request::builder().method(&method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = site.send(request.body(Body::from(body.to_owned())).unwrap()).await;
        assert_eq!(assert_ours(&answer, path), expected, "{method} {path} {headers:?}");
    }
}
