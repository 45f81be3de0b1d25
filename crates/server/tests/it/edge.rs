//! What surrounds every request, whatever its handler does.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::get;
use hyper::body::Frame;
use tokio::time::Instant;
use tower::ServiceExt as _;

use crate::browser::Browser;
use crate::oauth::token_call::{Tokens, by_form, exchange, fetch_tokens};
use crate::site::Site;

/// Where requests of a [`Site`] come from.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

#[tokio::test]
async fn a_handler_that_panics_answers_with_the_request_id() {
    let site = Site::start();
    let panicking =
        Router::new().route("/", get(async || -> &'static str { panic!("with a secret") }));
    let router = web::edge(panicking, site.app.clone(), |failure, id| {
        (failure.status(), format!("{failure:?} {}", id.as_str())).into_response()
    });

    let request = Request::get("/").header("host", "a").header("x-request-id", "from-the-proxy");
    let answer = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();

    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(answer.headers()["x-request-id"], "from-the-proxy");
    let body = axum::body::to_bytes(answer.into_body(), 1_000).await.unwrap();
    assert_eq!(body, "Panicked from-the-proxy");
}

/// A body of which nothing more comes.
pub(crate) struct Endless;

impl HttpBody for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_is_waited_for_ten_seconds() {
    let site = Site::start();
    let form = "application/x-www-form-urlencoded";
    for path in ["/oauth2/token", "/oauth2/revoke", "/sign-in"] {
        let started = Instant::now();
        let request = Request::post(path).header("content-type", form).body(Body::new(Endless));

        let answer = site.send(request.unwrap()).await;

        assert_eq!((answer.status.as_u16(), started.elapsed().as_secs()), (408, 10), "{path}");
    }
}

#[tokio::test]
async fn a_body_without_room_is_told_to_come_back_as_its_readers_are_told_all_else() {
    const BYTES: usize = 40_000;
    let site = Site::start();
    let token = fetch_tokens(&site, &site.application().await, "all").await.access;
    let others = site.app.body_room().share(HERE);
    while others.take(BYTES / 2).is_ok() {}
    let send = async |path: &str, kind: &str, bytes: usize| {
        let request = Request::post(path).header("content-type", kind);
        let request = request.header("authorization", format!("Bearer {token}"));
        site.send(request.body(Body::from(vec![b' '; bytes])).unwrap()).await
    };
    let form = "application/x-www-form-urlencoded";
    let places = [
        ("/v1/projects", "application/json", "overloaded"),
        ("/v1/events", "application/json", "overloaded"),
        ("/oauth2/token", form, "temporarily_unavailable"),
        ("/sign-in", form, "The server is busy"),
    ];

    for (path, kind, told) in places {
        let refused = send(path, kind, BYTES).await;
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, "1"), "{path}");
        assert!(refused.body.contains(told), "{}", refused.body);
        assert_ne!(send(path, kind, 1_000).await.status.as_u16(), 503, "{path}");
    }
    drop(others);
    for (path, kind, _) in places {
        assert_ne!(send(path, kind, BYTES).await.status.as_u16(), 503, "{path}");
    }
}

#[tokio::test]
async fn every_answer_has_a_request_id_of_its_own() {
    let site = Site::start();

    let (first, second) = (site.get("/healthz").await, site.get("/nowhere").await);

    assert_eq!((first.header("x-request-id").len(), second.header("x-request-id").len()), (24, 24));
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
    assert!(second.body.contains(second.header("x-request-id")), "{}", second.body);
}

#[tokio::test]
async fn the_style_sheet_is_fetched_once() {
    let site = Site::start();
    let first = site.get("/assets/console.css").await;

    let request = Request::get("/assets/console.css").header("if-none-match", first.header("etag"));
    let second = site.send(request.body(Body::empty()).unwrap()).await;

    assert_eq!(
        (first.status.as_u16(), first.header("content-type")),
        (200, "text/css; charset=utf-8")
    );
    assert_eq!((second.status.as_u16(), second.body.as_str()), (304, ""));
}

#[tokio::test]
async fn a_page_that_takes_other_methods_says_which() {
    let site = Site::start();

    let answer = site.send(Request::put("/sign-out").body(Body::empty()).unwrap()).await;

    assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "POST"));
    assert!(answer.body.contains("The page does not support this"), "{}", answer.body);
}

#[tokio::test]
async fn neither_what_is_for_one_person_nor_the_way_to_it_is_kept() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let sent_to_sign_in = browser.open("/").await;
    let sign_in = browser.open("/sign-in").await;
    let signed_in = browser.sign_in(&sign_in, &member).await;
    let asked = browser.post("/oauth2/authorize", &[("client_id", "x")]).await;
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let tokens = Tokens::of(&by_form(&site, &exchange(&application, &code)).await);
    let projects = site.get_as("/v1/projects", &tokens.access).await;

    for answer in [sent_to_sign_in, sign_in, signed_in, asked, projects] {
        assert_eq!(answer.header("cache-control"), "no-store", "{answer:?}");
    }
}
