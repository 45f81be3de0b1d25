//! Members change their passwords, and get another when they lost it.

use app::members::{find_member_by_email, reset_password};
use app::roles::Actor;
use axum::body::Body;
use axum::http::Request;
use futures_util::future::{join, join_all};
use secrecy::ExposeSecret as _;

use crate::browser::{Browser, authorize_path, form_token};
use crate::site::{Answer, Member, Site};

const NEW: &str = "correct horse battery";

/// A member who is signed in, and their account page.
async fn account(site: &Site) -> (Member, Browser<'_>, Answer) {
    let member = site.member().await;
    let browser = Browser::new(site);
    browser.sign_in_at_home(&member).await;
    let page = browser.open("/account").await;
    (member, browser, page)
}

/// Asks for another password; gives what the page is asked to say.
async fn change(browser: &Browser<'_>, page: &Answer, current: &str, new: &str) -> String {
    let fields = [("csrf", form_token(page)), ("current_password", current), ("new_password", new)];
    let answer = browser.post("/account/change-password", &fields).await;
    answer.location().strip_prefix("/account?").unwrap().to_owned()
}

async fn can_sign_in(site: &Site, member: &Member, password: &str) -> bool {
    let browser = Browser::new(site);
    let form = browser.open("/sign-in").await;
    let attempt = Member { password: password.to_owned(), ..member.clone() };
    browser.sign_in(&form, &attempt).await.status.as_u16() == 303
}

#[tokio::test]
async fn a_changed_password_is_the_only_one_and_ends_every_other_session() {
    let site = Site::start();
    let (member, browser, page) = account(&site).await;
    let other = Browser::new(&site);
    other.sign_in_at_home(&member).await;

    let said = change(&browser, &page, &member.password, NEW).await;

    assert_eq!(said, "done=password-changed");
    assert_eq!(browser.open("/").await.status.as_u16(), 200);
    assert_eq!(other.open("/").await.location(), "/sign-in");
    assert!(can_sign_in(&site, &member, NEW).await);
    assert!(!can_sign_in(&site, &member, &member.password).await);
    let log = String::from_utf8(site.command(&["audit", "--json"]).stdout).unwrap();
    assert!(log.contains("\"password.changed\""), "{log}");
}

#[tokio::test]
async fn a_copy_of_the_session_ends_with_the_password_that_it_was_stolen_with() {
    let site = Site::start();
    let (member, browser, page) = account(&site).await;
    let stolen = browser.cookies();
    let open_as_thief = async || {
        let request = Request::get("/").header("cookie", stolen.as_str());
        site.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
    };
    assert_eq!(open_as_thief().await, 200);

    let said = change(&browser, &page, &member.password, NEW).await;

    assert_eq!(said, "done=password-changed");
    assert_eq!(open_as_thief().await, 303);
    let account = browser.open("/account").await;
    let said = change(&browser, &account, NEW, "another battery horse").await;
    assert_eq!(said, "done=password-changed");
}

#[tokio::test]
async fn a_double_click_changes_the_password_once_and_stays_signed_in() {
    let site = Site::start();
    let (member, browser, page) = account(&site).await;
    let click = || change(&browser, &page, &member.password, NEW);

    let said = join(click(), click()).await;

    assert_eq!([said.0, said.1], ["done=password-changed"; 2]);
    assert_eq!(browser.open("/account").await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_wrong_current_password_changes_nothing_and_is_slowed() {
    let site = Site::start();
    let (member, browser, page) = account(&site).await;

    let mut said = Vec::new();
    for _ in 0..11 {
        said.push(change(&browser, &page, "wrong", NEW).await);
    }

    assert_eq!(said[0], "problem=wrong-password");
    assert_eq!(said[10], "problem=too-many-tries");
    assert!(can_sign_in(&site, &member, &member.password).await, "that does not slow sign-ins");
    let told = browser.open("/account?problem=wrong-password").await;
    assert!(told.body.contains(">The current password is wrong."));
}

#[tokio::test]
async fn a_password_is_neither_too_short_nor_too_long() {
    let site = Site::start();
    let (member, browser, page) = account(&site).await;

    for unusable in ["", "elevenchars", &"x".repeat(501)] {
        let said = change(&browser, &page, &member.password, unusable).await;
        assert_eq!(said, "problem=password-length");
    }

    assert!(can_sign_in(&site, &member, &member.password).await);
}

#[tokio::test]
async fn the_longest_password_signs_in_in_any_script() {
    let site = Site::start();
    let (member, browser, page) = account(&site).await;
    let longest = "🦀".repeat(500);

    let said = change(&browser, &page, &member.password, &longest).await;

    assert_eq!(said, "done=password-changed");
    assert!(can_sign_in(&site, &member, &longest).await);
}

#[tokio::test]
async fn only_our_own_page_changes_a_password() {
    let site = Site::start();
    let (member, browser, _) = account(&site).await;
    let fields = [("csrf", "x"), ("current_password", &member.password), ("new_password", NEW)];

    let answer = browser.post("/account/change-password", &fields).await;

    assert_eq!(answer.status.as_u16(), 403);
    assert!(!can_sign_in(&site, &member, NEW).await);
}

/// A browser in which a member typed the password of a reset, and the page they see then.
async fn with_given_password<'a>(
    site: &'a Site,
    member: &Member,
    path: &str,
) -> (Browser<'a>, Answer, String) {
    let reset = site.command_that_ends(&["member", "reset-password", &member.email]);
    let given = reset["password"].as_str().unwrap().to_owned();
    let browser = Browser::new(site);
    let form = browser.open(path).await;
    let attempt = Member { password: given.clone(), ..member.clone() };
    let page = browser.sign_in(&form, &attempt).await;
    (browser, page, given)
}

#[tokio::test]
async fn a_lost_password_is_reset_at_the_terminal_and_replaced_by_the_member() {
    let site = Site::start();
    let (member, browser, _) = account(&site).await;

    let (again, page, given) = with_given_password(&site, &member, "/sign-in").await;

    assert_eq!(browser.open("/").await.location(), "/sign-in");
    assert!(!can_sign_in(&site, &member, &member.password).await);
    assert!(page.body.contains("<h1>Choose your password</h1>"), "{}", page.body);
    assert_eq!(again.open("/").await.location(), "/sign-in", "there is no session yet");
    let chosen = again.submit(&page, &[("new_password", NEW)]).await;
    assert_eq!(chosen.location(), "/");
    assert_eq!(again.open("/").await.status.as_u16(), 200);
    assert!(can_sign_in(&site, &member, NEW).await);
    assert!(!can_sign_in(&site, &member, &given).await);
    let nobody = site.command(&["member", "reset-password", "bob@example.com"]);
    assert_eq!(nobody.status.code(), Some(1), "{nobody:?}");
    assert!(String::from_utf8(nobody.stderr).unwrap().contains("there is no member with this"));
}

#[tokio::test]
async fn a_password_of_ones_own_is_chosen_before_an_application_gets_an_answer() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let path = authorize_path(&application, &[("state", "x")]);
    let (browser, page, given) = with_given_password(&site, &member, &path).await;

    for unusable in ["elevenchars", &given] {
        let again = browser.submit(&page, &[("new_password", unusable)]).await;
        assert_eq!(again.status.as_u16(), 422, "{}", again.body);
    }
    let chosen = browser.submit(&page, &[("new_password", NEW)]).await;
    let consent = browser.open(chosen.location()).await;
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;

    assert!(allowed.returned("code").is_some());
    assert_eq!(allowed.returned("state").as_deref(), Some("x"));
}

