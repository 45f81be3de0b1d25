//! An application proves who it is.

use axum::body::Body;
use axum::http::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use super::token_call::{FORM, assert_error, by_basic, by_form, by_query, exchange, with, without};
use crate::browser::Browser;
use crate::site::{Answer, Application, Site, encode};

async fn with_code() -> (Site, Application, String) {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    (site, application, code)
}

/// The exchange of a code with this `Authorization` header and whatever credentials the parameters hold.
async fn with_header(site: &Site, authorization: &str, pairs: &[(&str, &str)]) -> Answer {
    let request = Request::post("/oauth2/token")
        .header(CONTENT_TYPE, FORM)
        .header(AUTHORIZATION, authorization);
    site.send(request.body(Body::from(encode(pairs))).unwrap()).await
}

fn without_credentials<'a>(application: &'a Application, code: &'a str) -> Vec<(&'a str, &'a str)> {
    without(&without(&exchange(application, code), "client_id"), "client_secret")
}

#[tokio::test]
async fn a_wrong_secret_and_an_unknown_client_look_the_same() {
    let (site, application, code) = with_code().await;
    let good = exchange(&application, &code);
    let secret = &application.client_secret;
    let wrong_secrets = [&secret[..secret.len() - 1], &format!("{secret}A"), "x"];

    let unknown = by_form(&site, &with(&good, "client_id", "nobody")).await;

    assert_error(&unknown, 401, "invalid_client");
    assert!(unknown.header("www-authenticate").starts_with("Basic "), "{unknown:?}");
    for wrong in wrong_secrets {
        let pairs = with(&good, "client_secret", wrong);
        let parts = without_credentials(&application, &code);
        for answer in [
            by_form(&site, &pairs).await,
            by_query(&site, &pairs).await,
            by_basic(&site, &application.client_id, wrong, &parts).await,
        ] {
            assert_error(&answer, 401, "invalid_client");
            assert_eq!(
                (&answer.body, answer.header("www-authenticate")),
                (&unknown.body, unknown.header("www-authenticate"))
            );
        }
    }
    assert_eq!(by_form(&site, &good).await.status.as_u16(), 200, "nothing was spent");
}

#[tokio::test]
async fn the_scheme_may_be_written_in_any_case() {
    let (site, application, code) = with_code().await;
    let credentials = format!("{}:{}", application.client_id, application.client_secret);
    let credentials = STANDARD.encode(credentials);

    let answer = with_header(
        &site,
        &format!("bAsIc {credentials}"),
        &without_credentials(&application, &code),
    )
    .await;

    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
}

#[tokio::test]
async fn unreadable_credentials_are_refused() {
    let (site, application, code) = with_code().await;
    for header in
        ["Basic", "Basic ", "Basic !!!", "Basic bm9jb2xvbg==", "Basic //8=", "Bearer x", "Digest x"]
    {
        let answer = with_header(&site, header, &without_credentials(&application, &code)).await;
        let error = if answer.status == 401 { "invalid_client" } else { "invalid_request" };
        assert_error(&answer, if error == "invalid_client" { 401 } else { 400 }, error);
    }
}

#[tokio::test]
async fn credentials_in_two_places_are_refused() {
    let (site, application, code) = with_code().await;
    let Application { client_id, client_secret, .. } = &application;

    let answer = by_basic(&site, client_id, client_secret, &exchange(&application, &code)).await;

    assert_error(&answer, 400, "invalid_request");
}

#[tokio::test]
async fn the_client_id_may_repeat_what_basic_says_but_not_contradict_it() {
    let (site, application, code) = with_code().await;
    let Application { client_id, client_secret, .. } = &application;
    let same = without(&exchange(&application, &code), "client_secret");
    let other = with(&same, "client_id", "somebody-else");

    assert_error(&by_basic(&site, client_id, client_secret, &other).await, 400, "invalid_request");
    assert_eq!(by_basic(&site, client_id, client_secret, &same).await.status.as_u16(), 200);
}

#[tokio::test]
async fn what_is_stored_of_a_secret_is_not_the_secret() {
    let (site, application, code) = with_code().await;
    let stored = oauth::hash(&application.client_secret).unwrap();
    let encoded = [
        hex::encode(stored.as_bytes()),
        STANDARD.encode(stored.as_bytes()),
        URL_SAFE_NO_PAD.encode(stored.as_bytes()),
    ];

    for stolen in encoded {
        let pairs = exchange(&application, &code);
        let answer = by_form(&site, &with(&pairs, "client_secret", &stolen)).await;
        assert_error(&answer, 401, "invalid_client");
    }
}

#[tokio::test]
async fn an_assertion_is_refused_and_never_ignored() {
    let (site, application, code) = with_code().await;
    let public = site.register("App", oauth::ClientKind::Public).await;
    let secret = exchange(&application, &code);
    let none = without(&exchange(&public, &code), "client_secret");

    for pairs in [secret, none] {
        let pairs = with(&pairs, "client_assertion", "e30.e30.");
        assert_error(&by_form(&site, &pairs).await, 401, "invalid_client");
    }
}

#[tokio::test]
async fn a_public_client_has_no_secret_to_send() {
    let (site, application, code) = with_code().await;
    let public = site.register("App", oauth::ClientKind::Public).await;
    let pairs = with(&exchange(&public, &code), "client_secret", &application.client_secret);

    assert_error(&by_form(&site, &pairs).await, 401, "invalid_client");
    let parts = without_credentials(&public, &code);
    let answer = by_basic(&site, &public.client_id, "x", &parts).await;
    assert_error(&answer, 401, "invalid_client");
}

#[tokio::test]
async fn guessing_is_slowed_while_the_right_secret_always_works() {
    let (site, application, code) = with_code().await;
    let good = exchange(&application, &code);
    let wrong = with(&good, "client_secret", "x");

    let mut last = by_form(&site, &wrong).await;
    for _ in 0..300 {
        last = by_form(&site, &wrong).await;
    }

    assert_eq!(last.status.as_u16(), 429);
    assert_eq!(last.header("retry-after"), "1");
    assert_eq!(by_form(&site, &good).await.status.as_u16(), 200);
}
