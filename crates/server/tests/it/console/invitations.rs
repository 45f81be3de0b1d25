//! A person is invited, opens the link, chooses a password and is in; and all the links that open nothing.

use app::members::{add_member, change_roles, find_member_by_email, remove_member};
use app::roles::Actor;
use secrecy::ExposeSecret as _;
use storage::{ListRange, Role, RoleGrant};

use super::{browser_of, shop, with_shop};
use crate::browser::{Browser, form_token, token_of_another_tab};
use crate::mailbox::Mailbox;
use crate::site::{Answer, Member, Site};

const EDITOR: [(&str, &str); 3] =
    [("email", " Cleo@Example.com "), ("role", "editor"), ("project", "1000")];

const PASSWORD: &str = "a password that cleo chose";

const DAY: i64 = 24 * 3_600;

/// Invites Cleo as an editor of the shop; returns the path of the link.
async fn invite(browser: &Browser<'_>) -> String {
    let page = browser.open("/members").await;
    let csrf = [("csrf", form_token(&page))];
    let made = browser.post("/members/invite", &[&csrf[..], &EDITOR].concat()).await;
    assert_eq!((made.status.as_u16(), made.header("cache-control")), (200, "no-store"));
    link_in(&made).expect("the page shows the link")
}

fn link_in(page: &Answer) -> Option<String> {
    let (_, rest) = page.body.split_once("<code id=\"invitation-link\">https://assay.example")?;
    Some(rest.split('<').next()?.to_owned())
}

async fn join(browser: &Browser<'_>, link: &str, password: &str) -> Answer {
    let page = browser.open(link).await;
    assert_eq!(page.status.as_u16(), 200, "{}", page.body);
    browser.submit(&page, &[("new_password", password)]).await
}

async fn is_member(site: &Site) -> bool {
    let found = find_member_by_email(&site.app, &Actor::Command, "cleo@example.com").await;
    found.unwrap().is_some()
}

/// What the page of a link says that opens nothing.
async fn refused(site: &Site, link: &str) -> String {
    let page = Browser::new(site).open(link).await;
    assert_eq!(page.status.as_u16(), 410, "{}", page.body);
    page.body
}

#[tokio::test]
async fn an_invited_person_chooses_a_password_and_lands_on_the_project() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let link = invite(&ada).await;
    let listed = ada.open("/members").await;
    let cleo = Browser::new(&site);

    let page = cleo.open(&link).await;
    let joined = join(&cleo, &link, PASSWORD).await;
    let home = cleo.open(joined.location()).await;
    let again = refused(&site, &link).await;

    assert!(listed.body.contains("<bdi>cleo@example.com</bdi>"), "{}", listed.body);
    assert!(link_in(&listed).is_none(), "the link is shown once");
    for shown in ["<bdi>ada@example.com</bdi> invites you", "editor", "<bdi>Shop</bdi>"] {
        assert!(page.body.contains(shown), "{shown} in {}", page.body);
    }
    assert_eq!(joined.location(), "/projects/1000");
    assert!(home.body.contains("cleo@example.com"), "{}", home.body);
    assert!(again.contains("has been used or revoked, or has expired"), "{again}");
    let (email, password) = ("cleo@example.com".to_owned(), PASSWORD.to_owned());
    Browser::new(&site).sign_in_at_home(&Member { email, password }).await;
    let log =
        site.app.store().list_audit_entries(ListRange { page: 1, per_page: 10 }).await.unwrap();
    let events: Vec<_> = log.iter().map(|entry| entry.event.as_str()).collect();
    assert!(events.contains(&"invitation.made") && events.contains(&"invitation.accepted"));
    let secret = link.split_once("token=").unwrap().1;
    assert!(!format!("{log:?}").contains(secret));
}

#[tokio::test]
async fn a_short_password_is_asked_for_again_and_makes_no_member() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let link = invite(&ada).await;
    let cleo = Browser::new(&site);

    let short = join(&cleo, &link, "short").await;
    let was_member = is_member(&site).await;
    let joined = cleo.submit(&short, &[("new_password", PASSWORD)]).await;

    assert_eq!(short.status.as_u16(), 422);
    assert!(short.body.contains("A password has 12 to 500 characters."), "{}", short.body);
    assert!(!was_member);
    assert_eq!(joined.location(), "/projects/1000");
}

