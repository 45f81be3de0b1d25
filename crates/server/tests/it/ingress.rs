//! How requests get in: directly or through a proxy, protected or not, and under which name.

use std::net::IpAddr;

use app::{PublicUrl, sign_caller_check};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request};
use web::{Ingress, Peer, Protection, TrustedProxy};

use crate::browser::authorize_path;
use crate::site::{Answer, PUBLIC_URL, Site};

/// Not on this machine.
const STRANGER: &str = "192.0.2.7";
const PROXY: &str = "10.0.0.1";
const LOOPBACK: &str = "127.0.0.1";

/// A site behind its ingress.
struct Reached {
    site: Site,
    ingress: Ingress,
    routes: Router,
}

impl Reached {
    fn at(public_url: &str) -> Self {
        let site = Site::start_at(public_url);
        let routes =
            api::router(site.app.clone()).merge(console::router(site.app.clone(), api::openapi()));
        let ingress = Ingress {
            public_url: PublicUrl::parse(public_url).unwrap(),
            trusted_proxies: vec![TrustedProxy::parse("10.0.0.0/8").unwrap()],
        };
        Self { site, ingress, routes }
    }

    async fn send(&self, request: Request<Body>, peer: Peer) -> Answer {
        let answer = self.ingress.answer(self.routes.clone(), peer, request).await;
        let (parts, body) = answer.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Sends a request with these headers, and a wrong client secret in its query.
    async fn ask(&self, way: Way, headers: &[(&str, &str)]) -> Answer {
        let path = "/oauth2/token?grant_type=refresh_token&client_id=nobody&client_secret=a-secret";
        let request = Request::builder().method(Method::POST).uri(path).header("host", "a");
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        self.send(request.body(Body::empty()).unwrap(), way.peer()).await
    }
}

/// From where a request comes, and how.
#[derive(Debug, Clone, Copy)]
enum Way {
    Plain(&'static str),
    Tls(&'static str),
}

impl Way {
    fn peer(self) -> Peer {
        let (address, protection) = match self {
            Self::Plain(address) => (address, Protection::None),
            Self::Tls(address) => (address, Protection::Tls),
        };
        Peer { address: address.parse().unwrap(), protection }
    }
}

const HTTPS: &[(&str, &str)] = &[("x-forwarded-proto", "https")];
const HTTP: &[(&str, &str)] = &[("x-forwarded-proto", "http")];

#[tokio::test]
async fn a_request_over_plain_http_is_refused_and_not_redirected() {
    let reached = Reached::at(PUBLIC_URL);
    for (way, headers) in [
        (Way::Plain(STRANGER), &[][..]),
        (Way::Plain(STRANGER), HTTPS),
        (Way::Plain(PROXY), &[]),
        (Way::Plain(PROXY), HTTP),
        (Way::Plain(PROXY), &[("x-forwarded-proto", "https, http")]),
        (Way::Plain(PROXY), &[("forwarded", "for=192.0.2.7;proto=http")]),
        (Way::Tls(PROXY), HTTP),
        (Way::Plain(LOOPBACK), HTTP),
        (Way::Plain("::ffff:192.0.2.7"), &[]),
    ] {
        let answer = reached.ask(way, headers).await;

        assert_eq!(answer.status, 403, "{way:?} {headers:?}: {answer:?}");
        assert!(answer.headers.get("location").is_none(), "{answer:?}");
        assert!(answer.body.starts_with("{\"error\":\"invalid_request\",\"error_description\":\"the request came over plain http"));
        assert!(!answer.body.contains("a-secret"));
    }
}

#[tokio::test]
async fn a_request_that_others_could_not_read_is_answered() {
    let reached = Reached::at(PUBLIC_URL);
    for (way, headers) in [
        (Way::Tls(STRANGER), &[][..]),
        // Who says so of themselves only does themselves harm, and gains nothing.
        (Way::Tls(STRANGER), HTTP),
        (Way::Tls(PROXY), &[]),
        (Way::Plain(PROXY), HTTPS),
        (Way::Plain("::ffff:10.0.0.1"), HTTPS),
        (Way::Plain(PROXY), &[("forwarded", "for=192.0.2.7;proto=https")]),
        (Way::Plain(LOOPBACK), &[]),
        (Way::Plain("::1"), HTTPS),
    ] {
        let answer = reached.ask(way, headers).await;
        assert_eq!(answer.status, 401, "{way:?} {headers:?}: {answer:?}");
    }
    let on_this_machine = Reached::at("http://127.0.0.1:8080");
    for way in [Way::Plain(LOOPBACK), Way::Plain(PROXY)] {
        assert_eq!(on_this_machine.ask(way, HTTP).await.status, 401, "{way:?}");
    }
}

#[tokio::test]
async fn how_a_caller_is_heard_is_told_only_with_a_proof_of_the_database() {
    let reached = Reached::at(PUBLIC_URL);
    let proof = sign_caller_check(&reached.site.app).await.unwrap();
    let ask = async |proof: &str| {
        let request = Request::get("/.well-known/oauth-authorization-server")
            .header("host", "a")
            .header("x-forwarded-for", "198.51.100.9, 192.0.2.7")
            .header("x-forwarded-proto", "https")
            .header("assay-caller-check", proof);
        let request = request.body(Body::empty()).unwrap();
        let answer = reached.send(request, Way::Plain(PROXY).peer()).await;
        assert_eq!(answer.status, 200);
        answer.headers.get("assay-caller-check").map(|told| told.to_str().unwrap().to_owned())
    };

    let told = ask(&proof).await;
    let (signed, signature) = proof.rsplit_once('.').unwrap();
    let forged = format!("{signed}0.{signature}");
    let without_proof = [ask("").await, ask("1").await, ask(&forged).await];
    reached.site.advance_seconds(61);
    let late = ask(&proof).await;

    let expected =
        r#"{"caller":"192.0.2.7","is_from_proxy":true,"hops":["198.51.100.9","192.0.2.7"]}"#;
    assert_eq!(told.as_deref(), Some(expected));
    assert_eq!(without_proof, [None, None, None]);
    assert_eq!(late, None);
}

#[tokio::test]
async fn people_and_programs_are_refused_in_their_own_words() {
    let reached = Reached::at(PUBLIC_URL);
    let get = async |path: &str| {
        let request = Request::get(path).header("host", "a").body(Body::empty()).unwrap();
        reached.send(request, Way::Plain(STRANGER).peer()).await
    };

    let (page, problem) = (get("/sign-in?password=a-secret").await, get("/v1/projects").await);

    assert_eq!((page.status.as_u16(), problem.status.as_u16()), (403, 403));
    assert!(page.body.contains("The request came over plain http"), "{}", page.body);
    assert!(!page.body.contains("a-secret"));
    assert_eq!(problem.header("content-type"), "application/problem+json");
}

#[tokio::test]
async fn load_balancers_ask_for_health_as_they_like() {
    let reached = Reached::at(PUBLIC_URL);
    for path in ["/healthz", "/readyz"] {
        let request = Request::get(path).header("host", "a").body(Body::empty()).unwrap();
        let answer = reached.send(request, Way::Plain(STRANGER).peer()).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_str()), (200, "ok\n"));
    }
}

/// The address of the refused caller in the audit log.
async fn written_down(way: Way, headers: &[(&str, &str)]) -> String {
    let reached = Reached::at(PUBLIC_URL);
    reached.ask(way, headers).await;
    reached.site.settle().await;
    let log = reached.site.command(&["audit", "--json"]);
    let entry: serde_json::Value = serde_json::from_slice(&log.stdout).unwrap();
    entry["address"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn only_a_trusted_proxy_says_for_whom_it_asks() {
    let forged = ("x-forwarded-for", "198.51.100.1, 203.0.113.5");
    let https = HTTPS[0];
    for (way, headers, caller) in [
        (Way::Plain(PROXY), &[forged, https][..], "203.0.113.5"),
        (
            Way::Plain(PROXY),
            &[("x-forwarded-for", "198.51.100.1, 203.0.113.5, 10.9.9.9"), https],
            "203.0.113.5",
        ),
        (
            Way::Plain(PROXY),
            &[("forwarded", "for=198.51.100.1, for=203.0.113.5;proto=https")],
            "203.0.113.5",
        ),
        (Way::Plain(PROXY), &[https], PROXY),
        (Way::Tls(STRANGER), &[forged], STRANGER),
        (Way::Plain(LOOPBACK), &[forged], LOOPBACK),
    ] {
        let found: IpAddr = written_down(way, headers).await.parse().unwrap();
        assert_eq!(found.to_string(), caller, "{way:?} {headers:?}");
    }
}

#[tokio::test]
async fn browsers_are_told_to_use_https_from_now_on() {
    let hsts = async |public_url: &str, host: &str| {
        let reached = Reached::at(public_url);
        let request = Request::get("/healthz").header("host", host).body(Body::empty()).unwrap();
        let answer = reached.send(request, Way::Plain(LOOPBACK).peer()).await;
        answer.headers.get("strict-transport-security").cloned()
    };

    for host in ["assay.example", "Assay.example:443"] {
        assert_eq!(hsts(PUBLIC_URL, host).await.unwrap(), "max-age=31536000", "{host}");
    }
    let of_site = hsts(PUBLIC_URL, "www.shop.example").await;
    assert_eq!(of_site, None, "a site that passes paths on decides for its host");
    let local = hsts("https://localhost:8443", "localhost:8443").await;
    assert_eq!(local, None, "other programs use that name as well");
    assert_eq!(hsts("http://127.0.0.1:8080", "127.0.0.1:8080").await, None);
}

#[tokio::test]
async fn no_header_of_a_caller_changes_issuer_links_redirects_or_cookies() {
    let reached = Reached::at(PUBLIC_URL);
    let application = reached.site.application().await;
    let authorize = authorize_path(&application, &[]);
    let evil = [
        ("host", "evil.example"),
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-server", "evil.example"),
        ("x-forwarded-port", "666"),
        ("x-forwarded-prefix", "/evil.example"),
        ("x-original-url", "/evil.example"),
        ("forwarded", "for=192.0.2.1;host=evil.example;proto=https"),
    ];
    let good = [("host", "assay.example")];
    let paths = [
        "/.well-known/oauth-authorization-server",
        "/",
        "/sign-in",
        "/account",
        &authorize,
        "/oauth2/authorize",
        "/nowhere",
    ];
    for path in paths {
        let get = async |headers: &[(&str, &str)]| {
            let request = headers
                .iter()
                .fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
            reached.send(request.body(Body::empty()).unwrap(), Way::Tls(STRANGER).peer()).await
        };
        let (answer, honest) = (get(&evil).await, get(&good).await);

        let told = format!("{:?} {}", answer.headers, answer.body);
        assert!(!told.contains("evil.example") && !told.contains(":666"), "{path}: {told}");
        assert_eq!(answer.status, honest.status, "{path}");
        assert_eq!(attributes(&answer.headers), attributes(&honest.headers), "{path}");
        assert_eq!(answer.headers.get("location"), honest.headers.get("location"), "{path}");
    }
}

/// What cookies are set, but for their values.
fn attributes(headers: &HeaderMap) -> Vec<(String, String)> {
    let cookies = headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let attributes = cookies.map(|cookie| {
        let (name, rest) = cookie.split_once('=').unwrap();
        (name.to_owned(), rest.split_once(';').unwrap().1.to_owned())
    });
    attributes
        .inspect(|(name, rest)| assert!(name.starts_with("__Host-") && rest.contains("Secure")))
        .collect()
}
