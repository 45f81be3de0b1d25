//! Every parameter of every endpoint that clients call: missing, empty, repeated, and in two places at once.

use axum::body::Body;
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;

use super::token_call::{
    FORM, about, assert_error, exchange, fetch_tokens, refresh, with, without,
};
use crate::browser::Browser;
use crate::site::{Answer, Site, encode};

type Pairs<'a> = Vec<(&'a str, &'a str)>;

async fn send(site: &Site, path: &str, query: &[(&str, &str)], body: &[(&str, &str)]) -> Answer {
    let request = Request::post(format!("{path}?{}", encode(query))).header(CONTENT_TYPE, FORM);
    site.send(request.body(Body::from(encode(body))).unwrap()).await
}

/// Sends the parameters in the query, and then in the body: both are refused alike.
async fn assert_refused(site: &Site, path: &str, pairs: &[(&str, &str)], error: (u16, &str)) {
    assert_error(&send(site, path, pairs, &[]).await, error.0, error.1);
    assert_error(&send(site, path, &[], pairs).await, error.0, error.1);
}

/// What is said when a parameter is not there.
fn error_without(name: &str) -> (u16, &'static str) {
    let is_of_client = ["client_id", "client_secret"].contains(&name);
    if is_of_client { (401, "invalid_client") } else { (400, "invalid_request") }
}

/// Goes through all that can be wrong with how often a parameter is there. `good` succeeds in the end: nothing was spent.
async fn assert_each_is_needed_once(site: &Site, path: &str, good: &Pairs<'_>) {
    for &(name, value) in good {
        let others = without(good, name);
        assert_refused(site, path, &others, error_without(name)).await;
        assert_refused(site, path, &with(good, name, ""), error_without(name)).await;
        for misnamed in [format!("{name}[]"), format!("{name}[0]"), name.to_uppercase()] {
            let pairs = [others.clone(), vec![(&misnamed, value)]].concat();
            assert_refused(site, path, &pairs, error_without(name)).await;
        }
        for first in [value, "other", ""] {
            let twice = [vec![(name, first)], good.clone()].concat();
            assert_refused(site, path, &twice, (400, "invalid_request")).await;
            let in_two_places = send(site, path, &[(name, first)], good).await;
            assert_error(&in_two_places, 400, "invalid_request");
        }
    }
    let unknown_twice = [good.clone(), vec![("colour", "red"), ("colour", "red")]].concat();
    assert_refused(site, path, &unknown_twice, (400, "invalid_request")).await;
    let odd =
        [good.clone(), vec![("__proto__", "1"), ("code[a]", "1"), ("resource", "x")]].concat();
    assert_eq!(send(site, path, &[], &odd).await.status.as_u16(), 200);
}

#[tokio::test]
async fn an_exchange_takes_each_parameter_once() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;

    assert_each_is_needed_once(&site, "/oauth2/token", &exchange(&application, &code)).await;
}

#[tokio::test]
async fn a_refresh_takes_each_parameter_once() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    let good = refresh(&application, &tokens.refresh);
    assert_each_is_needed_once(&site, "/oauth2/token", &good).await;
}

#[tokio::test]
async fn a_question_about_a_token_takes_each_parameter_once() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let good = about(&application, &tokens.access);

    for path in ["/oauth2/introspect", "/oauth2/revoke"] {
        assert_each_is_needed_once(&site, path, &good).await;
    }
}

#[tokio::test]
async fn parameters_may_be_shared_out_between_query_and_body() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let good = exchange(&application, &code);

    let answer = send(&site, "/oauth2/token", &good[..2], &good[2..]).await;

    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
}

#[tokio::test]
async fn only_an_ampersand_separates() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let pairs = encode(&exchange(&application, &code));

    let (first, rest) = pairs.split_once('&').unwrap();
    let send = async |body: String| {
        let request = Request::post("/oauth2/token").header(CONTENT_TYPE, FORM);
        site.send(request.body(Body::from(body)).unwrap()).await
    };

    let all = send(pairs.replace('&', ";")).await;
    let one = send(format!("{first};x=1&{rest}")).await;

    assert_error(&all, 401, "invalid_client");
    assert_error(&one, 400, "invalid_grant");
}

#[tokio::test]
async fn values_that_nothing_has_are_an_invalid_grant() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let good = exchange(&application, &code);
    let twice_encoded = "https%3A%2F%2Freports.example%2Fcallback%3Ffrom%3Dassay";
    let cut = format!("{}\0", application.redirect_uri);

    for (name, value) in [
        ("code", "\0"),
        ("code", "'; DROP TABLE client; --"),
        ("code", "☃"),
        ("redirect_uri", twice_encoded),
        ("redirect_uri", &cut),
        ("redirect_uri", "☃"),
    ] {
        let answer = send(&site, "/oauth2/token", &[], &with(&good, name, value)).await;
        assert_error(&answer, 400, "invalid_grant");
    }
    let long = "a".repeat(60_000);
    let answer = send(&site, "/oauth2/token", &[], &with(&good, "code", &long)).await;
    assert_error(&answer, 400, "invalid_request");
    assert_eq!(send(&site, "/oauth2/token", &[], &good).await.status.as_u16(), 200);
}