#[tokio::test]
async fn a_link_ends_after_a_week_and_when_it_is_revoked() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let (first, second) = (invite(&ada).await, invite(&ada).await);
    let page = ada.open("/members").await;
    let (_, rest) = page.body.rsplit_once("name=\"id\" value=\"").unwrap();
    let id = rest.split('"').next().unwrap();
    let fields = [("csrf", form_token(&page)), ("id", id)];

    let revoked = ada.post("/members/revoke-invitation", &fields).await;
    let double_click = ada.post("/members/revoke-invitation", &fields).await;
    let csrf = token_of_another_tab(&page);
    let twice = ada.post("/members/revoke-invitation", &[("csrf", &csrf), ("id", id)]).await;

    assert_eq!(revoked.location(), "/members?done=revoked");
    assert_eq!(double_click.location(), revoked.location());
    assert_eq!(twice.location(), "/members?problem=no-invitation");
    let mut open = Vec::new();
    for link in [&first, &second] {
        open.push(Browser::new(&site).open(link).await.status.as_u16());
    }
    open.sort_unstable();
    assert_eq!(open, [200, 410]);
    site.advance_seconds(7 * DAY);
    for link in [&first, &second] {
        refused(&site, link).await;
    }
}

#[tokio::test]
async fn an_inviter_who_may_not_any_more_lets_no_person_in() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let link = invite(&ada).await;
    let cleo = Browser::new(&site);
    let form = cleo.open(&link).await;
    let member = find_member_by_email(&site.app, &Actor::Command, "ada@example.com").await;
    remove_member(&site.app, &Actor::Command, &member.unwrap().unwrap()).await.unwrap();

    let sent = cleo.submit(&form, &[("new_password", PASSWORD)]).await;

    assert_eq!(sent.status.as_u16(), 410);
    assert!(sent.body.contains("may not do so any more"), "{}", sent.body);
    assert!(refused(&site, &link).await.contains("may not do so any more"));
    assert!(!is_member(&site).await);
}

#[tokio::test]
async fn only_the_form_of_this_browser_makes_a_member() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let link = invite(&ada).await;
    let token = link.split_once("token=").unwrap().1;
    let (cleo, other) = (Browser::new(&site), Browser::new(&site));
    let form = cleo.open(&link).await;
    other.open(&link).await;

    let fields = [("csrf", form_token(&form)), ("token", token), ("new_password", PASSWORD)];
    let foreign = other.post("/invitation", &fields).await;
    let forged = cleo.post("/invitation", &[("token", token), ("new_password", PASSWORD)]).await;

    assert_eq!((foreign.status.as_u16(), forged.status.as_u16()), (403, 403));
    assert!(!is_member(&site).await);
    for wrong in ["", "?token=", "?token=assay_in_x", "?token=%FF", &format!("?token={token}a")] {
        let page = Browser::new(&site).open(&format!("/invitation{wrong}")).await;
        assert!(matches!(page.status.as_u16(), 404 | 410), "{wrong}: {}", page.status);
    }
}

#[tokio::test]
async fn a_member_invites_up_to_their_own_role_and_no_member() {
    let site = shop().await;
    let (ada, vic) =
        (browser_of(&site, "ada", Role::Admin).await, browser_of(&site, "vic", Role::Viewer).await);
    let (page, of_vic) = (ada.open("/members").await, vic.open("/members").await);
    let post =
        async |browser: &Browser<'_>, page: &Answer, email: &str, role: &str, place: &str| {
            let fields =
                [("csrf", form_token(page)), ("email", email), ("role", role), ("project", place)];
            browser.post("/members/invite", &fields).await
        };

    let owner = post(&ada, &page, "cleo@example.com", "owner", "1000").await;
    let elsewhere = post(&ada, &page, "cleo@example.com", "viewer", "").await;
    let viewer = post(&vic, &of_vic, "cleo@example.com", "viewer", "1000").await;
    let known = post(&ada, &page, "Vic@example.com", "viewer", "1000").await;
    let odd = post(&ada, &page, "<b>", "editor", "1000").await;

    for refused in [owner, elsewhere, viewer] {
        assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
    }
    assert!(!of_vic.body.contains("/members/invite"), "{}", of_vic.body);
    assert_eq!((known.status.as_u16(), odd.status.as_u16()), (422, 422));
    assert!(known.body.contains("A member with this e-mail address already exists."));
    assert!(odd.body.contains("value=\"&#60;b&#62;\""), "{}", odd.body);
    assert!(odd.body.contains("<option selected>editor</option>"), "{}", odd.body);
}

#[tokio::test]
async fn a_server_that_sends_mail_mails_the_link_and_says_if_it_did_not_leave() {
    let mailbox = Mailbox::new();
    let site = with_shop(Site::start_mailing(mailbox.clone())).await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let page = ada.open("/members").await;
    let csrf = [("csrf", form_token(&page))];

    let mailed = ada.post("/members/invite", &[&csrf[..], &EDITOR].concat()).await;
    let mail = mailbox.next().await;
    mailbox.break_down();
    let reloaded = ada.post("/members/invite", &[&csrf[..], &EDITOR].concat()).await;
    let csrf = token_of_another_tab(&page);
    let csrf = [("csrf", csrf.as_str())];
    let failed = ada.post("/members/invite", &[&csrf[..], &EDITOR].concat()).await;

    let link = format!("https://assay.example{}", link_in(&mailed).unwrap());
    assert!(mailed.body.contains("A mail with the link is on its way"), "{}", mailed.body);
    assert_eq!(mail.to, "cleo@example.com");
    assert!(mail.text.contains(&format!("\n{link}\n")), "{}", mail.text);
    assert!(mail.text.contains("ada@example.com invites you"), "{}", mail.text);
    assert!(failed.body.contains("The mail with the link did not leave"), "{}", failed.body);
    assert!(link_in(&failed).is_some());
    assert_eq!(link_in(&reloaded), link_in(&mailed), "a reload invites no member again");
}

