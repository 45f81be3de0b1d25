//! A member forgot the password and chooses another by mail; and all who are no such member.

use std::sync::Arc;

use storage::{ListRange, Role};

use super::{browser_of, shop, with_shop};
use crate::browser::{Browser, form_token};
use crate::mailbox::Mailbox;
use crate::oauth::token_call::{Tokens, by_form, exchange};
use crate::site::{Answer, Member, Site};

const PASSWORD: &str = "a password that vic chose";

/// A shop that sends mail, and the browser of its member Vic.
async fn mailing() -> (Site, Arc<Mailbox>) {
    let mailbox = Mailbox::new();
    (with_shop(Site::start_mailing(mailbox.clone())).await, mailbox)
}

async fn ask(browser: &Browser<'_>, email: &str) -> Answer {
    let form = browser.open("/forgotten").await;
    browser.post("/forgotten", &[("csrf", form_token(&form)), ("email", email)]).await
}

/// The path of the link in the next mail.
async fn link_in(mailbox: &Mailbox) -> String {
    let mail = mailbox.next().await;
    assert_eq!(mail.to, "vic@example.com");
    let (_, rest) = mail.text.split_once("https://assay.example").unwrap();
    rest.lines().next().unwrap().to_owned()
}

async fn choose(browser: &Browser<'_>, link: &str) -> Answer {
    let form = browser.open(link).await;
    assert_eq!(form.status.as_u16(), 200, "{}", form.body);
    browser.submit(&form, &[("new_password", PASSWORD)]).await
}

async fn status(site: &Site, link: &str) -> u16 {
    Browser::new(site).open(link).await.status.as_u16()
}

#[tokio::test]
async fn a_member_chooses_another_password_and_everything_else_of_theirs_ends() {
    let (site, mailbox) = mailing().await;
    let before = browser_of(&site, "vic", Role::Viewer).await;
    let application = site.application().await;
    let authorized = before.open(&crate::browser::authorize_path(&application, &[])).await;
    let allowed = before.submit(&authorized, &[("decision", "allow")]).await;
    let code = allowed.returned("code").unwrap();
    let tokens = Tokens::of(&by_form(&site, &exchange(&application, &code)).await);
    let browser = Browser::new(&site);

    let asked = ask(&browser, " Vic@example.com").await;
    let told = browser.open(asked.location()).await;
    let link = link_in(&mailbox).await;
    let chosen = choose(&browser, &link).await;

    assert!(told.body.contains("If a member has this address, a mail"), "{}", told.body);
    assert_eq!(chosen.location(), "/");
    assert_eq!(browser.open("/").await.status.as_u16(), 200);
    assert_eq!(before.open("/").await.location(), "/sign-in");
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 401);
    assert_eq!(status(&site, &link).await, 410);
    let member = Member { email: "vic@example.com".to_owned(), password: PASSWORD.to_owned() };
    Browser::new(&site).sign_in_at_home(&member).await;
    let log =
        site.app.store().list_audit_entries(ListRange { page: 1, per_page: 20 }).await.unwrap();
    let events: Vec<_> = log.iter().map(|entry| entry.event.as_str()).collect();
    assert!(events.contains(&"password.link_sent") && events.contains(&"password.changed"));
}

#[tokio::test]
async fn the_answer_does_not_tell_who_is_a_member() {
    let (site, mailbox) = mailing().await;
    browser_of(&site, "vic", Role::Viewer).await;
    let (one, other) = (Browser::new(&site), Browser::new(&site));

    let unknown = ask(&one, "nemo@example.com").await;
    let odd = ask(&one, "<b>").await;
    let known = ask(&other, "vic@example.com").await;

    for answer in [&unknown, &odd, &known] {
        assert_eq!((answer.status.as_u16(), answer.location()), (303, "/forgotten?done=sent"));
    }
    assert_eq!(mailbox.next().await.to, "vic@example.com");
}

