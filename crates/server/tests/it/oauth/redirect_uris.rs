//! Where answers to authorization requests may go: to an address that was registered, byte by byte, and nowhere else.

use super::requests::assert_own_page;
use crate::browser::{Browser, authorize_path};
use crate::site::{Application, LOOPBACK_URI, REDIRECT_URI, Site};

/// Addresses that look like [`REDIRECT_URI`] to some parser.
const LOOKALIKES: [&str; 41] = [
    "https://evil.example/callback?from=assay",
    "https://reports.example.evil/callback?from=assay",
    "https://reports.examplee/callback?from=assay",
    "https://sub.reports.example/callback?from=assay",
    "https://reports.example./callback?from=assay",
    "https://reports.example:443/callback?from=assay",
    "https://reports.example:444/callback?from=assay",
    "http://reports.example/callback?from=assay",
    "HTTPS://reports.example/callback?from=assay",
    "https://REPORTS.example/callback?from=assay",
    "https://reports.example/Callback?from=assay",
    "https://reports.example/callback/?from=assay",
    "https://reports.example/callback/more?from=assay",
    "https://reports.example/callbackmore?from=assay",
    "https://reports.example//callback?from=assay",
    "https://reports.example/x/../callback?from=assay",
    "https://reports.example/./callback?from=assay",
    "https://reports.example/%2e%2e/callback?from=assay",
    "https://reports.example/callbac%6b?from=assay",
    "https%3A%2F%2Freports.example%2Fcallback%3Ffrom%3Dassay",
    "https://reports.example/callback",
    "https://reports.example/callback?",
    "https://reports.example/callback?from=other",
    "https://reports.example/callback?from=assay&more=1",
    "https://reports.example/callback?from=assay#",
    "https://reports.example/callback?from=assay#fragment",
    "https://user@reports.example/callback?from=assay",
    "https://reports.example@evil.example/callback?from=assay",
    "https://evil.example\\@reports.example/callback?from=assay",
    "https:\\\\reports.example\\callback?from=assay",
    "https://reports.example/callback?from=assay\t",
    "https://reports.example/callback?from=assay\0",
    " https://reports.example/callback?from=assay",
    "https://reports.example/callback?from=assay ",
    "https://reports.example/callback?from=assay\r\nSet-Cookie: a=b",
    "https://reports\u{ff0e}example/callback?from=assay",
    "*",
    "//reports.example/callback?from=assay",
    "/callback?from=assay",
    "javascript:alert(1)//reports.example/callback?from=assay",
    "data:text/html,<script>alert(1)</script>",
];

#[tokio::test]
async fn a_lookalike_redirect_uri_gets_our_own_error_page() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let signed_in = Browser::new(&site);
    signed_in.fetch_code(&member, &application, &[]).await;
    let long = format!("{REDIRECT_URI}&{}", "a".repeat(6_000));

    for wrong in LOOKALIKES.into_iter().chain(["", &long]) {
        let application = Application { redirect_uri: wrong.to_owned(), ..application.clone() };
        let path = authorize_path(&application, &[]);
        for answer in [site.get(&path).await, signed_in.open(&path).await] {
            assert_own_page(&answer);
        }
    }
}

#[tokio::test]
async fn the_address_is_named_exactly_once() {
    let site = Site::start();
    let application = site.application().await;
    let Application { client_id, redirect_uri, .. } = &application;

    for other in [redirect_uri, "", "https://reports.example/other"] {
        let path = authorize_path(&application, &[("redirect_uri", other)]);
        assert_own_page(&site.get(&path).await);
    }
    let path = format!("/oauth2/authorize?response_type=code&client_id={client_id}");
    assert_own_page(&site.get(&path).await);
}

#[tokio::test]
async fn only_the_port_of_a_loopback_address_may_vary() {
    let site = Site::start();
    let application = site.application().await;
    let asked = async |redirect_uri: &str| {
        let application =
            Application { redirect_uri: redirect_uri.to_owned(), ..application.clone() };
        site.get(&authorize_path(&application, &[])).await
    };

    assert_eq!(asked(LOOPBACK_URI).await.status.as_u16(), 200);
    for wrong in [
        "http://127.0.0.1:51000/other",
        "http://127.0.0.2:51000/callback",
        "http://localhost:51000/callback",
        "http://[::1]:51000/callback",
        "https://127.0.0.1:51000/callback",
        "http://127.0.0.1:0/callback",
        "http://127.0.0.1:65536/callback",
        "http://127.0.0.1:51000@evil.example/callback",
        "http://127.0.0.1.evil.example:51000/callback",
    ] {
        assert_own_page(&asked(wrong).await);
    }
}

#[tokio::test]
async fn an_error_page_quotes_nothing_of_the_request() {
    let site = Site::start();
    let application = site.application().await;
    let markup = "\"><script>alert(1)</script>";

    for (client_id, redirect_uri) in
        [(markup, REDIRECT_URI), (application.client_id.as_str(), markup)]
    {
        let application = Application {
            client_id: client_id.to_owned(),
            redirect_uri: redirect_uri.to_owned(),
            ..application.clone()
        };
        let page = site.get(&authorize_path(&application, &[("state", markup)])).await;
        assert_own_page(&page);
        assert!(!page.body.contains("alert(1)"), "{page:?}");
    }
}