#[tokio::test]
async fn the_form_for_a_password_is_good_once_here_and_for_the_password_it_was_given_for() {
    let site = Site::start();
    let member = site.member().await;
    let (browser, page, _) = with_given_password(&site, &member, "/sign-in").await;
    let elsewhere = Browser::new(&site);
    let form = elsewhere.open("/sign-in").await;
    let csrf = form_token(&form);
    let (_, ticket) = page.body.split_once("name=\"ticket\" value=\"").unwrap();
    let ticket = ticket.split('"').next().unwrap();
    let fields = [("csrf", csrf), ("ticket", ticket), ("new_password", NEW), ("return_to", "/")];

    let stolen = elsewhere.post("/sign-in/own-password", &fields).await;
    site.command_that_ends(&["member", "reset-password", &member.email]);
    let overtaken = browser.submit(&page, &[("new_password", NEW)]).await;
    let (browser, page, _) = with_given_password(&site, &member, "/sign-in").await;
    let first = browser.submit(&page, &[("new_password", NEW)]).await;
    let second = browser.submit(&page, &[("new_password", "another battery horse")]).await;
    let (browser, page, _) = with_given_password(&site, &member, "/sign-in").await;
    site.advance_seconds(15 * 60);
    let late = browser.submit(&page, &[("new_password", NEW)]).await;

    assert_eq!(first.location(), "/");
    for refused in [stolen, overtaken, second, late] {
        assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
    }
}

#[tokio::test]
async fn no_sign_in_in_flight_outlives_a_reset() {
    let site = Site::start();
    let member = site.member().await;
    let line =
        find_member_by_email(&site.app, &Actor::Command, &member.email).await.unwrap().unwrap();
    let browsers: Vec<_> = (0..50).map(|_| Browser::new(&site)).collect();
    let mut forms = Vec::new();
    for browser in &browsers {
        forms.push(browser.open("/sign-in").await);
    }

    let sign_ins =
        browsers.iter().zip(&forms).map(|(browser, form)| browser.sign_in(form, &member));
    let reset = reset_password(&site.app, &Actor::Command, &line);
    let (answers, reset) = join(join_all(sign_ins), reset).await;

    reset.unwrap();
    assert!(answers.iter().all(|answer| [303, 403].contains(&answer.status.as_u16())));
    for browser in &browsers {
        assert_eq!(browser.open("/").await.location(), "/sign-in");
    }
}

#[tokio::test]
async fn a_change_in_flight_does_not_undo_a_reset() {
    let site = Site::start();
    let (member, browser, page) = account(&site).await;
    let line =
        find_member_by_email(&site.app, &Actor::Command, &member.email).await.unwrap().unwrap();

    let fields = [
        ("csrf", form_token(&page)),
        ("current_password", member.password.as_str()),
        ("new_password", NEW),
    ];
    let changes = (0..8).map(|_| browser.post("/account/change-password", &fields));
    let reset = reset_password(&site.app, &Actor::Command, &line);
    let (_, reset) = join(join_all(changes), reset).await;

    let given = reset.unwrap();
    assert!(!can_sign_in(&site, &member, NEW).await);
    let browser = Browser::new(&site);
    let form = browser.open("/sign-in").await;
    let attempt = Member { password: given.expose_secret().to_owned(), ..member };
    assert!(browser.sign_in(&form, &attempt).await.body.contains("Choose your password"));
}
