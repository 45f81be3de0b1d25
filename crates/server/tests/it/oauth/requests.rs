//! Authorization requests: which are answered on our own page, which are sent back, and what comes along.

use super::token_call::{by_form, exchange};
use crate::browser::{Browser, authorize_path};
use crate::site::{Answer, Application, PUBLIC_URL, Site, encode};

#[tokio::test]
async fn a_member_signs_in_consents_and_comes_back_with_a_code() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);

    let sign_in = browser.open(&authorize_path(&application, &[("state", "xyz")])).await;
    let signed_in = browser.sign_in(&sign_in, &member).await;
    let consent = browser.open(signed_in.location()).await;
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;

    assert!(
        sign_in.body.contains("to continue to <strong><bdi>Reports</bdi></strong>"),
        "{}",
        sign_in.body
    );
    assert!(consent.body.contains("Allow <bdi>Reports</bdi>"), "{}", consent.body);
    assert!(consent.body.contains("<dd>reports.example</dd>"), "{}", consent.body);
    assert!(
        allowed.location().starts_with("https://reports.example/callback?from=assay&"),
        "{}",
        allowed.location()
    );
    assert_eq!(allowed.returned("state").as_deref(), Some("xyz"));
    assert_eq!(allowed.returned("iss").as_deref(), Some(PUBLIC_URL));
    let code = allowed.returned("code").unwrap();
    assert_eq!(by_form(&site, &exchange(&application, &code)).await.status.as_u16(), 200);
}

#[tokio::test]
async fn state_comes_back_unchanged() {
    let site = Site::start();
    let application = site.application().await;
    let odd = "a&b=c%+#\"'<script>\u{202e}é ";

    let asked =
        site.get(&authorize_path(&application, &[("prompt", "none"), ("state", odd)])).await;
    let not_asked = site.get(&authorize_path(&application, &[("prompt", "none")])).await;

    assert_eq!(asked.returned("state").as_deref(), Some(odd));
    assert_eq!(not_asked.returned("state"), None);
    assert_eq!(not_asked.returned("iss").as_deref(), Some(PUBLIC_URL));
}

/// The answer is a page of ours that leads to nobody and quotes nothing.
#[track_caller]
pub(super) fn assert_own_page(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("location")), (400, ""), "{answer:?}");
    assert!(answer.header("content-type").starts_with("text/html"), "{answer:?}");
    assert!(answer.body.contains(answer.header("x-request-id")), "{answer:?}");
    assert!(!answer.body.contains("<script"), "{answer:?}");
}

#[tokio::test]
async fn an_unknown_client_sees_our_own_page() {
    let site = Site::start();
    let application = site.application().await;
    let with_id =
        |client_id: &str| Application { client_id: client_id.to_owned(), ..application.clone() };

    for client_id in ["nobody", "", "<script>alert(1)</script>"] {
        assert_own_page(&site.get(&authorize_path(&with_id(client_id), &[])).await);
    }
    assert_own_page(&site.get("/oauth2/authorize").await);
    let twice = authorize_path(&application, &[("client_id", &application.client_id)]);
    assert_own_page(&site.get(&twice).await);
}

#[tokio::test]
async fn other_faults_go_back_to_the_client() {
    let site = Site::start();
    let application = site.application().await;
    let ask = |response_type: &str, more: &[(&str, &str)]| {
        let mut pairs = vec![
            ("client_id", application.client_id.as_str()),
            ("redirect_uri", &application.redirect_uri),
        ];
        if !response_type.is_empty() {
            pairs.push(("response_type", response_type));
        }
        pairs.extend(more);
        format!("/oauth2/authorize?{}", encode(&pairs))
    };
    let cases = [
        (ask("", &[]), "invalid_request"),
        (ask("token", &[]), "unsupported_response_type"),
        (ask("code token", &[]), "unsupported_response_type"),
        (ask("CODE", &[]), "unsupported_response_type"),
        (ask("code", &[("scope", "everything")]), "invalid_scope"),
        (ask("code", &[("scope", "all"), ("scope", "all")]), "invalid_request"),
        (ask("code", &[("state", "a"), ("state", "b")]), "invalid_request"),
        (ask("code", &[("response_mode", "fragment")]), "invalid_request"),
        (ask("code", &[("prompt", "none")]), "login_required"),
    ];

    for (path, error) in cases {
        let answer = site.get(&path).await;
        assert_eq!(answer.returned("error").as_deref(), Some(error), "{path}");
        assert_eq!(answer.returned("iss").as_deref(), Some(PUBLIC_URL), "{path}");
        assert_eq!(answer.returned("code"), None, "{path}");
    }
}

#[tokio::test]
async fn pages_are_protected() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);

    let sign_in = browser.open(&authorize_path(&application, &[])).await;
    let signed_in = browser.sign_in(&sign_in, &member).await;
    let consent = browser.open(signed_in.location()).await;
    let error = browser.open("/oauth2/authorize").await;
    let home = browser.open("/").await;

    for page in [&sign_in, &consent, &error, &home] {
        let policy = page.header("content-security-policy");
        for directive in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.contains(directive), "{policy}");
        }
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
    }
    for page in [&sign_in, &consent] {
        let policy = page.header("content-security-policy");
        assert!(
            policy.contains("form-action 'self' https:;"),
            "Chromium applies it to the client's redirect: {policy}"
        );
    }
}
