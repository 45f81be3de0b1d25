//! Warnings of a draft is told before it goes live, where it is mended.

use app::documents::ResourceKind;
use app::drafts::ExpectedVersion;
use app::resources::{change_project, change_resource, create_resource};
use app::roles::Actor;
use serde_json::{Value, json};
use storage::Role;

use super::campaigns::{HERO, act};
use super::filled_form::FilledForm;
use super::{browser_of, shop};
use crate::browser::form_token;
use crate::site::Site;

const OVERVIEW: &str = "/projects/1000";

async fn change(site: &Site, kind: ResourceKind, id: &str, changes: Value) {
    let Value::Object(changes) = changes else { unreachable!() };
    let change = (changes, ExpectedVersion::any());
    let project = "1000".parse().unwrap();
    change_resource(&site.app, &Actor::Command, project, (kind, id.to_owned()), change)
        .await
        .unwrap();
}

async fn create(site: &Site, kind: ResourceKind, resource: Value) {
    let Value::Object(resource) = resource else { unreachable!() };
    let project = "1000".parse().unwrap();
    create_resource(&site.app, &Actor::Command, project, kind, resource).await.unwrap();
}

#[tokio::test]
async fn a_campaign_that_no_visitor_can_see_says_so_before_and_after_its_start() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let fine = browser.open(HERO).await.body;
    change(&site, ResourceKind::Campaign, "3001", json!({"pages": []})).await;

    let before = browser.open(HERO).await;
    let started = act(&browser, &before, &[("action", "start")]).await;
    let after = browser.open(started.location()).await.body;
    let overview = browser.open(OVERVIEW).await.body;

    assert!(fine.contains("Visitors of its pages get it") && !fine.contains("id=\"warnings\""));
    let link = format!(
        "<a href=\"{HERO}/edit#/pages\">Campaign <bdi>hero</bdi></a>: It has no page, so no visitor sees it."
    );
    for shown in
        ["No visitor can see it as it is", &link, "but no visitor can see it as it is: mend"]
    {
        assert!(before.body.contains(shown), "{shown} in {}", before.body);
    }
    assert!(!before.body.contains("Visitors of its pages get it"), "{}", before.body);
    assert_eq!(started.location(), format!("{HERO}?done=start"), "a warning refuses nothing");
    assert!(after.contains("The campaign runs, but no visitor can see it."), "{after}");
    assert!(!after.contains("visitors get it from their next page view on"), "{after}");
    assert!(overview.contains("Warnings") && overview.contains(&link));
}

#[tokio::test]
async fn a_holdback_of_everyone_is_told_where_it_is_set() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let project = "1000".parse().unwrap();
    let everyone = json!({"holdback": 10_000}).as_object().cloned().unwrap();
    change_project(&site.app, &Actor::Command, project, everyone, ExpectedVersion::any())
        .await
        .unwrap();
    change(&site, ResourceKind::Campaign, "3001", json!({"holdback": 10_000})).await;

    let before = browser.open(HERO).await;
    let started = act(&browser, &before, &[("action", "start")]).await;
    let after = browser.open(started.location()).await.body;
    let overview = browser.open(OVERVIEW).await.body;

    let of_campaign = format!(
        "<a href=\"{HERO}/edit#/holdback\">Campaign <bdi>hero</bdi></a>: All visitors are held back"
    );
    let of_project = "<a href=\"/projects/1000/settings#/holdback\">Project <bdi>Shop</bdi></a>: All visitors are held back";
    for link in [of_campaign.as_str(), of_project] {
        assert!(before.body.contains(link), "{link} in {}", before.body);
    }
    assert!(before.body.contains("No visitor can see it as it is"), "{}", before.body);
    assert!(after.contains("The campaign runs, but no visitor can see it."), "{after}");
    let steps = "<h3><a href=\"/projects/1000/campaigns\">Start it</a></h3>";
    assert!(overview.contains(steps), "it is not started for visitors: {overview}");
}