/// Cleo, who is a member with a role in no project of Ada's.
async fn cleo_elsewhere(site: &Site) -> Member {
    let role = RoleGrant { project: None, ..RoleGrant::OWNER };
    let added = add_member(&site.app, &Actor::Command, "cleo@example.com", role).await.unwrap();
    let line = find_member_by_email(&site.app, &Actor::Command, "cleo@example.com").await;
    let none = Vec::new();
    // A server keeps an owner.
    add_member(&site.app, &Actor::Command, "olga@example.com", role).await.unwrap();
    change_roles(&site.app, &Actor::Command, &line.unwrap().unwrap(), none).await.unwrap();
    Member { email: added.email, password: added.password.expose_secret().to_owned() }
}

async fn roles_of_cleo(site: &Site) -> Vec<Role> {
    let found = find_member_by_email(&site.app, &Actor::Command, "cleo@example.com").await;
    found.unwrap().unwrap().roles.iter().map(|grant| grant.role).collect()
}

#[tokio::test]
async fn a_member_of_another_project_accepts_after_signing_in_and_stays_signed_in() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    let member = cleo_elsewhere(&site).await;
    let (cleo, elsewhere) = (Browser::new(&site), Browser::new(&site));
    elsewhere.sign_in_at_home(&member).await;
    let link = invite(&ada).await;
    let before = ada.open("/members").await;

    let page = cleo.open(&link).await;
    let (_, rest) = page.body.split_once("<a href=\"/invitation/member").unwrap();
    let path = format!("/invitation/member{}", rest.split('"').next().unwrap());
    let sign_in = cleo.open(&path).await;
    let fields = [("email", &*member.email), ("password", &*member.password)];
    let signed_in = cleo.submit(&sign_in, &fields).await;
    let form = cleo.open(signed_in.location()).await;
    let fields = [("csrf", form_token(&form)), ("token", link.split_once("token=").unwrap().1)];
    let accepted = cleo.post("/invitation/member/accept", &fields).await;

    assert!(before.body.contains("invited</span>"), "{}", before.body);
    assert!(!before.body.contains("<a href=\"/members/2\">"), "{}", before.body);
    assert_eq!(signed_in.location(), path);
    assert_eq!(accepted.location(), "/projects/1000");
    assert_eq!(roles_of_cleo(&site).await, [Role::Editor]);
    assert_eq!(elsewhere.open("/account").await.status.as_u16(), 200);
    let after = ada.open("/members").await;
    assert!(after.body.contains("<bdi>cleo@example.com</bdi></a>"), "{}", after.body);
    refused(&site, &link).await;
}

#[tokio::test]
async fn a_member_whose_session_ended_before_they_accept_opens_the_link_again() {
    let site = shop().await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;

    let page = vic.open("/invitation/member").await;

    assert_eq!(page.status.as_u16(), 400);
    assert!(page.body.contains("Open your invitation again"), "{}", page.body);
}

#[tokio::test]
async fn the_page_of_a_link_does_not_tell_whether_its_address_is_a_members() {
    let (site, other) = (shop().await, shop().await);
    cleo_elsewhere(&site).await;
    let mut pages = Vec::new();
    for site in [&site, &other] {
        let ada = browser_of(site, "ada", Role::Admin).await;
        let link = invite(&ada).await;
        let page = Browser::new(site).open(&link).await;
        let token = link.split_once("token=").unwrap().1;
        pages.push(page.body.replace(token, "").replace(form_token(&page), ""));
    }

    assert_eq!(pages[0], pages[1]);
}

#[tokio::test]
async fn only_the_member_with_the_address_accepts_and_a_password_is_no_way_in() {
    let site = shop().await;
    let ada = browser_of(&site, "ada", Role::Admin).await;
    cleo_elsewhere(&site).await;
    let link = invite(&ada).await;
    let path = link.replace("/invitation", "/invitation/member");
    let token = link.split_once("token=").unwrap().1;

    let of_ada = ada.open(&path).await;
    let csrf = ("csrf", form_token(&of_ada));
    let by_ada = ada.post("/invitation/member/accept", &[csrf, ("token", token)]).await;
    let joined = join(&Browser::new(&site), &link, PASSWORD).await;

    assert!(of_ada.body.contains("This invitation is for <bdi>cleo@example.com</bdi>"));
    assert_eq!((by_ada.status.as_u16(), joined.status.as_u16()), (403, 410));
    assert_eq!(roles_of_cleo(&site).await, []);
}
