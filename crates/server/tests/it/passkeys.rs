//! Members sign in with passkeys. Real browsers do so in `e2e/stories/passkeys.mjs`; here a device answers whatever a story wants.

use app::members::add_member;
use app::roles::Actor;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use storage::RoleGrant;

use crate::authenticator::{Authenticator, Question, send};
use crate::browser::{Browser, authorize_path, form_token};
use crate::site::{Answer, Member, Site};

/// A member whose phone has a passkey.
async fn holder(site: &Site) -> (Member, Authenticator) {
    let member = site.member().await;
    let phone = passkey_of(site, &member, "phone").await;
    (member, phone)
}

async fn passkey_of(site: &Site, member: &Member, device: &str) -> Authenticator {
    let browser = Browser::new(site);
    browser.sign_in_at_home(member).await;
    let mut authenticator = Authenticator::new(device);
    let page = authenticator.add_to(&browser).await;
    assert!(page.body.contains("The passkey is added."), "{}", page.body);
    authenticator
}

/// A browser without a session, and its sign-in page.
async fn signed_out(site: &Site) -> (Browser<'_>, Answer) {
    let browser = Browser::new(site);
    let page = browser.open("/sign-in").await;
    (browser, page)
}

/// An answer that does not sign in, and its message.
fn refused(answer: &Answer) -> &str {
    assert_eq!(answer.status.as_u16(), 403, "{}", answer.body);
    assert!(
        answer
            .headers
            .get_all("set-cookie")
            .iter()
            .all(|cookie| { !cookie.to_str().unwrap().contains("assay_session") })
    );
    let (_, alert) = answer.body.split_once("role=\"alert\">").unwrap();
    alert.split('<').next().unwrap()
}

const UNKNOWN: &str =
    "This passkey is not valid on this server. Use another one, or your password.";
const TOO_LATE: &str = "That took too long, or was already answered. Try again.";

#[tokio::test]
async fn a_member_signs_in_with_a_passkey_and_goes_on_to_the_application() {
    let site = Site::start();
    let (_, mut phone) = holder(&site).await;
    let application = site.application().await;
    let browser = Browser::new(&site);
    let page = browser.open(&authorize_path(&application, &[("state", "x&y")])).await;

    let signed_in = phone.sign_in(&browser, &page).await;
    let consent = browser.open(signed_in.location()).await;
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;

    assert!(consent.body.contains("ann@example.com"), "{}", consent.body);
    assert!(allowed.returned("code").is_some());
    assert_eq!(allowed.returned("state").as_deref(), Some("x&y"));
}

#[tokio::test]
async fn the_account_page_tells_of_passkeys_and_their_use() {
    let site = Site::start();
    let (_, mut phone) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;
    phone.sign_in(&browser, &page).await;

    let account = browser.open("/account").await;
    assert!(account.body.contains("<h3><bdi>A device</bdi></h3>"), "{}", account.body);
    assert!(account.body.contains("last used"), "{}", account.body);
    let (_, id) = account.body.split_once("id=\"name-").unwrap();
    let id = id.split('"').next().unwrap();
    let fields = [("csrf", form_token(&account)), ("id", id), ("name", "My <phone>")];
    let renamed = browser.post("/account/rename-passkey", &fields).await;
    let account = browser.open(renamed.location()).await;
    assert!(account.body.contains("My &#60;phone&#62;"), "{}", account.body);

    let removed = browser.post("/account/remove-passkey", &fields[..2]).await;
    let account = browser.open(removed.location()).await;

    assert!(account.body.contains("You have none yet."), "{}", account.body);
    let (browser, page) = signed_out(&site).await;
    assert_eq!(refused(&phone.sign_in(&browser, &page).await), UNKNOWN);
}

#[tokio::test]
async fn a_device_is_asked_for_a_passkey_that_names_its_member_and_verifies_them() {
    let site = Site::start();
    let (member, _) = holder(&site).await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    let account = browser.open("/account").await;

    let add = Question::fetch(&browser, &account, "/account/add-passkey/question").await;
    let (browser, page) = signed_out(&site).await;
    let get = Question::fetch(&browser, &page, "/sign-in/passkey/question").await;

    for (pointer, value) in [
        ("/rp/id", "assay.example"),
        ("/user/name", "ann@example.com"),
        ("/attestation", "none"),
        ("/authenticatorSelection/residentKey", "required"),
        ("/authenticatorSelection/userVerification", "required"),
        ("/excludeCredentials/0/id", "cGhvbmU"),
    ] {
        assert_eq!(add.option(pointer), value, "{pointer}");
    }
    assert_eq!(get.option("/rpId"), "assay.example");
    assert_eq!(get.option("/userVerification"), "required");
    assert_eq!(
        get.option("/allowCredentials"),
        &Value::Array(Vec::new()),
        "it names no member's passkey"
    );
}