#[tokio::test]
async fn a_campaign_is_not_warned_of_what_others_of_its_group_need() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let device = json!(["and", {"type": "device", "value": "watch"}]);
    change(&site, ResourceKind::Audience, "7001", json!({"conditions": device})).await;
    let copy = browser.open(HERO).await;
    let copied = browser.post(&format!("{HERO}/duplicate"), &[("csrf", form_token(&copy))]).await;
    let other = copied.location().rsplit_once('/').unwrap().1.split('?').next().unwrap().to_owned();
    let members =
        json!([{"campaign": "3001", "weight": 5000}, {"campaign": other, "weight": 5000}]);
    create(&site, ResourceKind::Group, json!({"key": "one", "members": members})).await;
    let experiments = json!([{"key": "hero", "audiences": "7001", "variations": [{"key": "a", "weight": 10_000}]}]);
    change(&site, ResourceKind::Campaign, &other, json!({"experiments": experiments})).await;

    let (own, others) = (browser.open(HERO).await.body, browser.open(copied.location()).await.body);

    assert!(others.contains("This condition never holds"), "{others}");
    assert!(!own.contains("id=\"warnings\""), "{own}");
}

#[tokio::test]
async fn warnings_stand_beside_their_campaign_audience_or_page() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let changes = json!([{"type": "text", "selector": "h1 >", "value": "x"}]);
    let variations =
        json!([{"id": "5001", "key": "a", "name": "Blue", "weight": 10_000, "changes": changes}]);
    let experiments =
        json!([{"id": "4001", "key": "hero", "audiences": "7001", "variations": variations}]);
    change(&site, ResourceKind::Campaign, "3001", json!({"experiments": experiments})).await;
    let device = json!(["and", {"type": "device"}]);
    change(&site, ResourceKind::Audience, "7001", json!({"conditions": device})).await;

    let with_condition = browser.open(HERO).await.body;
    change(&site, ResourceKind::Audience, "7001", json!({"conditions": []})).await;
    let without = browser.open(HERO).await.body;

    let selector = "#/experiments/0/variations/0/changes/0/selector\">Campaign <bdi>hero</bdi></a>, <bdi>Blue, change 1</bdi>: ";
    let condition = "<a href=\"/projects/1000/audiences/7001#/conditions/1\">Audience <bdi>Gold</bdi></a>, <bdi>condition 1</bdi>: This condition never holds";
    let empty = "<a href=\"/projects/1000/audiences/7001\">Audience <bdi>Gold</bdi></a>, <bdi>in hero</bdi>: The audience has no conditions";
    assert!(
        with_condition.contains(selector) && with_condition.contains(condition),
        "{with_condition}"
    );
    assert!(with_condition.contains("No visitor can see it as it is"), "{with_condition}");
    assert!(without.contains(empty), "{without}");
}

#[tokio::test]
async fn the_start_of_a_campaign_with_warnings_does_not_say_that_visitors_get_it() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let changes = json!([{"type": "remove", "selector": "a:contains('x')"}]);
    change(&site, ResourceKind::Campaign, "3001", json!({"changes": changes})).await;

    let page = browser.open(HERO).await;
    let started = act(&browser, &page, &[("action", "start")]).await;
    let after = browser.open(started.location()).await.body;

    assert!(page.body.contains("Look at this before you start it"), "{}", page.body);
    assert!(after.contains("The campaign runs. Visitors may not get all of it"), "{after}");
}

#[tokio::test]
async fn the_form_of_an_audience_tells_what_never_holds_in_it() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let device = json!(["and", {"type": "device", "value": "watch"}]);
    change(&site, ResourceKind::Audience, "7001", json!({"conditions": device})).await;

    let page = browser.open("/projects/1000/audiences/7001").await.body;

    assert!(page.contains("Warnings"), "{page}");
    assert!(page.contains("This condition never holds"), "{page}");
}

