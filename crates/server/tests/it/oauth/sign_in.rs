//! Members sign in and out.

use std::sync::Arc;

use app::members::add_member;
use app::roles::Actor;
use axum::body::Body;
use axum::http::Request;
use secrecy::ExposeSecret as _;
use storage::RoleGrant;
use tokio::task::{JoinSet, LocalSet};

use crate::browser::{Browser, authorize_path};
use crate::site::{Answer, Member, Site};

#[tokio::test]
async fn a_member_signs_in_sees_the_projects_and_signs_out() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);

    let nobody = browser.open("/").await;
    let form = browser.open(nobody.location()).await;
    let signed_in = browser.sign_in(&form, &member).await;
    let home = browser.open(signed_in.location()).await;
    let session = browser.clone();
    let signed_out = browser.submit(&home, &[]).await;

    assert_eq!(signed_in.location(), "/");
    assert!(
        home.body.contains("ann@example.com") && home.body.contains("No project yet"),
        "{}",
        home.body
    );
    assert_eq!(signed_out.location(), "/sign-in");
    assert_eq!(browser.open("/").await.location(), "/sign-in");
    assert_eq!(
        session.open("/").await.location(),
        "/sign-in",
        "the session ended in the store too"
    );
}

/// More than may fail: one who knows the password is not in their own way.
#[tokio::test]
async fn a_member_signs_in_in_a_dozen_browsers_at_once() {
    let site = Arc::new(Site::start());
    let member = Arc::new(site.member().await);
    let mut browsers = JoinSet::new();
    let together = LocalSet::new();
    for _ in 0..12 {
        let (site, member) = (Arc::clone(&site), Arc::clone(&member));
        let sign_in = async move {
            let browser = Browser::new(&*site);
            let form = browser.open("/sign-in").await;
            browser.sign_in(&form, &member).await.location().to_owned()
        };
        browsers.spawn_local_on(sign_in, &together);
    }

    let led_to = together.run_until(browsers.join_all()).await;

    assert_eq!(led_to, ["/"; 12]);
}

#[tokio::test]
async fn an_unknown_member_and_a_wrong_password_look_the_same() {
    let site = Site::start();
    let member = site.member().await;
    let try_with = async |email: &str, password: &str| {
        let browser = Browser::new(&site);
        let form = browser.open("/sign-in").await;
        let attempt = Member { email: email.to_owned(), password: password.to_owned() };
        let answer = browser.sign_in(&form, &attempt).await;
        (answer.status.as_u16(), answer.header("set-cookie").contains("session"), answer.body)
    };

    let (wrong, unknown) =
        (try_with("ann@example.com", "x").await, try_with("bob@example.com", "x").await);

    assert_eq!((wrong.0, wrong.1), (403, false));
    assert!(wrong.2.contains("The e-mail address or the password is wrong."), "{}", wrong.2);
    let blank = |html: &str| {
        let html = html.replace("ann@", "").replace("bob@", "");
        let mut parts = html.split("name=\"csrf\" value=\"");
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |text, part| text + part.split_once('"').unwrap().1)
    };
    assert_eq!((wrong.0, wrong.1, blank(&wrong.2)), (unknown.0, unknown.1, blank(&unknown.2)));
    assert_eq!(try_with(" ANN@example.com ", &member.password).await.0, 303);
}

#[tokio::test]
async fn the_session_cookie_cannot_be_read_or_planted() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);

    let form = browser.open("/sign-in").await;
    let signed_in = browser.sign_in(&form, &member).await;

    let cookie = signed_in.header("set-cookie");
    assert!(cookie.starts_with("__Host-assay_session=assay_"), "{cookie}");
    for attribute in ["; Path=/;", "; HttpOnly", "; SameSite=Lax", "; Secure"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert_ne!(
        browser.sign_in(&form, &member).await.header("set-cookie"),
        cookie,
        "each sign-in starts a session"
    );
}

