//! What an action does to a campaign, to what is live, and to nothing else.

use app::campaigns::CampaignAction::{Archive, Conclude, Pause, Restore, Resume};
use app::campaigns::{Act, CampaignAction, Conclusion, Target};
use app::documents::ResourceKind::Variation;
use app::documents::ResourceKind::{Attribute, Audience, Campaign, Event, Experiment, Group, Page};
use app::revisions::Side;
use serde_json::{Value, json};

use crate::refusal::{Refusal, refused};
use crate::server::through_program;
use crate::shop::{HERO, Shop, anything, each, elements, hero, id, only};

#[tokio::test]
async fn a_campaign_goes_through_its_life_and_visitors_notice_at_once() {
    let shop = Shop::with_hero().await;

    let started = shop.start(HERO).await.unwrap();
    assert_eq!((&started.resource["status"], started.revision), (&json!("running"), Some(1)));
    assert!(shop.shows("Ship faster").await);

    for (action, status, is_shown) in
        [(Pause, "paused", false), (Resume, "running", true), (Conclude, "concluded", false)]
    {
        let acted = shop.act(HERO, action).await.unwrap();
        assert_eq!(acted.resource["status"], status);
        assert_eq!(shop.shows("Ship faster").await, is_shown, "{action:?}");
    }
    assert_eq!(shop.act(HERO, Archive).await.unwrap().resource["status"], "archived");
    assert_eq!(shop.act(HERO, Restore).await.unwrap().resource["status"], "paused");
}

#[tokio::test]
async fn an_impossible_action_is_refused_with_the_possible_ones() {
    let shop = Shop::with_hero().await;

    let refusal = refused(shop.act(HERO, CampaignAction::Pause).await);

    let Refusal::Impossible { state, allowed } = refusal else { panic!("{refusal:?}") };
    assert_eq!((state, allowed), ("not_started", vec!["start", "archive"]));
    assert_eq!(shop.live_number().await, None);
}

#[tokio::test]
async fn a_campaign_that_was_never_live_is_restored_as_not_started() {
    let shop = Shop::with_hero().await;
    shop.act(HERO, CampaignAction::Archive).await.unwrap();

    let restored = shop.act(HERO, CampaignAction::Restore).await.unwrap();

    assert_eq!((&restored.resource["status"], restored.revision), (&json!("not_started"), None));
}

#[tokio::test]
async fn an_action_on_a_missing_campaign_is_refused() {
    let shop = Shop::with_hero().await;

    for name in ["9", "key:heros", ""] {
        let refusal = refused(shop.start(name).await);
        assert!(matches!(refusal, Refusal::NotFound), "{name}: {refusal:?}");
    }
    assert!(shop.start("key:hero").await.is_ok());
}

#[tokio::test]
async fn an_action_on_a_campaign_that_changed_meanwhile_is_refused() {
    let shop = Shop::with_hero().await;
    let seen = shop.get(Campaign, HERO).await;
    shop.change(Campaign, HERO, json!({"name": "Edited"})).await.unwrap();
    let start = |seen| Act {
        action: CampaignAction::Start,
        target: Target::Campaign(HERO.to_owned()),
        conclusion: Conclusion::default(),
        expected: seen,
    };

    let refusal = refused(shop.act_on(start(only(&seen))).await);

    let Refusal::Changed { current, yours: None } = refusal else { panic!("{refusal:?}") };
    assert_eq!(current, shop.get(Campaign, HERO).await);
    assert_eq!(shop.live_number().await, None);
    assert!(shop.act_on(start(only(&current))).await.is_ok());
}

#[tokio::test]
async fn a_start_takes_nothing_along_that_others_are_working_on() {
    let shop = Shop::running().await;
    shop.has(Page, json!({"id": "2002", "key": "cart", "conditions": []})).await;
    let mut offer = hero("3002", "offer");
    offer["pages"] = json!(["cart"]);
    offer["experiments"][0]["variations"][1]["changes"][0]["value"] = json!("Half price");
    shop.has(Campaign, offer).await;
    let unfinished =
        json!({"changes": [{"type": "text", "selector": "h2", "value": "Unfinished"}]});
    shop.change(Campaign, HERO, unfinished).await.unwrap();

    shop.start("3002").await.unwrap();

    let snippet = shop.snippet().await;
    assert!(snippet.contains("Half price") && snippet.contains("Ship faster"));
    assert!(!snippet.contains("Unfinished"));
    let hero = shop.get(Campaign, HERO).await;
    assert_eq!(hero["changes"][0]["value"], "Unfinished");
}

