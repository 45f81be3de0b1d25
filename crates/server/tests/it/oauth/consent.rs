//! What members decide about applications.

use super::pkce::CHALLENGE;
use super::token_call::{Tokens, by_form, exchange};
use crate::browser::Browser;
use crate::site::{Application, LOOPBACK_URI, PUBLIC_URL, Site};
use oauth::ClientKind;

#[tokio::test]
async fn a_member_may_say_no() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let consent = browser.go_to_consent(&member, &application, &[("state", "xyz")]).await;

    let denied = browser.submit(&consent, &[("decision", "deny")]).await;

    assert_eq!(denied.returned("error").as_deref(), Some("access_denied"));
    assert_eq!(denied.returned("state").as_deref(), Some("xyz"));
    assert_eq!(denied.returned("iss").as_deref(), Some(PUBLIC_URL));
    assert_eq!(denied.returned("code"), None);
}

#[tokio::test]
async fn the_scopes_are_told_in_words() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);

    let some = Browser::new(&site)
        .go_to_consent(&member, &application, &[("scope", "config:read publish")])
        .await;
    let all = Browser::new(&site).go_to_consent(&member, &application, &[("scope", "all")]).await;

    let scopes = |html: &str| html.matches("<li>").count();
    assert_eq!((scopes(&some.body), scopes(&all.body)), (2, 7));
    assert!(
        some.body.contains("<code>config:read</code>")
            && some.body.contains("<code>publish</code>")
    );
}

#[tokio::test]
async fn the_answer_may_go_to_a_program_on_the_own_machine() {
    let site = Site::start();
    let (member, application) =
        (site.member().await, site.register("App", ClientKind::Public).await);
    let local = Application { redirect_uri: LOOPBACK_URI.to_owned(), ..application };
    let challenge = [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];

    let consent = Browser::new(&site).go_to_consent(&member, &local, &challenge).await;

    let policy = consent.header("content-security-policy");
    assert!(policy.contains("form-action 'self' https: http:;"), "{policy}");
}

#[tokio::test]
async fn a_consent_form_works_only_in_the_session_it_was_shown_to() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let (mine, other) = (Browser::new(&site), Browser::new(&site));
    let consent = mine.go_to_consent(&member, &application, &[]).await;
    other.go_to_consent(&member, &application, &[]).await;

    let foreign = other.submit(&consent, &[("decision", "allow")]).await;
    let nobody = Browser::new(&site).submit(&consent, &[("decision", "allow")]).await;
    let bare = mine.post("/oauth2/authorize", &[("decision", "allow")]).await;

    assert_eq!((foreign.status.as_u16(), foreign.header("location")), (403, ""));
    assert!(
        nobody.location().starts_with("/oauth2/authorize?"),
        "asked to sign in: {}",
        nobody.location()
    );
    assert_eq!(bare.status.as_u16(), 400);
}

#[tokio::test]
async fn a_form_that_is_sent_twice_gives_one_code() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let consent = browser.go_to_consent(&member, &application, &[("prompt", "consent")]).await;
    let send = async || browser.submit(&consent, &[("decision", "allow")]).await;

    let code = send().await.returned("code").unwrap();
    let impatient = send().await.returned("code").unwrap();
    let tokens = Tokens::of(&by_form(&site, &exchange(&application, &code)).await);
    let back_later = send().await;

    assert_eq!(impatient, code);
    assert_eq!((back_later.status.as_u16(), back_later.header("location")), (409, ""));
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_form_that_was_left_open_for_long_is_shown_anew() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let consent = browser.go_to_consent(&member, &application, &[]).await;

    site.advance_seconds(3_600);
    let late = browser.submit(&consent, &[("decision", "allow")]).await;
    let asked = browser.open(late.location()).await;

    assert!(late.location().starts_with("/oauth2/authorize?"), "{late:?}");
    assert!(asked.body.contains("value=\"allow\""), "{asked:?}");
}

#[tokio::test]
async fn a_form_that_another_site_sent_is_refused() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let consent = browser.go_to_consent(&member, &application, &[]).await;
    let send = async |name: &'static str, value: &'static str| {
        browser.submit_with(&consent, &[("decision", "allow")], (name, value)).await.status.as_u16()
    };

    assert_eq!(send("sec-fetch-site", "cross-site").await, 403);
    assert_eq!(send("sec-fetch-site", "same-site").await, 403);
    assert_eq!(send("origin", "https://evil.example").await, 403);
    assert_eq!(send("origin", "null").await, 303, "what `no-referrer` makes browsers send");
    assert_eq!(send("origin", PUBLIC_URL).await, 303);
    assert_eq!(send("sec-fetch-site", "same-origin").await, 303);
}

#[tokio::test]
async fn a_client_name_is_shown_as_text() {
    let site = Site::start();
    let (member, _) = (site.member().await, site.application().await);
    let application = site.register("<b>Official</b> \u{2713}", ClientKind::Confidential).await;

    let consent = Browser::new(&site).go_to_consent(&member, &application, &[]).await;

    assert!(consent.body.contains("&#60;b&#62;Official&#60;/b&#62;"), "{}", consent.body);
}