#[tokio::test]
async fn an_answer_is_good_once() {
    let site = Site::start();
    let (_, mut phone) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;
    let question = Question::fetch(&browser, &page, "/sign-in/passkey/question").await;
    let credential = phone.get(&question);
    let copy = browser.clone();

    let first = send(&browser, &page, &question.ticket, &credential).await;
    let again = send(&copy, &page, &question.ticket, &credential).await;
    let another_for_it = send(&copy, &page, &question.ticket, &phone.get(&question)).await;

    assert_eq!(first.location(), "/");
    assert_eq!(refused(&again), TOO_LATE);
    assert_eq!(refused(&another_for_it), TOO_LATE);
}

#[tokio::test]
async fn a_question_may_be_answered_for_five_minutes_in_the_browser_that_was_asked() {
    let site = Site::start();
    let (_, mut phone) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;
    let (other, others_page) = signed_out(&site).await;
    let question = Question::fetch(&browser, &page, "/sign-in/passkey/question").await;
    let credential = phone.get(&question);

    let elsewhere = send(&other, &others_page, &question.ticket, &credential).await;
    site.advance_seconds(300);
    let late = send(&browser, &page, &question.ticket, &credential).await;

    assert_eq!(refused(&elsewhere), TOO_LATE);
    assert_eq!(refused(&late), TOO_LATE);
}

#[tokio::test]
async fn an_answer_to_another_question_is_refused() {
    let site = Site::start();
    let (_, mut phone) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;
    let one = Question::fetch(&browser, &page, "/sign-in/passkey/question").await;
    let other = Question::fetch(&browser, &page, "/sign-in/passkey/question").await;

    let answer = send(&browser, &page, &one.ticket, &phone.get(&other)).await;

    assert_eq!(refused(&answer), UNKNOWN);
}

#[tokio::test]
async fn an_answer_for_another_origin_or_without_verification_is_refused() {
    let site = Site::start();
    let (_, mut phone) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;

    for origin in [
        "https://evil.example",
        "http://assay.example",
        "https://assay.example:8443",
        "https://login.assay.example",
    ] {
        origin.clone_into(&mut phone.origin);
        assert_eq!(refused(&phone.sign_in(&browser, &page).await), UNKNOWN, "{origin}");
    }
    crate::site::PUBLIC_URL.clone_into(&mut phone.origin);
    phone.rp_id = "evil.example".to_owned();
    assert_eq!(refused(&phone.sign_in(&browser, &page).await), UNKNOWN);
    phone.rp_id = "assay.example".to_owned();
    phone.verifies_user = false;
    assert_eq!(refused(&phone.sign_in(&browser, &page).await), UNKNOWN);
    phone.verifies_user = true;
    assert_eq!(phone.sign_in(&browser, &page).await.location(), "/");
}

#[tokio::test]
async fn a_passkey_opens_the_account_of_its_member_only() {
    let site = Site::start();
    let (_, phone) = holder(&site).await;
    let eve =
        add_member(&site.app, &Actor::Command, "eve@example.com", RoleGrant::OWNER).await.unwrap();
    let eve = Member { email: eve.email, password: eve.password.expose_secret().to_owned() };
    let mut eves = passkey_of(&site, &eve, "tablet").await;
    let (browser, page) = signed_out(&site).await;
    let handle = std::mem::replace(&mut eves.user_handle, phone.user_handle.clone());

    assert_eq!(refused(&eves.sign_in(&browser, &page).await), UNKNOWN, "in the name of another");
    eves.credential_id = phone.credential_id.clone();
    assert_eq!(refused(&eves.sign_in(&browser, &page).await), UNKNOWN, "as the key of another");
    eves.credential_id = b"unheard of".to_vec();
    assert_eq!(refused(&eves.sign_in(&browser, &page).await), UNKNOWN);
    eves.user_handle = handle;
    eves.credential_id = b"tablet".to_vec();
    eves.sign_in(&browser, &page).await;

    assert!(browser.open("/").await.body.contains("eve@example.com"));
    assert_ne!(eves.user_handle, phone.user_handle);
    assert_eq!(phone.user_handle.len(), 16);
}