/// An audience of those whose attribute says `pro`.
fn asking(attribute: &str) -> Value {
    json!(["or", {"type": "custom_attribute", "name": attribute, "value": "pro"}])
}

/// A campaign for an audience.
fn aimed(id: &str, key: &str, audience: &str) -> Value {
    let mut campaign = hero(id, key);
    campaign["experiments"][0]["audiences"] = json!(["or", audience]);
    campaign
}

#[tokio::test]
async fn a_started_campaign_brings_its_audiences_and_attributes() {
    let shop = Shop::open().await;
    shop.has(Attribute, json!({"key": "plan"})).await;
    shop.has(Attribute, json!({"key": "unused"})).await;
    shop.has(Audience, json!({"key": "paying", "conditions": asking("plan")})).await;
    let both = json!(["and", {"audience": "paying"}]);
    shop.has(Audience, json!({"key": "both", "conditions": both})).await;
    shop.has(Campaign, aimed(HERO, "hero", "both")).await;

    shop.start(HERO).await.unwrap();

    let live = shop.revision(1).await;
    assert_eq!(each(elements(&live["audiences"]), "key"), ["paying", "both"]);
    assert_eq!(each(elements(&live["attributes"]), "key"), ["plan"]);
}

#[tokio::test]
async fn a_first_start_brings_the_pages_that_audiences_ask_for_and_leaves_events_behind() {
    let shop = Shop::open().await;
    shop.has(Page, json!({"id": "2002", "key": "prices", "conditions": []})).await;
    shop.has(Page, json!({"id": "2003", "key": "help", "conditions": []})).await;
    shop.has(Event, json!({"key": "asked", "type": "pageview", "page": "help"})).await;
    let were_there = json!(["or", {"type": "behavior", "value": {"page": "prices"}}]);
    shop.has(Audience, json!({"key": "keen", "conditions": were_there})).await;
    shop.has(Campaign, aimed(HERO, "hero", "keen")).await;

    shop.start(HERO).await.unwrap();

    let live = shop.revision(1).await;
    assert_eq!(each(elements(&live["pages"]), "key"), ["home", "prices"]);
    assert_eq!(live["events"], json!([]));
}

#[tokio::test]
async fn the_experiment_of_an_ab_test_is_started_with_its_campaign() {
    let shop = Shop::with_hero().await;
    let experiment = id(&shop.experiment().await);
    let start = Act {
        action: CampaignAction::Start,
        target: Target::Experiment(experiment),
        conclusion: Conclusion::default(),
        expected: anything(),
    };

    let started = shop.act_on(start).await.unwrap();

    assert_eq!(started.resource["status"], "running");
    assert_eq!(started.resource["campaign_id"], HERO);
    assert_eq!(shop.get(Campaign, HERO).await["status"], "running");
}

#[tokio::test]
async fn an_experience_begins_and_ends_with_its_campaign() {
    let shop = Shop::open().await;
    let mut offer = hero("3002", "offer");
    offer["type"] = json!("personalization");
    let offer = shop.has(Campaign, offer).await;
    let target = Target::Experiment(id(&offer["experiments"][0]));
    let (action, conclusion) = (CampaignAction::Start, Conclusion::default());

    let refusal =
        refused(shop.act_on(Act { action, target, conclusion, expected: anything() }).await);

    let Refusal::Impossible { allowed, .. } = refusal else { panic!("{refusal:?}") };
    assert_eq!(allowed, ["archive", "restore"]);
    assert_eq!(shop.get(Campaign, "3002").await["status"], "not_started");
}

