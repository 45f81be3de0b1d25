//! The home of a project: what is live, what the draft changes, publishing and discarding.

use app::documents::ResourceKind;
use app::drafts::ExpectedVersion;
use app::resources::change_resource;
use app::revisions::{Side, compare_documents, find_revision_line};
use app::roles::Actor;
use serde_json::{Value, json};
use storage::Role;

use super::campaigns::running;
use super::{browser_of, shop};
use crate::browser::{Browser, form_token};
use crate::site::{Answer, Site};

const HOME: &str = "/projects/1000";

/// Changes the name of the page `home` in the draft.
async fn rename_page(site: &Site, name: &str) {
    let Value::Object(changes) = json!({"name": name}) else { unreachable!() };
    let page = (ResourceKind::Page, "2001".to_owned());
    let change = (changes, ExpectedVersion::any());
    change_resource(&site.app, &Actor::Command, "1000".parse().unwrap(), page, change)
        .await
        .unwrap();
}

/// Sends the form of the home, as the page showed it.
async fn publish(browser: &Browser<'_>, page: &Answer, message: &str) -> Answer {
    let fields = [("csrf", form_token(page)), ("draft", draft_tag(page)), ("message", message)];
    let fields = fields.map(|(name, value)| (name, value.replace("&#34;", "\"")));
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    browser.post(&format!("{HOME}/publish"), &fields).await
}

async fn discard(browser: &Browser<'_>, page: &Answer) -> Answer {
    let tag = draft_tag(page).replace("&#34;", "\"");
    let fields = [("csrf", form_token(page)), ("draft", tag.as_str())];
    browser.post(&format!("{HOME}/discard"), &fields).await
}

fn draft_tag(page: &Answer) -> &str {
    let (_, rest) = page.body.split_once("name=\"draft\" value=\"").unwrap();
    rest.split_once('"').unwrap().0
}

/// The live revision's message; `None` if nothing is live.
async fn live_message(site: &Site, number: u32) -> Option<String> {
    let id = "1000".parse().unwrap();
    let line = find_revision_line(&site.app, &Actor::Command, id, number).await;
    line.ok().map(|line| line.message)
}

#[tokio::test]
async fn a_member_publishes_what_the_page_shows() {
    let site = shop().await;
    let browser = browser_of(&site, "pat", Role::Publisher).await;
    let first = browser.open(HOME).await;
    let published = publish(&browser, &first, "  All <b>of it</b> ").await;
    rename_page(&site, "Front <i>door").await;

    let changed = browser.open(HOME).await;
    publish(&browser, &changed, "").await;
    let twice = publish(&browser, &changed, "").await;
    let last = browser.open(&format!("{HOME}?done=published")).await;

    assert!(first.body.contains("Nothing is published yet"), "{}", first.body);
    assert_eq!(published.location(), format!("{HOME}?done=published"));
    assert_eq!(live_message(&site, 1).await.unwrap(), "All <b>of it</b>");
    for shown in [
        "All &#60;b&#62;of it&#60;/b&#62;",
        "by <bdi>pat@example.com</bdi>",
        "One resource differs",
        "Nothing: no running campaign changes.",
        "<a href=\"/projects/1000/pages/2001\"><bdi>Front &#60;i&#62;door</bdi></a>",
        "<del>Home</del>",
        "<ins>Front &#60;i&#62;door</ins>",
    ] {
        assert!(changed.body.contains(shown), "{shown} in {}", changed.body);
    }
    assert_eq!(twice.location(), format!("{HOME}?done=published"), "a double click");
    assert!(last.body.contains("Published. Visitors get it from now on."), "{}", last.body);
    assert!(last.body.contains("the draft is what is live"), "{}", last.body);
}

#[tokio::test]
async fn what_another_member_changed_meanwhile_is_shown_before_it_is_published() {
    let site = shop().await;
    let browser = browser_of(&site, "pat", Role::Publisher).await;
    let seen = browser.open(HOME).await;
    rename_page(&site, "Sneaky").await;

    let refused = publish(&browser, &seen, "As \"agreed\"").await;
    let again = publish(&browser, &refused, "As agreed").await;

    assert_eq!(refused.status.as_u16(), 409);
    assert!(refused.body.contains("another member has changed this meanwhile"), "{}", refused.body);
    assert!(refused.body.contains("value=\"As &#34;agreed&#34;\""), "{}", refused.body);
    assert_eq!(again.location(), format!("{HOME}?done=published"));
    assert_eq!(live_message(&site, 1).await.unwrap(), "As agreed");
}

