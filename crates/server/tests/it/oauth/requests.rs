//! Authorization requests: which are answered on our own page, which are sent back, and what comes along.

use super::pkce::CHALLENGE;
use super::token_call::{assert_error, by_form, exchange};
use crate::browser::{Browser, authorize_path};
use crate::site::{Answer, Application, PUBLIC_URL, Site};

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
    let odd = format!("a&b=c%+#\"'<script>\u{202e}é {}", "x".repeat(900));

    let asked =
        site.get(&authorize_path(&application, &[("prompt", "none"), ("state", &odd)])).await;
    let not_asked = site.get(&authorize_path(&application, &[("prompt", "none")])).await;

    assert_eq!(asked.returned("state").as_deref(), Some(odd.as_str()));
    assert!(!asked.location().contains('+'), "also for those who read a plus as a plus");
    assert_eq!(not_asked.returned("state"), None);
    assert_eq!(not_asked.returned("iss").as_deref(), Some(PUBLIC_URL));
}

/// The answer is a page of ours that redirects nowhere and quotes nothing.
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

/// What is asked beside client and redirect URI, and the error that comes back.
const FAULTS: [(&str, &str); 34] = [
    ("", "invalid_request"),
    ("response_type=", "invalid_request"),
    ("response_type=code&response_type=code", "invalid_request"),
    ("response_type=code&response_type=token", "invalid_request"),
    ("response_type=token", "unsupported_response_type"),
    ("response_type=id_token", "unsupported_response_type"),
    ("response_type=code+token", "unsupported_response_type"),
    ("response_type=none", "unsupported_response_type"),
    ("response_type=CODE", "unsupported_response_type"),
    ("response_type=code+", "unsupported_response_type"),
    ("response_type=code&response_mode=fragment", "invalid_request"),
    ("response_type=code&response_mode=form_post", "invalid_request"),
    ("response_type=code&response_mode=other", "invalid_request"),
    ("response_type=code&response_mode=query&response_mode=query", "invalid_request"),
    ("response_type=code&scope=everything", "invalid_scope"),
    ("response_type=code&scope=publish+everything", "invalid_scope"),
    ("response_type=code&scope=Publish", "invalid_scope"),
    ("response_type=code&scope=publish,all", "invalid_scope"),
    ("response_type=code&scope=+", "invalid_scope"),
    ("response_type=code&scope=all&scope=all", "invalid_request"),
    ("response_type=code&prompt=create", "invalid_request"),
    ("response_type=code&prompt=none+login", "invalid_request"),
    ("response_type=code&code_challenge_method=S256", "invalid_request"),
    ("response_type=code&code_challenge_method=plain", "invalid_request"),
    ("response_type=code&CHALLENGE", "invalid_request"),
    ("response_type=code&CHALLENGE&code_challenge_method=", "invalid_request"),
    ("response_type=code&CHALLENGE&code_challenge_method=plain", "invalid_request"),
    ("response_type=code&CHALLENGE&code_challenge_method=s256", "invalid_request"),
    ("response_type=code&CHALLENGE&code_challenge_method=S512", "invalid_request"),
    ("response_type=code&CHALLENGE&code_challenge_method=none", "invalid_request"),
    ("response_type=code&CHALLENGE&code_challenge_method=S256+", "invalid_request"),
    ("response_type=code&CHALLENGE%3D&code_challenge_method=S256", "invalid_request"),
    ("response_type=code&CHALLENGE&CHALLENGE&code_challenge_method=S256", "invalid_request"),
    ("response_type=code&colour=red&colour=red", "invalid_request"),
];

#[tokio::test]
async fn other_faults_go_back_to_the_client() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let signed_in = Browser::new(&site);
    signed_in.fetch_code(&member, &application, &[]).await;
    let base =
        authorize_path(&application, &[("state", "a b&c")]).replace("response_type=code&", "");
    let challenge = format!("code_challenge={CHALLENGE}");

    for (fault, error) in FAULTS {
        let path = format!("{base}&{}", fault.replace("CHALLENGE", &challenge));
        for answer in [site.get(&path).await, signed_in.open(&path).await] {
            let came_back = format!("{}&", application.redirect_uri);
            assert!(answer.location().starts_with(&came_back), "{fault}: {answer:?}");
            assert_eq!(answer.returned("error").as_deref(), Some(error), "{fault}");
            assert_eq!(answer.returned("state").as_deref(), Some("a b&c"), "{fault}");
            assert_eq!(answer.returned("iss").as_deref(), Some(PUBLIC_URL), "{fault}");
            assert_eq!(answer.returned("code"), None, "{fault}");
            assert_eq!(answer.header("cache-control"), "no-store");
        }
    }
}

