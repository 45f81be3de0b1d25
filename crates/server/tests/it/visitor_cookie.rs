//! The visitor's cookie that comes with the snippet, where the project has the server keep it.

use axum::body::Body;
use axum::http::{Request, StatusCode};

use crate::shop::publish_text;
use crate::site::{Answer, Site};

const FOR_400_DAYS: &str = "; Max-Age=34560000; Path=/; Domain=shop.example; SameSite=Lax; Secure";

/// What a browser says of a script on a page of the same site.
const SCRIPT: [(&str, &str); 2] = [("sec-fetch-site", "same-site"), ("sec-fetch-dest", "script")];

async fn site(settings: &str) -> Site {
    let site = Site::start();
    publish(&site, settings).await;
    site
}

async fn publish(site: &Site, settings: &str) {
    let text =
        format!("version: 1\nproject: {{id: \"1000\", key: shop, snippet: {{{settings}}}}}\n");
    publish_text(site, &text).await;
}

const BY_SERVER: &str = "cookie_domain: shop.example, visitor_id: {renewed_by: server}";

async fn ask(site: &Site, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get("/js/1000.js");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.send(request.body(Body::empty()).unwrap()).await
}

/// Asks for the snippet as a page of the site does.
async fn ask_with(site: &Site, headers: &[(&str, &str)]) -> Answer {
    ask(site, &[&SCRIPT, headers].concat()).await
}

fn kept(value: &str) -> String {
    format!("experimentation_id={value}{FOR_400_DAYS}")
}

#[tokio::test]
async fn a_visitor_without_a_cookie_is_given_one() {
    let site = site(BY_SERVER).await;

    let (first, second) = (ask_with(&site, &[]).await, ask_with(&site, &[]).await);

    let cookie = first.header("set-cookie");
    let id = cookie.strip_prefix("experimentation_id=").unwrap().strip_suffix(FOR_400_DAYS);
    let id = id.unwrap_or_else(|| panic!("{cookie}"));
    assert!(id.starts_with('0') && id.len() >= 16, "{id}");
    assert!(id.bytes().all(|byte| byte.is_ascii_digit()), "{id}");
    assert_ne!(cookie, second.header("set-cookie"));
}

#[tokio::test]
async fn a_cookie_is_kept_for_another_400_days() {
    let site = site(BY_SERVER).await;

    let answer =
        ask_with(&site, &[("cookie", "a=1; experimentation_id=o%20ne-2; experimentation_id=3")]);

    assert_eq!(answer.await.header("set-cookie"), kept("o%20ne-2"));
}

#[tokio::test]
async fn an_answer_without_a_body_keeps_the_cookie_too() {
    let site = site(BY_SERVER).await;
    let etag = ask_with(&site, &[]).await.header("etag").to_owned();

    let answer =
        ask_with(&site, &[("if-none-match", &etag), ("cookie", "experimentation_id=7")]).await;

    assert_eq!(answer.status, StatusCode::NOT_MODIFIED);
    assert_eq!(answer.header("set-cookie"), kept("7"));
}

#[tokio::test]
async fn no_shared_cache_keeps_an_answer_that_may_carry_a_cookie() {
    let (by_server, by_page) = (site(BY_SERVER).await, site("").await);

    for headers in [&SCRIPT[..], &[]] {
        let answer = ask(&by_server, headers).await;
        assert_eq!(
            answer.header("cache-control"),
            "private, max-age=60, stale-while-revalidate=86400"
        );
    }
    assert!(ask(&by_page, &SCRIPT).await.header("cache-control").starts_with("public, "));
}

#[tokio::test]
async fn only_a_script_of_the_site_itself_brings_a_cookie() {
    let site = site(BY_SERVER).await;

    for (from, dest) in [("cross-site", "script"), ("none", "document"), ("same-site", "empty")] {
        let answer = ask(&site, &[("sec-fetch-site", from), ("sec-fetch-dest", dest)]).await;
        assert_eq!(
            (answer.status, answer.header("set-cookie")),
            (StatusCode::OK, ""),
            "{from} {dest}"
        );
    }
    assert_eq!(ask(&site, &[]).await.header("set-cookie"), "");
}