#[tokio::test]
async fn a_copied_device_is_noticed_by_its_counter() {
    let site = Site::start();
    let member = site.member().await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    let mut key = Authenticator::new("security key");
    key.counter = 7;
    key.add_to(&browser).await;
    let (browser, page) = signed_out(&site).await;
    assert_eq!(key.sign_in(&browser, &page).await.location(), "/");

    key.counter = 7;
    let behind = key.sign_in(&browser, &page).await;

    assert_eq!(refused(&behind), UNKNOWN);
    key.counter = 20;
    assert_eq!(key.sign_in(&browser, &page).await.location(), "/");
}

#[tokio::test]
async fn wrong_passwords_slow_no_passkey() {
    let site = Site::start();
    let (member, mut phone) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;
    let wrong = Member { password: "x".to_owned(), ..member };
    while browser.sign_in(&page, &wrong).await.status.as_u16() == 403 {}

    assert_eq!(phone.sign_in(&browser, &page).await.location(), "/");
}

#[tokio::test]
async fn a_sign_in_with_a_passkey_ends_the_session_that_was_there() {
    let site = Site::start();
    let (member, mut phone) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;
    browser.sign_in(&page, &member).await;
    let planted = browser.clone();

    phone.sign_in(&browser, &page).await;

    assert_eq!(browser.open("/").await.status.as_u16(), 200);
    assert_eq!(planted.open("/").await.location(), "/sign-in");
}

#[tokio::test]
async fn only_our_own_pages_may_ask_and_answer() {
    let site = Site::start();
    let (member, _) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;
    let (other, _) = signed_out(&site).await;
    let stolen = [("csrf", form_token(&page)), ("ticket", "x"), ("credential", "{}")];

    for path in ["/sign-in/passkey/question", "/sign-in/passkey"] {
        assert_eq!(other.post(path, &stolen).await.status.as_u16(), 403, "{path}");
        assert_eq!(Browser::new(&site).post(path, &stolen).await.status.as_u16(), 403, "{path}");
    }
    browser.sign_in(&page, &member).await;
    for path in ["/account/add-passkey/question", "/account/add-passkey"] {
        assert_eq!(browser.post(path, &stolen).await.status.as_u16(), 403, "{path}");
    }
    for path in ["/account/rename-passkey", "/account/remove-passkey"] {
        let fields = [("csrf", form_token(&page)), ("id", "x"), ("name", "x")];
        assert_eq!(browser.post(path, &fields).await.status.as_u16(), 403, "{path}");
    }
}

#[tokio::test]
async fn an_unreadable_passkey_answer_is_refused_in_words() {
    let site = Site::start();
    let member = site.member().await;
    let (browser, page) = signed_out(&site).await;
    let question = Question::fetch(&browser, &page, "/sign-in/passkey/question").await;

    for credential in ["", "{}", "[]", "\"x\"", "{\"id\":\"x\"}"] {
        let answer = send(&browser, &page, &question.ticket, credential).await;
        assert_eq!(refused(&answer), UNKNOWN, "{credential}");
    }
    for ticket in ["", ".", "x", "assay_wa.1.x.y"] {
        assert_eq!(refused(&send(&browser, &page, ticket, "{}").await), TOO_LATE, "{ticket}");
    }
    browser.sign_in(&page, &member).await;
    let account = browser.open("/account").await;
    let question = Question::fetch(&browser, &account, "/account/add-passkey/question").await;
    let token = form_token(&account);
    let add = async |ticket: &str| {
        let fields = [("csrf", token), ("ticket", ticket), ("credential", "{}")];
        browser.post("/account/add-passkey", &fields).await.location().to_owned()
    };
    assert_eq!(add(&question.ticket).await, "/account?problem=passkey-refused");
    assert_eq!(add("x").await, "/account?problem=passkey-too-late");
}

#[tokio::test]
async fn passkeys_are_in_the_audit_log_and_a_lost_device_is_locked_out_at_the_terminal() {
    let site = Site::start();
    let (_, mut phone) = holder(&site).await;
    let (browser, page) = signed_out(&site).await;
    phone.sign_in(&browser, &page).await;

    let removed = site.command_json(&["member", "remove-passkeys", "ann@example.com"]);

    assert_eq!(removed["passkeys_removed"], 1);
    assert_eq!(browser.open("/").await.location(), "/sign-in", "the thief may be signed in");
    assert_eq!(refused(&phone.sign_in(&browser, &page).await), UNKNOWN);
    let log = String::from_utf8(site.command(&["audit", "--json"]).stdout).unwrap();
    let entries = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told: Vec<_> = entries
        .map(|entry| format!("{} {}", entry["event"], entry["by"]).replace('"', ""))
        .filter(|told| told.contains("passkey"))
        .collect();
    assert_eq!(
        told,
        ["passkey.removed command", "session.started_by_passkey member", "passkey.added member"]
    );
}

