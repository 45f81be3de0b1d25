//! Applications that cannot keep a secret: in a page of another site, where a browser asks us what the page may read, and on a device, where
//! a scheme of its own leads back to the application.

use axum::body::Body;
use axum::http::{Method, Request};
use oauth::ClientKind;

use super::pkce::{CHALLENGE, VERIFIER};
use super::token_call::{
    FORM, Tokens, about, assert_error, by_form, exchange, refresh, with, without,
};
use crate::browser::Browser;
use crate::command_line::binary::stderr;
use crate::site::{Answer, Application, Site, encode};

const PAGE: &str = "https://app.example";

const OPEN_TO_PAGES: [(&str, &str); 3] = [
    ("/oauth2/token", "POST"),
    ("/oauth2/revoke", "POST"),
    ("/.well-known/oauth-authorization-server", "GET"),
];

const WITH_PKCE: [(&str, &str); 2] =
    [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];

/// What a page sends with `fetch`.
async fn from_page(site: &Site, path: &str, pairs: &[(&str, &str)]) -> Answer {
    let request = Request::post(path).header("content-type", FORM).header("origin", PAGE);
    site.send(request.body(Body::from(encode(pairs))).unwrap()).await
}

/// What a browser asks before it sends what a page wants to send.
async fn preflight(site: &Site, path: &str, method: &str) -> Answer {
    let request = Request::builder()
        .method(Method::OPTIONS)
        .uri(path)
        .header("origin", PAGE)
        .header("access-control-request-method", method)
        .header("access-control-request-headers", "content-type,x-app");
    site.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_page_exchanges_refreshes_and_revokes_and_may_read_what_it_gets() {
    let site = Site::start();
    let (member, application) =
        (site.member().await, site.register("App", ClientKind::Public).await);
    let code = Browser::new(&site).fetch_code(&member, &application, &WITH_PKCE).await;
    let pairs =
        with(&without(&exchange(&application, &code), "client_secret"), "code_verifier", VERIFIER);

    let exchanged = from_page(&site, "/oauth2/token", &pairs).await;
    let tokens = Tokens::of(&exchanged);
    let refreshing = without(&refresh(&application, &tokens.refresh), "client_secret");
    let refreshed = from_page(&site, "/oauth2/token", &refreshing).await;
    let revoking = without(&about(&application, &tokens.refresh), "client_secret");
    let revoked = from_page(&site, "/oauth2/revoke", &revoking).await;
    let refused = from_page(&site, "/oauth2/token", &refreshing).await;

    assert_error(&refused, 400, "invalid_grant");
    for answer in [exchanged, refreshed, revoked, refused] {
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{answer:?}");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
    }
}

#[tokio::test]
async fn a_browser_is_told_before_it_sends() {
    let site = Site::start();
    for (path, method) in OPEN_TO_PAGES {
        let answer = preflight(&site, path, method).await;

        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (204, ""), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("access-control-allow-methods"), method);
        assert_eq!(answer.header("access-control-allow-headers"), "*");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
    }
    for path in ["/oauth2/introspect", "/oauth2/authorize", "/sign-in"] {
        let answer = preflight(&site, path, "POST").await;
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
}

#[tokio::test]
async fn no_page_reads_what_a_secret_opens() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;

    let exchanged = from_page(&site, "/oauth2/token", &exchange(&application, &code)).await;
    let tokens = Tokens::of(&exchanged);
    let asked = from_page(&site, "/oauth2/introspect", &about(&application, &tokens.access)).await;
    let query = format!("/oauth2/token?{}", encode(&refresh(&application, &tokens.refresh)));
    let by_query = from_page(&site, &query, &[]).await;

    assert_eq!(by_query.status.as_u16(), 200);
    for answer in [exchanged, asked, by_query] {
        assert_eq!(answer.header("access-control-allow-origin"), "", "{answer:?}");
    }
}

#[tokio::test]
async fn a_page_may_read_that_its_body_was_not_read() {
    let site = Site::start();
    let send = async |path: &str, more: &[(&str, &str)], body: String| {
        let request = Request::post(path).header("origin", PAGE);
        let request =
            more.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        site.send(request.body(Body::from(body)).unwrap()).await
    };
    let json = ("content-type", "application/json");
    let long = || "a".repeat(100_000);
    for path in ["/oauth2/token", "/oauth2/revoke"] {
        let no_form = send(path, &[json], "{}".to_owned()).await;
        let too_long = send(path, &[("content-type", FORM)], long()).await;

        assert_error(&no_form, 400, "invalid_request");
        assert_error(&too_long, 413, "invalid_request");
        for answer in [no_form, too_long] {
            assert_eq!(answer.header("access-control-allow-origin"), "*", "{answer:?}");
        }
        let secret = format!("{path}?client_secret=s");
        let by_query = send(&secret, &[json], "{}".to_owned()).await;
        let by_header = send(path, &[json, ("authorization", "Basic YTpi")], "{}".to_owned()).await;
        for answer in [by_query, by_header] {
            assert_error(&answer, 400, "invalid_request");
            assert_eq!(answer.header("access-control-allow-origin"), "", "{answer:?}");
        }
    }
    let closed = send("/oauth2/introspect", &[json], "{}".to_owned()).await;
    assert_error(&closed, 400, "invalid_request");
    assert_eq!(closed.header("access-control-allow-origin"), "", "{closed:?}");
}

#[tokio::test]
async fn an_application_on_a_device_gets_its_code_by_a_scheme_of_its_own() {
    let site = Site::start();
    let uri = "com.example.app:/callback";
    let add = ["application", "add", "Phone", "--redirect-uri", uri];
    let added = site.command_json(&[&add[..], &["--public"]].concat());
    let application = Application {
        client_id: added["client_id"].as_str().unwrap().to_owned(),
        client_secret: String::new(),
        redirect_uri: uri.to_owned(),
    };
    let (member, browser) = (site.member().await, Browser::new(&site));

    let asked = browser.go_to_consent(&member, &application, &WITH_PKCE).await;
    let answered = browser.submit(&asked, &[("decision", "allow")]).await;

    assert!(asked.body.contains("<dd>com.example.app:</dd>"), "{}", asked.body);
    let policy = asked.header("content-security-policy");
    assert!(policy.contains("form-action 'self' com.example.app:;"), "{policy}");
    assert!(answered.location().starts_with("com.example.app:/callback?code="));
    let code = answered.returned("code").unwrap();
    let pairs =
        with(&without(&exchange(&application, &code), "client_secret"), "code_verifier", VERIFIER);
    assert_eq!(by_form(&site, &pairs).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_scheme_of_its_own_is_for_applications_without_a_secret() {
    let site = Site::start();
    let add = |more: &[&str]| {
        let add = ["application", "add", "Phone"];
        site.command(&[&add[..], more].concat())
    };

    let confidential = add(&["--redirect-uri", "com.example.app:/callback"]);
    let anybodys = add(&["--public", "--redirect-uri", "myapp:/callback"]);

    assert_eq!((confidential.status.code(), anybodys.status.code()), (Some(1), Some(1)));
    assert!(stderr(&confidential).contains("only a public client"), "{confidential:?}");
}