#[tokio::test]
async fn a_state_that_came_twice_is_not_returned() {
    let site = Site::start();
    let application = site.application().await;

    for other in ["a", "b", ""] {
        let path = authorize_path(&application, &[("state", "a"), ("state", other)]);
        let answer = site.get(&path).await;
        assert_eq!(answer.returned("error").as_deref(), Some("invalid_request"));
        assert_eq!(answer.returned("state"), None);
    }
}

#[tokio::test]
async fn without_a_session_prompt_none_is_login_required() {
    let site = Site::start();
    let application = site.application().await;

    let answer = site.get(&authorize_path(&application, &[("prompt", "none")])).await;

    assert_eq!(answer.returned("error").as_deref(), Some("login_required"));
    assert_eq!(answer.returned("iss").as_deref(), Some(PUBLIC_URL));
}

#[tokio::test]
async fn an_address_in_the_request_is_never_fetched() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let elsewhere = format!("http://{}/", listener.local_addr().unwrap());
    let site = Site::start();
    let application = site.application().await;
    let more = [("request_uri", elsewhere.as_str()), ("jwks_uri", &elsewhere), ("request", "e30.")];

    let answer = site.get(&authorize_path(&application, &more)).await;

    assert_eq!(answer.status.as_u16(), 200, "they are parameters like any unknown one");
    assert!(listener.accept().is_err(), "the server called no address");
}

#[tokio::test]
async fn the_answer_is_for_the_application_that_asked() {
    let site = Site::start();
    let (member, honest) = (site.member().await, site.application().await);
    let attacker = site.register("Attacker", oauth::ClientKind::Confidential).await;
    assert_eq!(honest.redirect_uri, attacker.redirect_uri, "two of them share an address");
    let browser = Browser::new(&site);

    let code = browser.fetch_code(&member, &honest, &[]).await;

    assert_error(&by_form(&site, &exchange(&attacker, &code)).await, 400, "invalid_grant");
    assert_eq!(by_form(&site, &exchange(&honest, &code)).await.status.as_u16(), 200);
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

#[tokio::test]
async fn a_head_request_gets_no_code() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    browser.fetch_code(&member, &application, &[]).await;
    let path = authorize_path(&application, &[]);

    let looked = browser.look(&path).await;

    assert_eq!((looked.status.as_u16(), looked.header("location")), (200, ""));
    assert!(browser.open(&path).await.returned("code").is_some(), "the consent is remembered");
}

#[tokio::test]
async fn a_request_in_a_form_is_as_good_as_one_in_the_address() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let asked = authorize_path(&application, &[("state", "a&b")]);
    let (_, query) = asked.split_once('?').unwrap();
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| (&**name, &**value)).collect();
    let browser = Browser::new(&site);

    let sent = browser.post("/oauth2/authorize", &pairs).await;
    let half = browser.post("/oauth2/authorize?login_hint=ann", &pairs).await;
    let twice = browser.post(&asked, &pairs).await;
    let sign_in = browser.open(sent.location()).await;
    let signed_in = browser.sign_in(&sign_in, &member).await;
    let consent = browser.open(signed_in.location()).await;
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;

    assert_eq!((sent.status.as_u16(), sent.location()), (303, asked.as_str()));
    assert_eq!(half.location(), format!("/oauth2/authorize?login_hint=ann&{query}"));
    assert_own_page(&browser.open(twice.location()).await);
    assert_eq!(allowed.returned("state").as_deref(), Some("a&b"));
    assert!(allowed.returned("code").is_some(), "{allowed:?}");
}

#[tokio::test]
async fn a_request_that_is_too_long_to_go_on_after_sign_in_is_refused_before_it() {
    let site = Site::start();
    let application = site.application().await;
    let path = authorize_path(&application, &[("state", &"x".repeat(20_000))]);

    assert_own_page(&site.get(&path).await);
}
