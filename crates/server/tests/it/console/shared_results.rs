//! An editor shows the results of a campaign to people outside, who see nothing else; and all the links that show nothing.

use app::members::{find_member_by_email, remove_member};
use app::roles::Actor;
use storage::{ListRange, Role};

use super::browser_of;
use crate::browser::{Browser, form_token, token_of_another_tab};
use crate::events::{let_visitors_come, publish};
use crate::shop::{publish_text, shop_with};
use crate::site::{Answer, Site};

const PAGE: &str = "/projects/1000/campaigns/3001/share";

const DAY: i64 = 24 * 3_600;

async fn shop() -> Site {
    let site = Site::start();
    publish(&site, "on").await;
    let_visitors_come(&site).await;
    site
}

/// Makes a link for a week; returns its path.
async fn share(browser: &Browser<'_>) -> String {
    let page = browser.open(PAGE).await;
    let fields = [("csrf", form_token(&page)), ("expires_in", "604800")];
    let made = browser.post(&format!("{PAGE}/make"), &fields).await;
    assert_eq!((made.status.as_u16(), made.header("cache-control")), (200, "no-store"));
    link_in(&made).expect("the page shows the link")
}

fn link_in(page: &Answer) -> Option<String> {
    let (_, rest) = page.body.split_once("<code id=\"results-link\">https://assay.example")?;
    Some(rest.split('<').next()?.to_owned())
}

async fn open(site: &Site, link: &str) -> Answer {
    Browser::new(site).open(link).await
}

#[tokio::test]
async fn people_without_an_account_see_the_results_and_nothing_else() {
    let site = shop().await;
    let eva = browser_of(&site, "eva", Role::Editor).await;
    let own = eva.open("/projects/1000/campaigns/3001/results").await;
    let link = share(&eva).await;
    let listed = eva.open(PAGE).await;

    let shown = open(&site, &link).await;

    assert!(own.body.contains(&format!("href=\"{PAGE}\">Share…")), "{}", own.body);
    assert_eq!(shown.status.as_u16(), 200, "{}", shown.body);
    for header in [
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(shown.header(header.0), header.1);
    }
    for part in ["Results of ", "With <q>b</q>, between", "<svg", "Day by day"] {
        assert!(shown.body.contains(part), "{part} in {}", shown.body);
    }
    for part in ["/projects/", "<form", "<button", "eva@example.com", "csv"] {
        assert!(!shown.body.contains(part), "{part} in {}", shown.body);
    }
    assert!(listed.body.contains("<bdi>eva@example.com</bdi>"), "{}", listed.body);
    assert!(link_in(&listed).is_none(), "the link is shown once");
    let log =
        site.app.store().list_audit_entries(ListRange { page: 1, per_page: 10 }).await.unwrap();
    let made = log.iter().find(|entry| entry.event.as_str() == "results_link.made").unwrap();
    let token = link.split_once("token=").unwrap().1;
    assert!(!format!("{made:?}").contains(token));
}

#[tokio::test]
async fn results_of_a_concluded_experiment_do_not_advise_to_stop() {
    let site = shop().await;
    let link = share(&browser_of(&site, "eva", Role::Editor).await).await;
    let running = open(&site, &link).await.body;

    publish_text(&site, &shop_with("results: on").replace("not_started", "concluded")).await;
    let concluded = open(&site, &link).await.body;

    assert!(running.contains("You can stop"), "{running}");
    assert!(concluded.contains("The experiment is concluded."), "{concluded}");
    assert!(!concluded.contains("You can stop"), "{concluded}");
}

#[tokio::test]
async fn a_link_shows_segments_and_stays_in_their_addresses() {
    let site = shop().await;
    let link = share(&browser_of(&site, "eva", Role::Editor).await).await;

    let whole = open(&site, &link).await;
    let split = open(&site, &format!("{link}&segment=device")).await;
    let unknown = open(&site, &format!("{link}&segment=page")).await;

    let address = format!("href=\"{link}&#38;segment=device#segments-0\"");
    assert!(whole.body.contains(&address), "{address} in {}", whole.body);
    assert!(!whole.body.contains("These are not verdicts"), "{}", whole.body);
    assert!(split.body.contains("These are not verdicts"), "{}", split.body);
    assert!(split.body.contains(&format!("{address} aria-current=\"true\"")), "{}", split.body);
    assert_eq!(unknown.status.as_u16(), 404);
}