#[tokio::test]
async fn pages_run_our_script_where_there_is_one_and_no_other() {
    let site = Site::start();
    site.member().await;
    let (browser, page) = signed_out(&site).await;
    let script = browser.open("/assets/passkeys.js").await;
    let elsewhere = browser.open("/nothing").await;

    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    let allowed = "; script-src https://assay.example/assets/passkeys.js; connect-src 'self'";
    assert!(policy.ends_with(allowed), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    assert!(!elsewhere.header("content-security-policy").contains("script-src"));
}

#[tokio::test]
async fn where_browsers_know_no_passkeys_none_is_offered() {
    let site = Site::start_at("http://127.0.0.1:8080");
    let member = site.member().await;
    let (browser, page) = signed_out(&site).await;
    let asked = browser.post("/sign-in/passkey/question", &[("csrf", form_token(&page))]).await;
    browser.sign_in(&page, &member).await;
    let account = browser.open("/account").await;

    assert!(!page.body.contains("passkey") && !page.body.contains("<script"), "{}", page.body);
    assert_eq!(asked.status.as_u16(), 404);
    assert!(account.body.contains("Browsers offer no passkeys for this address."));
    assert!(!account.header("content-security-policy").contains("script-src"));
}

#[tokio::test]
async fn adding_a_passkey_takes_a_recent_proof_of_identity() {
    let site = Site::start();
    let (member, mut phone) = holder(&site).await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    site.advance_seconds(601);
    let page = browser.open("/account").await;
    let ask = async |password: &str| {
        let fields = [("csrf", form_token(&page)), ("password", password)];
        let answer = browser.post("/account/add-passkey/question", &fields).await;
        (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
    };

    assert_eq!(ask("").await, (403, "proof_needed".to_owned()));
    assert_eq!(ask("wrong").await, (403, "wrong_password".to_owned()));
    assert_eq!(ask(&member.password).await, (200, String::new()));

    assert!(page.body.contains("data-proof") && page.body.contains("Confirm with a passkey"));
    let proved = phone.sign_in(&browser, &page).await;
    assert_eq!(proved.location(), "/account");
    let fresh = browser.open("/account").await;
    assert!(!fresh.body.contains("data-proof"), "{}", fresh.body);
    let added = Authenticator::new("tablet").add_to(&browser).await;
    assert!(added.body.contains("The passkey is added."), "{}", added.body);
}

#[tokio::test]
async fn a_passkey_in_the_making_ends_with_the_session_it_is_made_in() {
    let site = Site::start();
    let (member, _) = holder(&site).await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    let page = browser.open("/account").await;
    let mut tablet = Authenticator::new("tablet");
    let question = Question::fetch(&browser, &page, "/account/add-passkey/question").await;

    site.command_that_ends(&["member", "reset-password", &member.email]);
    let credential = tablet.create(&question);
    let fields =
        [("csrf", form_token(&page)), ("ticket", &question.ticket), ("credential", &credential)];
    let late = browser.post("/account/add-passkey", &fields).await;

    assert_eq!(late.location(), "/account?problem=session-ended");
    assert!(browser.open(late.location()).await.body.contains("action=\"/sign-in\""));
}

#[tokio::test]
async fn passkeys_are_kept_or_removed_when_the_password_changes() {
    let site = Site::start();
    let (member, mut phone) = holder(&site).await;
    site.advance_seconds(1);
    let mut tablet = passkey_of(&site, &member, "tablet").await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    let account = browser.open("/account").await;
    let (_, boxes) = account.body.split_once("name=\"remove_passkey\" value=\"").unwrap();
    let of_phone = boxes.split('"').next().unwrap();

    let new = "correct horse battery";
    let fields = [
        ("csrf", form_token(&account)),
        ("current_password", &member.password),
        ("new_password", new),
        ("remove_passkey", of_phone),
    ];
    let changed = browser.post("/account/change-password", &fields).await;

    assert_eq!(changed.location(), "/account?done=password-changed");
    let (browser, page) = signed_out(&site).await;
    assert_eq!(refused(&phone.sign_in(&browser, &page).await), UNKNOWN);
    let (browser, page) = signed_out(&site).await;
    assert_eq!(tablet.sign_in(&browser, &page).await.location(), "/");
}