#[tokio::test]
async fn a_member_discards_the_draft_after_a_question() {
    let site = shop().await;
    let browser = browser_of(&site, "pat", Role::Publisher).await;
    publish(&browser, &browser.open(HOME).await, "").await;
    rename_page(&site, "Wrong").await;
    let question = browser.open(&format!("{HOME}/discard")).await;
    rename_page(&site, "Wrong again").await;

    let refused = discard(&browser, &question).await;
    let discarded = discard(&browser, &refused).await;

    assert!(question.body.contains("<ins>Wrong</ins>"), "{}", question.body);
    assert_eq!(refused.status.as_u16(), 409);
    assert!(refused.body.contains("<ins>Wrong again</ins>"), "{}", refused.body);
    assert_eq!(discarded.location(), format!("{HOME}?done=discarded"));
    let (id, sides) = ("1000".parse().unwrap(), (Side::Live, Side::Draft));
    let left = compare_documents(&site.app, &Actor::Command, id, sides).await.unwrap();
    assert_eq!(left.differences, []);
}

#[tokio::test]
async fn a_member_who_may_not_publish_learns_who_may() {
    let site = shop().await;
    let (viewer, publisher) = (
        browser_of(&site, "vic", Role::Viewer).await,
        browser_of(&site, "pat", Role::Publisher).await,
    );
    let (page, of_publisher) = (viewer.open(HOME).await, publisher.open(HOME).await);

    let forged = publish(&viewer, &page, "Mine").await;
    let foreign = publish(&viewer, &of_publisher, "Mine").await;
    let discarded = discard(&viewer, &page).await;

    assert!(page.body.contains("A publisher or an admin of this project can."), "{}", page.body);
    assert!(page.body.contains("<button class=\"primary\" disabled"), "{}", page.body);
    for refused in [forged, foreign, discarded] {
        assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
    }
    assert_eq!(live_message(&site, 1).await, None);
}

#[tokio::test]
async fn campaigns_that_have_started_lead_to_their_results() {
    let site = shop().await;
    running(&browser_of(&site, "pat", Role::Publisher).await).await;
    let link = |campaign: &str| format!("href=\"{HOME}/campaigns/{campaign}/results\"");

    let analyst = browser_of(&site, "ann", Role::Analyst).await.open(HOME).await;
    let viewer = browser_of(&site, "vic", Role::Viewer).await.open(HOME).await;

    assert!(analyst.body.contains(&link("3001")), "{}", analyst.body);
    assert!(!analyst.body.contains(&link("3002")), "it has not started: {}", analyst.body);
    assert!(!viewer.body.contains(&link("3001")), "may not read them: {}", viewer.body);
}

#[tokio::test]
async fn a_forged_form_publishes_nothing() {
    let site = shop().await;
    let browser = browser_of(&site, "pat", Role::Publisher).await;
    let page = browser.open(HOME).await;
    let csrf = form_token(&page);
    let post = async |path: &str, fields: &[(&str, &str)]| {
        browser.post(path, fields).await.status.as_u16()
    };
    let tag = draft_tag(&page).replace("&#34;", "\"");
    let long = "ä".repeat(4_001);

    assert_eq!(post(&format!("{HOME}/publish"), &[("draft", &tag)]).await, 403);
    assert_eq!(post(&format!("{HOME}/publish"), &[("csrf", csrf)]).await, 409);
    assert_eq!(post(&format!("{HOME}/publish"), &[("csrf", csrf), ("draft", "*")]).await, 409);
    let too_long = [("csrf", csrf), ("draft", tag.as_str()), ("message", long.as_str())];
    assert_eq!(post(&format!("{HOME}/publish"), &too_long).await, 422);
    for path in ["/projects/9/publish", "/projects/x/publish", "/projects/9/discard"] {
        let status = post(path, &[("csrf", csrf), ("draft", &tag)]).await;
        assert!(matches!(status, 403 | 404), "{path}: {status}");
    }
    assert_eq!(live_message(&site, 1).await, None);
}