#[tokio::test]
async fn a_reload_makes_no_second_link_and_without_a_session_it_shows_none() {
    let site = shop().await;
    let eva = browser_of(&site, "eva", Role::Editor).await;
    let page = eva.open(PAGE).await;
    let fields = [("csrf", form_token(&page)), ("expires_in", "604800")];
    let make = async || eva.post(&format!("{PAGE}/make"), &fields).await;

    let (first, reloaded) = (make().await, make().await);
    let listed = eva.open(PAGE).await.body;
    let member = find_member_by_email(&site.app, &Actor::Command, "eva@example.com").await;
    remove_member(&site.app, &Actor::Command, &member.unwrap().unwrap()).await.unwrap();
    let without = make().await;

    assert!(link_in(&first).is_some());
    assert_eq!(link_in(&reloaded), link_in(&first));
    assert_eq!(listed.matches("name=\"link\" value=").count(), 1, "{listed}");
    assert_eq!((without.status.as_u16(), link_in(&without)), (303, None), "{}", without.body);
}

#[tokio::test]
async fn a_revoked_expired_or_unknown_link_shows_nothing() {
    let site = shop().await;
    let eva = browser_of(&site, "eva", Role::Editor).await;
    let first = share(&eva).await;
    site.advance_seconds(60);
    let second = share(&eva).await;
    let page = eva.open(PAGE).await;
    let (_, rest) = page.body.rsplit_once("name=\"link\" value=\"").unwrap();
    let id = rest.split('"').next().unwrap();
    let fields = [("csrf", form_token(&page)), ("link", id)];

    let revoked = eva.post(&format!("{PAGE}/revoke"), &fields).await;
    let csrf = token_of_another_tab(&page);
    let twice = eva.post(&format!("{PAGE}/revoke"), &[("csrf", &csrf), ("link", id)]).await;

    assert_eq!(revoked.location(), format!("{PAGE}?done=revoked"));
    assert_eq!(twice.location(), format!("{PAGE}?problem=unknown-link"));
    assert_eq!(open(&site, &first).await.status.as_u16(), 410);
    assert_eq!(open(&site, &second).await.status.as_u16(), 200);
    for wrong in
        ["", "?token=", "?token=assay_rl_x", "?token=%FF", &format!("?token={}a", &second[22..])]
    {
        let page = open(&site, &format!("/shared-results{wrong}")).await;
        assert!(matches!(page.status.as_u16(), 404 | 410), "{wrong}: {}", page.status);
    }
    site.advance_seconds(7 * DAY);
    let over = open(&site, &second).await;
    assert_eq!(over.status.as_u16(), 410);
    assert!(over.body.contains("This link has been revoked, or has expired"), "{}", over.body);
}

#[tokio::test]
async fn a_link_of_a_member_who_is_removed_shows_nothing() {
    let site = shop().await;
    let link = share(&browser_of(&site, "eva", Role::Editor).await).await;
    let member = find_member_by_email(&site.app, &Actor::Command, "eva@example.com").await;
    remove_member(&site.app, &Actor::Command, &member.unwrap().unwrap()).await.unwrap();

    assert_eq!(open(&site, &link).await.status.as_u16(), 410);
}

#[tokio::test]
async fn an_analyst_cannot_share_results() {
    let site = shop().await;
    let ann = browser_of(&site, "ann", Role::Analyst).await;

    let results = ann.open("/projects/1000/campaigns/3001/results").await;
    let page = ann.open(PAGE).await;

    assert!(!results.body.contains("Share…"), "{}", results.body);
    assert_eq!(page.status.as_u16(), 403, "{}", page.body);
}