#[tokio::test]
async fn a_link_ends_after_half_an_hour_and_with_the_next_password() {
    let (site, mailbox) = mailing().await;
    browser_of(&site, "vic", Role::Viewer).await;
    let browser = Browser::new(&site);
    ask(&browser, "vic@example.com").await;
    let first = link_in(&mailbox).await;
    ask(&browser, "vic@example.com").await;
    let second = link_in(&mailbox).await;
    let form = Browser::new(&site).open(&first).await;

    choose(&browser, &second).await;
    let late = Browser::new(&site).submit(&form, &[("new_password", PASSWORD)]).await;
    ask(&browser, "vic@example.com").await;
    let third = link_in(&mailbox).await;
    site.advance_seconds(29 * 60);
    let in_time = status(&site, &third).await;
    site.advance_seconds(60);

    assert_eq!((status(&site, &first).await, status(&site, &second).await), (410, 410));
    assert_eq!(late.status.as_u16(), 403, "another browser's form");
    assert_eq!((in_time, status(&site, &third).await), (200, 410));
}

#[tokio::test]
async fn a_link_opens_nothing_on_a_server_that_sends_no_mail() {
    let (site, mailbox) = mailing().await;
    browser_of(&site, "vic", Role::Viewer).await;
    let browser = Browser::new(&site);
    ask(&browser, "vic@example.com").await;
    let link = link_in(&mailbox).await;
    assert_eq!(status(&site, &link).await, 200);

    let without_mail = site.restarted();

    assert_eq!(
        status(&without_mail, &link).await,
        410,
        "its signature is good, as one by a copied key"
    );
}

#[tokio::test]
async fn forged_and_short_choices_change_nothing() {
    let (site, mailbox) = mailing().await;
    browser_of(&site, "vic", Role::Viewer).await;
    let browser = Browser::new(&site);
    ask(&browser, "vic@example.com").await;
    let link = link_in(&mailbox).await;
    let token = link.split_once("token=").unwrap().1;
    let form = browser.open(&link).await;

    let fields = [("token", token), ("new_password", PASSWORD)];
    let forged = browser.post("/forgotten/choose", &fields).await;
    let asked = browser.post("/forgotten", &[("email", "vic@example.com")]).await;
    let short = browser.submit(&form, &[("new_password", "short")]).await;
    let altered = format!("/forgotten/choose?token={}x", &token[..token.len() - 1]);

    assert_eq!((forged.status.as_u16(), asked.status.as_u16()), (403, 403));
    assert_eq!(short.status.as_u16(), 422);
    assert_eq!(status(&site, &altered).await, 410);
    assert_eq!(status(&site, "/forgotten/choose").await, 410);
    assert_eq!(status(&site, &link).await, 200);
}

#[tokio::test]
async fn a_mailbox_is_not_filled() {
    let (site, mailbox) = mailing().await;
    browser_of(&site, "vic", Role::Viewer).await;
    let browser = Browser::new(&site);

    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(ask(&browser, "vic@example.com").await);
    }
    let elsewhere = ask(&Browser::at(&site, [198, 51, 100, 7]), "vic@example.com").await;
    site.advance_seconds(60);
    let later = ask(&browser, "vic@example.com").await;

    let statuses: Vec<_> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses, [303, 303, 303, 429, 429]);
    assert_eq!(answers[3].header("retry-after"), "60");
    assert_eq!((elsewhere.status.as_u16(), later.status.as_u16()), (303, 303));
    for _ in 0..5 {
        link_in(&mailbox).await;
    }
}

#[tokio::test]
async fn without_mail_the_page_says_who_helps() {
    let site = shop().await;
    browser_of(&site, "vic", Role::Viewer).await;
    let browser = Browser::new(&site);

    let sign_in = browser.open("/sign-in").await;
    let page = browser.open("/forgotten").await;

    assert!(sign_in.body.contains("<a href=\"/forgotten\">"), "{}", sign_in.body);
    assert!(page.body.contains("An admin or owner can reset your password"), "{}", page.body);
    assert!(!page.body.contains("<form"), "{}", page.body);
}
