//! The member's own page: the applications that act in their name, and the browsers in which they are signed in.

use serde_json::Value;

use crate::browser::{Browser, authorize_path, form_token};
use crate::oauth::token_call::{Tokens, assert_error, by_form, exchange, refresh};
use crate::site::{Answer, Application, Site};

const PATH: &str = "/account";

/// A member who is signed in, and an application that they allowed everything.
async fn connected(site: &Site) -> (Browser<'_>, Application, Tokens) {
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(site);
    let code = browser.fetch_code(&member, &application, &[]).await;
    let tokens = Tokens::of(&by_form(site, &exchange(&application, &code)).await);
    (browser, application, tokens)
}

async fn end(browser: &Browser<'_>, path: &str, id: &str) -> Answer {
    let page = browser.open(PATH).await;
    browser.post(path, &[("csrf", form_token(&page)), ("id", id)]).await
}

#[tokio::test]
async fn a_member_sees_what_they_allowed() {
    let site = Site::start();
    let (browser, application, tokens) = connected(&site).await;
    site.advance_seconds(2 * 3_600);
    by_form(&site, &refresh(&application, &tokens.refresh)).await;

    let home = browser.open("/").await;
    let page = browser.open(PATH).await;

    assert!(home.body.contains("<a href=\"/account\">Account</a>"), "{}", home.body);
    for shown in [
        "<bdi>Reports</bdi>",
        "Returns to 127.0.0.1, reports.example.",
        "<li>publish changes to your visitors</li>",
        "Allowed <time datetime=\"2027-01-15T08:00:00Z\">15 January 2027, 08:00 UTC</time>",
        "last used <time datetime=\"2027-01-15T10:00:00Z\">15 January 2027, 10:00 UTC</time>",
    ] {
        assert!(page.body.contains(shown), "{shown} in {}", page.body);
    }
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'self'"), "{policy}");
    assert!(policy.contains("form-action 'self'; frame-ancestors 'none'"), "{policy}");
}

#[tokio::test]
async fn disconnecting_ends_everything_of_the_application_at_once() {
    let site = Site::start();
    let (browser, application, tokens) = connected(&site).await;
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 200);
    let open = browser.open(&authorize_path(&application, &[])).await.returned("code").unwrap();

    let done = end(&browser, "/account/disconnect", &application.client_id).await;

    assert_eq!(done.location(), "/account?done=disconnected");
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 401);
    let refreshed = by_form(&site, &refresh(&application, &tokens.refresh)).await;
    assert_error(&refreshed, 400, "invalid_grant");
    let exchanged = by_form(&site, &exchange(&application, &open)).await;
    assert_error(&exchanged, 400, "invalid_grant");
    let page = browser.open(done.location()).await;
    assert!(page.body.contains("You have not allowed any application."), "{}", page.body);
    assert!(page.body.contains(">The application is disconnected and no longer has access.</p>"));
    let asked = browser.open(&authorize_path(&application, &[])).await;
    assert_eq!(asked.status.as_u16(), 200, "the member is asked again");
}

#[tokio::test]
async fn only_our_own_pages_end_anything() {
    let site = Site::start();
    let (browser, application, tokens) = connected(&site).await;
    let id = application.client_id.as_str();

    for path in ["/account/disconnect", "/account/end-session", "/account/end-other-sessions"] {
        let forged = browser.post(path, &[("csrf", "made-up"), ("id", id)]).await;
        let bare = browser.post(path, &[("id", id)]).await;
        let nobody = Browser::new(&site).post(path, &[("csrf", "x"), ("id", id)]).await;
        let got = browser.open(path).await;
        assert_eq!((forged.status.as_u16(), bare.status.as_u16()), (403, 403), "{path}");
        assert_eq!(nobody.location(), format!("{PATH}?problem=session-ended"), "{path}");
        assert_eq!((got.status.as_u16(), got.location()), (303, PATH), "{path}");
    }
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_member_returns_to_the_page_after_signing_in() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);

    let form = browser.open(PATH).await;
    let signed_in = browser.sign_in(&form, &member).await;

    assert_eq!(signed_in.location(), PATH);
    let made_up = browser.open("/account?done=%3Cscript%3Eevil").await;
    assert!(!made_up.body.contains("evil") && !made_up.body.contains("role=\"status\""));
}

/// The ids of the sessions that have a button to end them.
fn ids(page: &Answer) -> Vec<&str> {
    let forms = page.body.split("action=\"/account/end-session\"").skip(1);
    let behind = forms.map(|form| form.split_once("name=\"id\" value=\"").unwrap().1);
    behind.map(|text| text.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn a_member_signs_out_elsewhere() {
    let site = Site::start();
    let member = site.member().await;
    let [here, phone, tablet, lost] = [(); 4].map(|()| Browser::new(&site));
    for browser in [&here, &phone, &tablet, &lost] {
        browser.sign_in_at_home(&member).await;
        site.advance_seconds(1);
    }
    let is_signed_in = async |browser: &Browser<'_>| browser.open("/").await.status.as_u16() == 200;

    let page = here.open(PATH).await;
    assert_eq!(ids(&page).len(), 3, "{}", page.body);
    assert_eq!(page.body.matches("this one").count(), 1);
    let ended = end(&here, "/account/end-session", ids(&page)[0]).await;

    assert_eq!(ended.location(), "/account?done=session-ended");
    assert!(!is_signed_in(&lost).await, "the one that signed in last");
    assert!(is_signed_in(&phone).await && is_signed_in(&tablet).await);

    let ended = end(&here, "/account/end-other-sessions", "").await;
    assert_eq!(ended.location(), "/account?done=others-ended");
    assert!(!is_signed_in(&phone).await && !is_signed_in(&tablet).await);
    assert!(is_signed_in(&here).await);
    let page = here.open(PATH).await;
    assert!(ids(&page).is_empty() && !page.body.contains("Sign out everywhere else"));
}

#[tokio::test]
async fn the_browser_is_told_in_words_and_never_as_it_calls_itself() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);
    let form = browser.open("/sign-in").await;
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
    let typed = [("email", member.email.as_str()), ("password", member.password.as_str())];
    browser.submit_with(&form, &typed, ("user-agent", firefox)).await;
    let other = Browser::new(&site);
    let form = other.open("/sign-in").await;
    other.submit_with(&form, &typed, ("user-agent", "<b>evil</b>")).await;

    let page = browser.open(PATH).await;

    assert!(page.body.contains("<h3>Firefox on Linux <span"), "{}", page.body);
    assert!(page.body.contains("<h3>Unknown browser</h3>"));
    assert!(!page.body.contains("evil") && !page.body.contains("Gecko"));
}

#[tokio::test]
async fn disconnecting_and_signing_out_are_in_the_audit_log() {
    let site = Site::start();
    let (browser, application, _) = connected(&site).await;
    end(&browser, "/account/disconnect", &application.client_id).await;
    let home = browser.open("/").await;
    browser.submit(&home, &[]).await;

    let log = site.command(&["audit", "--json", "--limit", "2"]);

    let lines = String::from_utf8(log.stdout).unwrap();
    let told: Vec<(String, String, String)> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .map(|entry: Value| ["event", "by", "address"].map(|name| entry[name].to_string()).into())
        .collect();
    let entry =
        |event: &str| (format!("\"{event}\""), "\"member\"".to_owned(), "\"192.0.2.7\"".to_owned());
    assert_eq!(told, [entry("session.signed_out"), entry("application.disconnected")]);
}
