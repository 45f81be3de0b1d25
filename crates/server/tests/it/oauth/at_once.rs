//! The same request many times at once: only one gets what only one may have, and no client is signed out for it.

use std::net::Ipv4Addr;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use app::grants::{TokenCall, request_tokens};
use axum::body::Body;
use axum::http::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use oauth::ClientKind;
use secrecy::ExposeSecret as _;
use tokio::task::JoinSet;

use super::pkce::{CHALLENGE, VERIFIER};
use super::token_call::{
    FORM, Tokens, about, assert_error, by_form, exchange, fetch_tokens, refresh, with, without,
};
use crate::browser::Browser;
use crate::site::{Answer, Application, Site, encode};

const TWELVE: usize = 12;

fn form(path: &str, pairs: &[(&str, &str)]) -> Request<String> {
    let request = Request::post(path).header(CONTENT_TYPE, FORM);
    request.body(encode(pairs)).unwrap()
}

fn use_of(access_token: &str) -> Request<String> {
    let bearer = format!("Bearer {access_token}");
    Request::get("/v1/projects").header(AUTHORIZATION, bearer).body(String::new()).unwrap()
}

/// Sends all of them before it waits for any. None may fail for want of anything but a right.
async fn at_once(site: &Arc<Site>, requests: Vec<Request<String>>) -> Vec<Answer> {
    let mut sending = JoinSet::new();
    for request in requests {
        let request = request.map(Body::from);
        let site = Arc::clone(site);
        sending.spawn(async move { site.send(request).await });
    }
    let answers = sending.join_all().await;
    for answer in &answers {
        assert!(!answer.status.is_server_error(), "{answer:?}");
    }
    answers
}

fn granted(answers: &[Answer]) -> Vec<&Answer> {
    answers.iter().filter(|answer| answer.status == 200).collect()
}

async fn opens(site: &Site, access_token: &str) -> bool {
    site.send(use_of(access_token).map(Body::from)).await.status == 200
}