/// The value of a cookie in an answer.
fn cookie<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    let mut cookies = answer.headers.get_all("set-cookie").iter();
    cookies.find_map(|cookie| {
        let (found, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
        (found == name).then(|| rest.split(';').next().unwrap())
    })
}

#[tokio::test]
async fn the_session_that_a_browser_had_before_sign_in_is_over() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    let planted = browser.clone();
    let form =
        browser.open(&authorize_path(&site.application().await, &[("prompt", "login")])).await;

    let signed_in = browser.sign_in(&form, &member).await;

    let credential = cookie(&signed_in, "__Host-assay_session").unwrap();
    assert!(!planted.cookie_values().iter().any(|value| value == credential));
    assert_eq!(browser.open("/").await.status.as_u16(), 200);
    assert_eq!(planted.open("/").await.location(), "/sign-in", "another browser with its cookie");
}

#[tokio::test]
async fn a_browser_is_known_for_a_year_by_a_cookie_that_opens_nothing() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);
    let form = browser.open("/sign-in").await;

    let signed_in = browser.sign_in(&form, &member).await;

    let device = cookie(&signed_in, "__Host-assay_device").unwrap();
    assert!(device.starts_with("assay_dv."), "{device}");
    let all = signed_in.headers.get_all("set-cookie").iter();
    let header = all.map(|value| value.to_str().unwrap()).find(|value| value.contains(device));
    let attributes = "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure";
    assert!(header.unwrap().ends_with(attributes), "{header:?}");
    let thief = Request::get("/").header("cookie", format!("__Host-assay_session={device}"));
    let answer = site.send(thief.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.location(), "/sign-in");
}

#[tokio::test]
async fn a_hundred_wrong_passwords_from_many_addresses_do_not_keep_the_members_own_browser_out() {
    let site = Site::start();
    let member = site.member().await;
    let own = Browser::new(&site);
    own.sign_in_at_home(&member).await;
    let home = own.open("/").await;
    own.submit(&home, &[]).await;
    let wrong = Member { password: "x".to_owned(), ..member.clone() };
    let mut answers = Vec::new();

    for number in 0..100 {
        let stranger = Browser::at(&site, [198, 51, 100, number]);
        let form = stranger.open("/sign-in").await;
        answers.push(stranger.sign_in(&form, &wrong).await.status.as_u16());
    }

    let tried = answers.iter().filter(|status| **status == 403).count();
    assert_eq!(tried, 20, "the account is slowed for strangers: {answers:?}");
    let new = Browser::at(&site, [198, 51, 100, 200]);
    let form = new.open("/sign-in").await;
    assert_eq!(new.sign_in(&form, &member).await.status.as_u16(), 429, "also with the right one");
    own.sign_in_at_home(&member).await;
    site.advance_seconds(60);
    assert_eq!(new.sign_in(&form, &member).await.status.as_u16(), 303, "waiting always ends");
}

#[tokio::test]
async fn a_browser_that_another_member_signed_in_with_is_not_known() {
    let site = Site::start();
    let member = site.member().await;
    let evil =
        add_member(&site.app, &Actor::Command, "eve@example.com", RoleGrant::OWNER).await.unwrap();
    let evil = Member { email: evil.email, password: evil.password.expose_secret().to_owned() };
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&evil).await;
    let form =
        browser.open(&authorize_path(&site.application().await, &[("prompt", "login")])).await;
    let wrong = Member { password: "x".to_owned(), ..member };

    let mut tried = 0;
    while browser.sign_in(&form, &wrong).await.status.as_u16() == 403 {
        tried += 1;
    }

    assert_eq!(tried, 6);
}

#[tokio::test]
async fn over_plain_http_the_cookie_has_no_prefix() {
    let site = Site::start_at("http://127.0.0.1:8080");
    let member = site.member().await;
    let browser = Browser::new(&site);

    let form = browser.open("/sign-in").await;
    let signed_in = browser.sign_in(&form, &member).await;

    let cookie = signed_in.header("set-cookie");
    assert!(cookie.starts_with("assay_session=") && !cookie.contains("Secure"), "{cookie}");
}

