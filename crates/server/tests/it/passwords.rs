//! Members change their passwords, and get another when they lost it.

use crate::browser::{Browser, form_token};
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
async fn who_does_not_know_the_password_changes_nothing_and_is_slowed() {
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
    assert!(told.body.contains("role=\"alert\">The current password is not right."));
}

#[tokio::test]
async fn a_password_is_neither_too_short_nor_too_long() {
    let site = Site::start();
    let (member, browser, page) = account(&site).await;

    for unusable in ["", "elevenchars", &"x".repeat(513)] {
        let said = change(&browser, &page, &member.password, unusable).await;
        assert_eq!(said, "problem=password-length");
    }

    assert!(can_sign_in(&site, &member, &member.password).await);
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

#[tokio::test]
async fn who_lost_the_password_gets_another_at_the_terminal() {
    let site = Site::start();
    let (member, browser, _) = account(&site).await;

    let reset = site.command_json(&["member", "reset-password", "Ann@example.com"]);

    assert!(can_sign_in(&site, &member, reset["password"].as_str().unwrap()).await);
    assert!(!can_sign_in(&site, &member, &member.password).await);
    assert_eq!(browser.open("/").await.location(), "/sign-in");
    let nobody = site.command(&["member", "reset-password", "bob@example.com"]);
    assert_eq!(nobody.status.code(), Some(1), "{nobody:?}");
    assert!(String::from_utf8(nobody.stderr).unwrap().contains("there is no member with this"));
}
