//! The first start: a person with the set-up token becomes the owner of an empty server.

use secrecy::ExposeSecret as _;

use crate::browser::Browser;
use crate::site::{Answer, Member, Site};

const PASSWORD: &str = "correct horse battery";

async fn address(site: &Site) -> String {
    let token = app::setup::setup_token(&site.app).await.unwrap().unwrap();
    format!("/setup?token={}", token.expose_secret())
}

/// A browser that came with the printed address, and the form it sees.
async fn at_the_form(site: &Site) -> (Browser<'_>, Answer) {
    let browser = Browser::new(site);
    let led = browser.open(&address(site).await).await;
    assert_eq!(led.location(), "/setup", "the token leaves the address bar");
    let form = browser.open("/setup").await;
    (browser, form)
}

const FILLED_IN: [(&str, &str); 5] = [
    ("email", " Ann@example.com "),
    ("password", PASSWORD),
    ("name", "Ann's shop"),
    ("site", "shop.example"),
    ("key", ""),
];

#[tokio::test]
async fn a_server_without_members_leads_to_set_up() {
    let site = Site::start();
    let browser = Browser::new(&site);

    let home = browser.open("/").await;
    let sign_in = browser.open(home.location()).await;
    let account = browser.open("/account").await;
    let page = browser.open("/setup").await;

    assert_eq!((sign_in.location(), account.location()), ("/setup", "/setup"));
    assert!(page.body.contains("look for <code>/setup?token=</code>"), "{}", page.body);
    assert!(!page.body.contains("Your e-mail"), "the form needs the token");
}

#[tokio::test]
async fn one_form_makes_the_owner_the_project_and_the_snippet() {
    let site = Site::start();
    let (browser, form) = at_the_form(&site).await;

    let done = browser.submit(&form, &FILLED_IN).await;

    assert_eq!(done.location(), "/projects/1000/install");
    let home = browser.open("/").await;
    assert!(home.body.contains("Ann&#39;s shop"), "{}", home.body);
    let snippet = site.get("/js/1000.js").await;
    assert_eq!(snippet.status.as_u16(), 200);
    let member = Member { email: "ann@example.com".to_owned(), password: PASSWORD.to_owned() };
    Browser::new(&site).sign_in_at_home(&member).await;
    assert_eq!(browser.open("/setup").await.location(), "/sign-in", "it is there once");
}

#[tokio::test]
async fn a_name_without_latin_letters_needs_no_key() {
    let site = Site::start();
    let (browser, form) = at_the_form(&site).await;
    let arabic = FILLED_IN.map(|(name, value)| (name, if name == "name" { "متجر" } else { value }));

    let done = browser.submit(&form, &arabic).await;

    assert_eq!(done.location(), "/projects/1000/install", "{}", done.body);
}

#[tokio::test]
async fn of_two_people_with_the_token_the_first_becomes_the_owner() {
    let site = Site::start();
    let ((first, form), (second, other_form)) =
        (at_the_form(&site).await, at_the_form(&site).await);

    let (one, other) =
        tokio::join!(first.submit(&form, &FILLED_IN), second.submit(&other_form, &FILLED_IN));

    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 409]);
    let loser = if one.status.as_u16() == 409 { one } else { other };
    assert!(loser.body.contains("This server is set up already"), "{}", loser.body);
    let again = Browser::new(&site).open("/setup?token=x").await;
    assert_eq!(again.location(), "/sign-in", "the token is worth nothing now");
}

#[tokio::test]
async fn a_form_with_faults_makes_nothing_and_keeps_what_was_typed() {
    let site = Site::start();
    let (browser, form) = at_the_form(&site).await;
    let wrong =
        [("email", "ann"), ("password", "short"), ("name", "A <b>"), ("site", "?"), ("key", "A")];

    let page = browser.submit(&form, &wrong).await;

    assert_eq!(page.status.as_u16(), 422);
    assert_eq!(page.body.matches("class=\"wrong\"").count(), 4, "{}", page.body);
    assert!(page.body.contains("value=\"A &#60;b&#62;\""), "{}", page.body);
    assert!(!page.body.contains("short"), "no page repeats a password");
    assert_eq!(site.get("/js/1000.js").await.status.as_u16(), 404);
    assert_eq!(browser.submit(&page, &FILLED_IN).await.location(), "/projects/1000/install");
}

#[tokio::test]
async fn without_the_right_token_there_is_no_form_and_guessing_is_slowed() {
    let site = Site::start();
    let browser = Browser::new(&site);
    let page = browser.open("/setup").await;

    let wrong = browser.submit(&page, &[("token", "assay_su_guess")]).await;
    let forged = browser.post("/setup", &FILLED_IN).await;
    let mut statuses = Vec::new();
    for _ in 0..20 {
        statuses.push(browser.open("/setup?token=guess").await.status.as_u16());
    }

    assert_eq!((wrong.status.as_u16(), forged.location()), (403, "/setup"));
    assert_eq!((statuses[0], statuses[19]), (403, 429));
    let elsewhere = Browser::at(&site, [198, 51, 100, 9]);
    let page = elsewhere.open("/setup").await;
    let pasted = format!(" https://assay.example{} ", address(&site).await);
    assert_eq!(elsewhere.submit(&page, &[("token", &pasted)]).await.location(), "/setup");
}

#[tokio::test]
async fn only_our_own_page_sets_up_the_server() {
    let site = Site::start();
    let (browser, form) = at_the_form(&site).await;

    let from_elsewhere = ("sec-fetch-site", "cross-site");
    let forged = browser.submit_with(&form, &FILLED_IN, from_elsewhere).await;
    let made_up = browser.post("/setup", &[&[("csrf", "x")], &FILLED_IN[..]].concat()).await;

    assert_eq!((forged.status.as_u16(), made_up.status.as_u16()), (403, 403));
}

#[tokio::test]
async fn a_server_with_a_project_needs_an_owner_only() {
    let site = Site::start();
    crate::shop::publish_shop(&site).await;
    let (browser, form) = at_the_form(&site).await;
    assert!(!form.body.contains("Project name"), "{}", form.body);

    let done = browser.submit(&form, &FILLED_IN[..2]).await;

    assert_eq!(done.location(), "/");
    assert!(browser.open("/").await.body.contains("Tools &#38; &#60;more&#62;"));
}

#[tokio::test]
async fn the_token_is_the_same_after_a_restart() {
    let site = Site::start();
    let before = address(&site).await;

    let site = site.restarted();

    assert_eq!(address(&site).await, before);
}