#[tokio::test]
async fn a_sign_in_form_works_only_in_the_browser_it_was_shown_to() {
    let site = Site::start();
    let member = site.member().await;
    let (mine, other) = (Browser::new(&site), Browser::new(&site));
    let form = mine.open("/sign-in").await;
    other.open("/sign-in").await;

    assert_eq!(other.sign_in(&form, &member).await.status.as_u16(), 403);
    assert_eq!(Browser::new(&site).sign_in(&form, &member).await.status.as_u16(), 403);
    assert_eq!(mine.sign_in(&form, &member).await.status.as_u16(), 303);
}

#[tokio::test]
async fn guessing_passwords_is_slowed_but_locks_no_member_out_for_ever() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);
    let form = browser.open("/sign-in").await;
    let wrong = Member { password: "x".to_owned(), ..member.clone() };

    let mut last = browser.sign_in(&form, &wrong).await;
    for _ in 0..6 {
        last = browser.sign_in(&form, &wrong).await;
    }
    let right_too = browser.sign_in(&form, &member).await;
    site.advance_seconds(30);
    let later = browser.sign_in(&form, &member).await;

    assert_eq!((last.status.as_u16(), last.header("retry-after")), (429, "30"));
    assert_eq!(right_too.status.as_u16(), 429);
    assert_eq!(later.status.as_u16(), 303);
}

#[tokio::test]
async fn sign_in_leads_to_our_own_pages_only() {
    let site = Site::start();
    let member = site.member().await;

    for elsewhere in
        ["//evil.example", "https://evil.example/", "/\\evil.example", "/\t/evil.example"]
    {
        let browser = Browser::new(&site);
        let mut form = browser.open("/sign-in").await;
        form.body = form.body.replace(
            "name=\"return_to\" value=\"/\"",
            &format!("name=\"return_to\" value=\"{elsewhere}\""),
        );
        assert_eq!(browser.sign_in(&form, &member).await.location(), "/", "{elsewhere}");
    }
}

#[tokio::test]
async fn a_failed_try_does_not_lose_the_authorization_request() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let form = browser
        .open(&authorize_path(&application, &[("state", "x&y"), ("login_hint", "ann@example.com")]))
        .await;

    let again =
        browser.sign_in(&form, &Member { password: "x".to_owned(), ..member.clone() }).await;
    let consent = browser.open(browser.sign_in(&again, &member).await.location()).await;
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;

    assert!(form.body.contains("value=\"ann@example.com\""), "{}", form.body);
    assert!(again.body.contains("to continue to"), "{}", again.body);
    assert_eq!(allowed.returned("state").as_deref(), Some("x&y"));
}

#[tokio::test]
async fn characters_that_were_not_encoded_survive_sign_in() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let path = format!("{}&state=a\\bé", authorize_path(&application, &[]));

    let form = browser.open(&path).await;
    let consent = browser.open(browser.sign_in(&form, &member).await.location()).await;
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;

    assert_eq!(allowed.returned("state").as_deref(), Some("a\\bé"));
}

#[tokio::test]
async fn a_client_may_ask_for_a_fresh_sign_in() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    browser.fetch_code(&member, &application, &[]).await;

    let form = browser.open(&authorize_path(&application, &[("prompt", "login")])).await;
    let signed_in = browser.sign_in(&form, &member).await;
    let answered = browser.open(signed_in.location()).await;

    assert_eq!(form.status.as_u16(), 200);
    assert!(answered.returned("code").is_some(), "{answered:?}");
}

#[tokio::test]
async fn a_session_that_is_not_used_ends() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);
    let form = browser.open("/sign-in").await;
    browser.sign_in(&form, &member).await;
    assert_eq!(browser.open("/").await.status.as_u16(), 200);

    site.advance_seconds(31 * 24 * 60 * 60);

    assert_eq!(browser.open("/").await.location(), "/sign-in");
}