#[tokio::test]
async fn a_publication_with_warnings_is_not_called_fine() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let nobody = json!({"pages": [], "schedule": {"start": "2027-02-01T09:00"}});
    change(&site, ResourceKind::Campaign, "3001", nobody).await;

    let page = browser.open(OVERVIEW).await;
    let (_, tag) = page.body.split_once("name=\"draft\" value=\"").unwrap();
    let tag = tag.split_once('"').unwrap().0.replace("&#34;", "\"");
    let (warnings, button) =
        (page.body.find("id=\"warnings\""), page.body.find(">Publish</button>"));
    let fields = [("csrf", form_token(&page)), ("draft", tag.as_str())];
    let published = browser.post(&format!("{OVERVIEW}/publish"), &fields).await;
    let after = browser.open(published.location()).await.body;

    assert!(warnings.is_some() && warnings < button, "{}", page.body);
    assert_eq!(published.location(), format!("{OVERVIEW}?done=published-with-warnings"));
    assert!(after.contains("Visitors may not get all of it"), "{after}");
}

#[tokio::test]
async fn a_message_about_the_draft_leads_to_where_it_is_published() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);

    let saved = form.with("/name", "Hero").save(&browser).await;
    let of_campaign = browser.open(saved.location()).await.body;
    let of_page = browser.open("/projects/1000/pages/2001?done=saved").await.body;
    let unchanged = browser.open("/projects/1000/pages/2001?done=unchanged").await.body;

    let link = "<a href=\"/projects/1000#draft\">Publish the draft</a>";
    assert!(of_campaign.contains(link) && of_page.contains(link), "{of_campaign}");
    assert!(!unchanged.contains(link), "{unchanged}");
}

#[tokio::test]
async fn the_link_to_previews_fills_in_the_page_and_the_variation() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let of = |address: &str| json!({"type": "url", "match": "simple", "value": address});
    let excluding =
        json!(["and", ["not", of("https://shop.example/cart")], of("https://shop.example/")]);
    change(&site, ResourceKind::Page, "2001", json!({"conditions": excluding})).await;

    let page = browser.open(HERO).await.body;

    let link = "/projects/1000/preview?url=https%3A%2F%2Fshop.example%2F&#38;variations=5001\"";
    assert!(page.contains(link), "{page}");
}

#[tokio::test]
async fn of_a_campaign_that_runs_the_page_says_what_visitors_get_and_not_what_the_draft_would_give()
{
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let before = browser.open(HERO).await;
    act(&browser, &before, &[("action", "start")]).await;
    let running = browser.open(HERO).await;
    act(&browser, &running, &[("action", "pause")]).await;
    change(&site, ResourceKind::Campaign, "3001", json!({"pages": []})).await;

    let paused = browser.open(HERO).await;
    let resumed = act(&browser, &paused, &[("action", "resume")]).await;
    let after = browser.open(resumed.location()).await.body;
    let overview = browser.open(OVERVIEW).await.body;

    assert!(!paused.body.contains("no visitor can see it"), "{}", paused.body);
    assert_eq!(resumed.location(), format!("{HERO}?done=resume"));
    assert!(!after.to_lowercase().contains("no visitor can see it"), "{after}");
    assert!(overview.contains("It has no page, so no visitor sees it."), "{overview}");
}

#[tokio::test]
async fn a_page_tells_before_the_start_what_stays_in_the_draft() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    act(&browser, &browser.open(HERO).await, &[("action", "start")]).await;
    let other = "/projects/1000/campaigns/3002";
    let before = browser.open(other).await.body;

    change(&site, ResourceKind::Page, "2001", json!({"name": "Elsewhere"})).await;
    let changed = browser.open(other).await.body;

    let stays = "</bdi> has unpublished changes, which stay in the draft.";
    assert!(!before.contains(stays), "{before}");
    assert!(changed.contains(&format!("The page <bdi>Home{stays}")), "{changed}");
}