#[tokio::test]
async fn a_revision_of_its_own_address_brings_none() {
    let site = site(BY_SERVER).await;
    let hash = ask(&site, &[]).await.header("etag").trim_matches('"').to_owned();

    let mut request = Request::get(format!("/js/1000/{hash}.js"));
    for (name, value) in SCRIPT {
        request = request.header(name, value);
    }
    let answer = site.send(request.body(Body::empty()).unwrap()).await;

    assert_eq!((answer.status, answer.header("set-cookie")), (StatusCode::OK, ""));
    assert!(answer.header("cache-control").starts_with("public, "));
}

#[tokio::test]
async fn a_project_whose_page_keeps_the_cookie_brings_none() {
    let site = site("cookie_domain: shop.example").await;

    let answer = ask_with(&site, &[("cookie", "experimentation_id=7")]).await;

    assert_eq!(answer.header("set-cookie"), "");
}

#[tokio::test]
async fn a_visitor_who_opted_out_stays_out_whatever_their_browser_says() {
    let site = site(&format!("{BY_SERVER}, consent: required")).await;

    let answer = ask_with(&site, &[("cookie", "experimentation_id=-"), ("sec-gpc", "1")]).await;

    assert_eq!(answer.header("set-cookie"), kept("-"));
}

#[tokio::test]
async fn a_browser_that_refuses_is_heard_as_the_project_says() {
    let default = site(BY_SERVER).await;
    let other = site(&format!("{BY_SERVER}, respect_gpc: false, respect_dnt: true")).await;
    let cookie = ("cookie", "experimentation_id=7");

    for (site, signal, expected) in [
        (&default, "sec-gpc", String::new()),
        (&default, "dnt", kept("7")),
        (&other, "sec-gpc", kept("7")),
        (&other, "dnt", String::new()),
    ] {
        let answer = ask_with(site, &[cookie, (signal, "1")]).await;
        assert_eq!(answer.header("set-cookie"), expected, "{signal}");
        let answer = ask_with(site, &[cookie, (signal, "0")]).await;
        assert_eq!(answer.header("set-cookie"), kept("7"), "{signal}");
    }
}

#[tokio::test]
async fn where_consent_is_needed_only_a_cookie_that_is_there_is_kept() {
    let site = site(&format!("{BY_SERVER}, consent: required")).await;

    assert_eq!(ask_with(&site, &[]).await.header("set-cookie"), "");
    assert_eq!(
        ask_with(&site, &[("cookie", "experimentation_id=7")]).await.header("set-cookie"),
        kept("7")
    );
}

#[tokio::test]
async fn a_cookie_that_no_page_would_write_is_left_alone() {
    let site = site(BY_SERVER).await;

    for id in ["a b", "\"7\"", "7,8", "<7>", &"7".repeat(257)] {
        let answer = ask_with(&site, &[("cookie", &format!("experimentation_id={id}"))]).await;
        assert_eq!(answer.header("set-cookie"), "", "{id}");
    }
}

#[tokio::test]
async fn the_cookie_is_secure_where_the_site_is() {
    let site = Site::start_at("http://shop.localhost");
    publish(&site, BY_SERVER).await;

    let answer = ask_with(&site, &[("cookie", "experimentation_id=7")]).await;

    assert_eq!(answer.header("set-cookie"), kept("7").trim_end_matches("; Secure"));
}

#[tokio::test]
async fn it_is_the_same_after_a_restart() {
    let site = site(BY_SERVER).await.restarted();

    let answer = ask_with(&site, &[("cookie", "experimentation_id=7")]).await;

    assert_eq!(answer.header("set-cookie"), kept("7"));
}