#[tokio::test]
async fn weights_and_order_of_a_running_experiment_change_only_with_a_new_phase() {
    let shop = Shop::running().await;
    let experiment = shop.experiment().await;
    let [_, short] = shop.variations().await;
    let mut swapped = experiment["variations"].clone();
    swapped.as_array_mut().unwrap().reverse();

    let weighed = refused(shop.change(Variation, &short, json!({"weight": 1000})).await);
    let reordered = json!({"variations": swapped});
    let reordered = refused(shop.change(Experiment, &id(&experiment), reordered).await);
    let renamed = shop.change(Variation, &short, json!({"name": "Shorter"})).await;

    assert!(matches!(weighed, Refusal::Running(_)) && weighed.says("start a new phase"));
    assert_eq!(weighed.places(), ["/weight"]);
    assert!(matches!(reordered, Refusal::Running(_)), "{reordered:?}");
    assert_eq!(reordered.places()[0], "/variations");
    assert_eq!(renamed.unwrap()["name"], "Shorter");

    let weights = json!({"variations": [{"key": "original", "weight": 9000}, {"key": "short", "weight": 1000}]});
    let phase = shop.start_phase(&id(&experiment), weights).await.unwrap().experiment;
    assert_eq!(
        (&phase["key"], &phase["variations"][0]["weight"]),
        (&json!("hero-2"), &json!(9000))
    );
    assert_ne!(id(&phase["variations"][1]), short);
    shop.publish("another split").await.unwrap();
    assert_eq!(shop.revision(2).await["campaigns"][0]["experiments"][0]["id"], phase["id"]);
}

#[tokio::test]
async fn an_experiment_that_is_archived_and_goes_on_has_the_draw_that_it_had() {
    let shop = Shop::running().await;
    for action in [CampaignAction::Conclude, CampaignAction::Archive] {
        shop.act(HERO, action).await.unwrap();
    }
    shop.publish("archived").await.unwrap();
    let [_, short] = shop.variations().await;

    let refusal = refused(shop.change(Variation, &short, json!({"weight": 1000})).await);

    assert!(matches!(refusal, Refusal::Running(_)), "{refusal:?}");
}

#[tokio::test]
async fn the_answer_to_an_action_has_the_tag_for_the_next_change() {
    let shop = Shop::with_hero().await;
    let started = shop.start(HERO).await.unwrap();

    let seen = only(&started.resource);
    let renamed = shop.change_if(Campaign, HERO, (json!({"name": "New"}), seen)).await;

    assert_eq!(renamed.unwrap()["name"], "New");
}

#[tokio::test]
async fn what_goes_live_takes_a_token_that_may_publish() {
    let shop = Shop::with_hero().await;
    let writer = shop.seen_by(&through_program(&shop.actor, "config:read config:write"));
    let publisher = shop.seen_by(&through_program(&shop.actor, "config:read publish"));

    let refusal = refused(writer.start(HERO).await);
    let started = publisher.start(HERO).await;

    assert!(matches!(refusal, Refusal::Role(_)), "{refusal:?}");
    assert_eq!(started.unwrap().resource["status"], "running");
}

#[tokio::test]
async fn a_campaign_of_a_group_starts_with_the_share_that_it_has_in_the_draft() {
    let shop = Shop::with_hero().await;
    shop.has(Campaign, hero("3002", "offer")).await;
    let members =
        json!([{"campaign": "hero", "weight": 5000}, {"campaign": "offer", "weight": 5000}]);
    let group = shop.has(Group, json!({"key": "checkout", "members": members})).await;

    shop.start("3002").await.unwrap();

    let live = shop.revision(1).await;
    assert_eq!(live["groups"][0]["members"], members);
    let other = elements(&live["campaigns"]).iter().find(|one| one["id"] == HERO).unwrap();
    assert_eq!(other["status"], "not_started");
    shop.start(HERO).await.unwrap();
    let swapped =
        json!([{"campaign": "offer", "weight": 5000}, {"campaign": "hero", "weight": 5000}]);
    let refusal = refused(shop.change(Group, &id(&group), json!({"members": swapped})).await);
    assert_eq!(refusal.places()[0], "/members");
    let user = json!({"snippet": {"visitor_id": {"source": "cookie", "name": "user"}}});
    let refusal = refused(shop.change_project(user).await);
    assert!(matches!(refusal, Refusal::Running(_)), "{refusal:?}");
}

#[tokio::test]
async fn an_action_is_a_revision_by_whoever_did_it_and_leaves_nothing_unpublished_of_the_campaign()
{
    let shop = Shop::with_hero().await;

    shop.start(HERO).await.unwrap();
    shop.act(HERO, CampaignAction::Pause).await.unwrap();

    let line = app::revisions::find_revision_line(shop.app(), &shop.actor, shop.id, 2).await;
    let line = line.unwrap();
    assert_eq!((&*line.author, &*line.message), ("ann@example.com", "pause hero"));
    assert_eq!(shop.unpublished().await.differences, []);
    let backwards = shop.compare(Side::Revision(2), Side::Revision(1)).await.unwrap();
    assert_eq!(backwards.differences[0].fields[0].pointer.as_str(), "/status");
}