/// A public client with its first tokens.
async fn public_tokens(site: &Site) -> (Application, Tokens) {
    let (member, application) =
        (site.member().await, site.register("App", ClientKind::Public).await);
    let challenge = [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];
    let code = Browser::new(site).fetch_code(&member, &application, &challenge).await;
    let pairs = without(&exchange(&application, &code), "client_secret");
    let answer = by_form(site, &with(&pairs, "code_verifier", VERIFIER)).await;
    (application, Tokens::of(&answer))
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twelve_exchanges_one_succeeds_and_the_others_end_what_it_gave() {
    let site = Arc::new(Site::start());
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let pairs = exchange(&application, &code);

    let answers = at_once(&site, vec![form("/oauth2/token", &pairs); TWELVE]).await;

    let tokens = Tokens::of(granted(&answers)[0]);
    assert_eq!(granted(&answers).len(), 1);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert_error(refused, 400, "invalid_grant");
    }
    assert!(!opens(&site, &tokens.access).await, "two may hold the code (RFC 6749 section 4.1.2)");
    let refreshed = by_form(&site, &refresh(&application, &tokens.refresh)).await;
    assert_error(&refreshed, 400, "invalid_grant");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_of_a_code_gets_its_tokens_even_if_others_try_at_once() {
    let site = Arc::new(Site::start());
    let (member, application) = (site.member().await, site.application().await);
    let other = site.register("Other", ClientKind::Confidential).await;
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let mut requests = vec![form("/oauth2/token", &exchange(&other, &code)); TWELVE];
    requests.insert(TWELVE / 2, form("/oauth2/token", &exchange(&application, &code)));

    let answers = at_once(&site, requests).await;

    assert_eq!(granted(&answers).len(), 1);
    assert!(opens(&site, &Tokens::of(granted(&answers)[0]).access).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_codes_are_exchanged_at_once_each_for_tokens_of_its_own() {
    let site = Arc::new(Site::start());
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let mut codes = vec![browser.fetch_code(&member, &application, &[]).await];
    for _ in 1..64 {
        let path = crate::browser::authorize_path(&application, &[]);
        codes.push(browser.open(&path).await.returned("code").unwrap());
    }
    let exchanges = codes.iter().map(|code| form("/oauth2/token", &exchange(&application, code)));

    let answers = at_once(&site, exchanges.collect()).await;

    let mut tokens: Vec<String> =
        answers.iter().map(Tokens::of).flat_map(|tokens| [tokens.access, tokens.refresh]).collect();
    tokens.sort();
    tokens.dedup();
    assert_eq!(tokens.len(), 2 * codes.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twelve_refreshes_by_a_public_client_one_line_lives_on() {
    let site = Arc::new(Site::start());
    let (application, first) = public_tokens(&site).await;
    let refreshing = |token: &str| without_secret("/oauth2/token", &refresh(&application, token));

    let answers = at_once(&site, (0..TWELVE).map(|_| refreshing(&first.refresh)).collect()).await;

    let successors: Vec<Tokens> = granted(&answers).into_iter().map(Tokens::of).collect();
    assert_eq!(successors.len(), TWELVE, "an answer may be lost, so a client may ask again");
    let mut living = Vec::new();
    for successor in &successors {
        let answer = site.send(refreshing(&successor.refresh).map(Body::from)).await;
        if answer.status == 200 {
            living.push(Tokens::of(&answer));
        }
    }
    assert_eq!(living.len(), 1);
    assert!(opens(&site, &living[0].access).await, "the member is still logged in");
}

#[tokio::test]
async fn windows_that_refresh_at_once_and_go_straight_on_stay_signed_in() {
    let site = Site::start();
    let (application, first) = public_tokens(&site).await;
    let refreshing = async |token: &str| {
        let request = without_secret("/oauth2/token", &refresh(&application, token));
        site.send(request.map(Body::from)).await
    };
    let window = async || {
        let tokens = Tokens::of(&refreshing(&first.refresh).await);
        (opens(&site, &tokens.access).await, tokens)
    };

    let ((one_is_in, one), (other_is_in, other)) = tokio::join!(window(), window());
    let next = Tokens::of(&refreshing(&other.refresh).await);
    let left_behind = refreshing(&one.refresh).await;

    assert!(one_is_in && other_is_in);
    assert_error(&left_behind, 400, "invalid_grant");
    assert!(opens(&site, &next.access).await, "one line goes on");
}

#[tokio::test]
async fn a_refresh_that_came_before_the_answer_to_another_on_postgres_takes_nothing_from_it() {
    let site = Site::start_on_postgres("late_refresh").await;
    let (application, first) = public_tokens(&site).await;
    let body = encode(&without(&refresh(&application, &first.refresh), "client_secret"));
    let call = || {
        let address = Ipv4Addr::new(192, 0, 2, 7).into();
        TokenCall { query: "", body: body.as_bytes(), authorization: None, address }
    };

    // It comes no further than to its first question to the database.
    let mut late = pin!(request_tokens(&site.app, call()));
    assert!(late.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    let one = request_tokens(&site.app, call()).await.unwrap_or_else(|error| panic!("{error}"));
    let other = late.await.unwrap_or_else(|error| panic!("{error}"));

    for tokens in [one, other] {
        assert!(opens(&site, tokens.access_token.expose_secret()).await);
    }
}

fn without_secret(path: &str, pairs: &[(&str, &str)]) -> Request<String> {
    form(path, &without(pairs, "client_secret"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_keeps_its_refresh_token_may_use_it_many_times_at_once() {
    let site = Arc::new(Site::start());
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let refreshing = form("/oauth2/token", &refresh(&application, &tokens.refresh));

    let answers = at_once(&site, vec![refreshing; TWELVE]).await;

    for answer in &answers {
        let body = answer.json();
        assert!(opens(&site, body["access_token"].as_str().unwrap()).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_revocation_was_answered_nothing_of_the_grant_works() {
    let site = Arc::new(Site::start());
    let (application, first) = public_tokens(&site).await;
    let mut requests = vec![use_of(&first.access); 4];
    for _ in 0..4 {
        requests.push(without_secret("/oauth2/token", &refresh(&application, &first.refresh)));
        requests.push(use_of(&first.access));
    }
    requests.insert(6, without_secret("/oauth2/revoke", &about(&application, &first.refresh)));

    let answers = at_once(&site, requests).await;

    let issued = answers.iter().filter(|answer| answer.body.contains("refresh_token"));
    for tokens in issued.map(Tokens::of).chain([first]) {
        assert!(!opens(&site, &tokens.access).await);
        let pairs = without(&refresh(&application, &tokens.refresh), "client_secret");
        assert_error(&by_form(&site, &pairs).await, 400, "invalid_grant");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_may_be_revoked_many_times_at_once() {
    let site = Arc::new(Site::start());
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let revoking = form("/oauth2/revoke", &about(&application, &tokens.refresh));

    let answers = at_once(&site, vec![revoking; TWELVE]).await;

    assert_eq!(granted(&answers).len(), TWELVE);
    assert!(!opens(&site, &tokens.access).await);
}
