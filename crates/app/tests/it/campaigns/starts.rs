//! What a start takes live with its campaign: what is live already stays as other campaigns have it.

use app::campaigns::at_start;
use app::documents::ResourceKind::{Attribute, Audience, Campaign, Event, Group, Metric, Page};
use app::drafts::readable_draft;
use app::resources::Archiving;
use app::revisions::find_revision_document;
use domain::KeptBack;
use serde_json::{Value, json};

use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, each, elements, hero, id};

const OFFER: &str = "3002";

/// What a draft that is refused beside what is live is told.
fn told(refusal: &Refusal) -> String {
    let Refusal::Faults(faults) = refusal else { panic!("{refusal:?}") };
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!(fault.hint.as_deref(), Some("publish the draft first"));
    fault.message.clone()
}

/// Another address for the page `home`.
fn elsewhere() -> Value {
    json!({"conditions": [{"type": "url", "match": "substring", "value": "/elsewhere"}]})
}

/// A campaign whose primary metric is this one.
fn measured(id: &str, key: &str, metric: &str) -> Value {
    let mut campaign = hero(id, key);
    campaign["metrics"] = json!({"primary": [metric]});
    campaign
}

#[tokio::test]
async fn a_start_leaves_a_page_as_it_is_live_and_its_changes_in_the_draft() {
    let shop = Shop::running().await;
    shop.change(Page, "2001", elsewhere()).await.unwrap();
    shop.has(Campaign, hero(OFFER, "offer")).await;

    shop.start(OFFER).await.unwrap();

    assert_eq!(shop.revision(2).await["pages"][0]["conditions"], json!([]));
    let page = shop.get(Page, "2001").await;
    assert_eq!(page["conditions"][0]["value"], "/elsewhere");
    assert_eq!(shop.unpublished().await.differences.len(), 1);
}

#[tokio::test]
async fn a_start_leaves_the_key_of_a_live_event_that_another_campaign_counts() {
    let shop = Shop::open().await;
    let event = shop.has(Event, json!({"key": "sign-up"})).await;
    let signups = json!({"key": "signups", "type": "conversion", "event": "sign-up"});
    shop.has(Metric, signups).await;
    shop.has(Campaign, measured(HERO, "hero", "signups")).await;
    shop.start(HERO).await.unwrap();
    shop.change(Event, &id(&event), json!({"key": "signed-up"})).await.unwrap();
    shop.has(Campaign, measured(OFFER, "offer", "signups")).await;

    shop.start(OFFER).await.unwrap();

    assert_eq!(each(elements(&shop.revision(2).await["events"]), "key"), ["sign-up"]);
}

#[tokio::test]
async fn a_start_brings_the_events_of_a_new_metric_as_the_draft_has_them() {
    let shop = Shop::running().await;
    shop.has(Event, json!({"key": "sign-up"})).await;
    let signups = json!({"key": "signups", "type": "conversion", "event": "sign-up"});
    shop.has(Metric, signups).await;
    shop.has(Campaign, measured(OFFER, "offer", "signups")).await;

    shop.start(OFFER).await.unwrap();

    let live = shop.revision(2).await;
    assert_eq!(each(elements(&live["events"]), "key"), ["sign-up"]);
    assert_eq!(live["campaigns"][1]["metrics"]["primary"], json!(["signups"]));
}

#[tokio::test]
async fn what_stays_in_the_draft_is_told_before_the_start() {
    let shop = Shop::running().await;
    shop.change(Page, "2001", elsewhere()).await.unwrap();
    shop.has(Page, json!({"id": "2002", "key": "cart", "conditions": []})).await;
    let mut offer = hero(OFFER, "offer");
    offer["pages"] = json!(["home", "cart"]);
    shop.has(Campaign, offer).await;

    let live = find_revision_document(shop.app(), &shop.actor, shop.id, 1).await.unwrap();
    let draft = readable_draft(shop.app(), &shop.actor, shop.id).await.unwrap();
    let offer = OFFER.parse().unwrap();
    let told = at_start(&live, &draft.project, offer).await.unwrap();

    assert_eq!(told.others, []);
    assert_eq!(told.kept_back, [KeptBack { kind: "page", title: "home".to_owned() }]);
}

#[tokio::test]
async fn what_a_start_does_to_the_events_of_others_is_told_before() {
    let shop = Shop::running().await;
    shop.change_project(json!({"results": "on"})).await.unwrap();
    shop.publish("").await.unwrap();
    shop.has(Event, json!({"id": "7001", "key": "click"})).await;
    let metric = json!({"id": "8001", "key": "clicks", "type": "conversion", "event": "click"});
    shop.has(Metric, metric).await;
    let mut offer = hero(OFFER, "offer");
    offer["metrics"] = json!({"primary": ["clicks"]});
    shop.has(Campaign, offer).await;

    let live = find_revision_document(shop.app(), &shop.actor, shop.id, 2).await.unwrap();
    let draft = readable_draft(shop.app(), &shop.actor, shop.id).await.unwrap();
    let told = at_start(&live, &draft.project, OFFER.parse().unwrap()).await.unwrap();

    let texts: Vec<_> = told.others.iter().map(|notice| notice.text.as_str()).collect();
    assert!(texts.iter().any(|text| text.contains("decided by `clicks`")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("only `click` will be taken")), "{texts:?}");
}

#[tokio::test]
async fn a_start_whose_new_page_has_the_live_key_of_another_is_refused() {
    let shop = Shop::running().await;
    shop.change(Page, "2001", json!({"key": "start"})).await.unwrap();
    shop.has(Page, json!({"id": "2002", "key": "home", "conditions": []})).await;
    let mut offer = hero(OFFER, "offer");
    offer["pages"] = json!(["home"]);
    shop.has(Campaign, offer).await;

    let refusal = refused(shop.start(OFFER).await);

    let message = told(&refusal);
    assert!(message.contains("another page has the key `home`"), "{message}");
    assert_eq!(shop.live_number().await, Some(1));
}

#[tokio::test]
async fn a_start_on_a_page_that_is_restored_only_in_the_draft_is_refused() {
    let shop = Shop::running().await;
    shop.has(Page, json!({"id": "2002", "key": "cart", "conditions": []})).await;
    shop.archive(Page, "2002", Archiving::Archive).await.unwrap();
    shop.publish("archived").await.unwrap();
    shop.archive(Page, "2002", Archiving::Restore).await.unwrap();
    let mut offer = hero(OFFER, "offer");
    offer["pages"] = json!(["cart"]);
    shop.has(Campaign, offer).await;

    let refusal = refused(shop.start(OFFER).await);

    let message = told(&refusal);
    assert!(message.contains("the page `cart` is archived"), "{message}");
    shop.publish("restored").await.unwrap();
    shop.start(OFFER).await.unwrap();
}

#[tokio::test]
async fn a_new_audience_asks_for_a_live_attribute_by_the_live_key() {
    let shop = Shop::open().await;
    let plan = shop.has(Attribute, json!({"key": "plan"})).await;
    let asking = |key| json!(["or", {"type": "custom_attribute", "name": key, "value": "pro"}]);
    let aimed = |id, key, audience| {
        let mut campaign = hero(id, key);
        campaign["experiments"][0]["audiences"] = json!(["or", audience]);
        campaign
    };
    shop.has(Audience, json!({"key": "paying", "conditions": asking("plan")})).await;
    shop.has(Campaign, aimed(HERO, "hero", "paying")).await;
    shop.start(HERO).await.unwrap();
    shop.change(Attribute, &id(&plan), json!({"key": "tier"})).await.unwrap();
    shop.has(Audience, json!({"key": "others", "conditions": asking("tier")})).await;
    shop.has(Campaign, aimed(OFFER, "offer", "others")).await;

    shop.start(OFFER).await.unwrap();

    let live = shop.revision(2).await;
    assert_eq!(each(elements(&live["attributes"]), "key"), ["plan"]);
    for audience in elements(&live["audiences"]) {
        assert_eq!(audience["conditions"][1]["name"], "plan", "{audience}");
    }
}

/// The members of a group that has these campaigns with these weights.
fn members(members: &[(&str, u32)]) -> Value {
    let members = members.iter().map(|(key, weight)| json!({"campaign": key, "weight": weight}));
    members.collect()
}

#[tokio::test]
async fn a_campaign_joins_a_live_group_without_those_behind_it() {
    let shop = Shop::with_hero().await;
    let first = json!({"key": "checkout", "members": members(&[("hero", 3000)])});
    let group = shop.has(Group, first).await;
    shop.start(HERO).await.unwrap();
    shop.has(Campaign, hero(OFFER, "offer")).await;
    shop.has(Campaign, hero("3003", "later")).await;
    let three = members(&[("hero", 3000), ("offer", 3000), ("later", 3000)]);
    shop.change(Group, &id(&group), json!({"key": "till", "members": three})).await.unwrap();

    shop.start(OFFER).await.unwrap();

    let live = shop.revision(2).await;
    assert_eq!(live["groups"][0]["key"], "checkout");
    assert_eq!(live["groups"][0]["members"], members(&[("hero", 3000), ("offer", 3000)]));
    assert_eq!(each(elements(&live["campaigns"]), "key"), ["hero", "offer"]);
}

#[tokio::test]
async fn a_start_that_would_give_another_campaign_a_share_of_the_draft_is_refused() {
    let shop = Shop::with_hero().await;
    let first = json!({"key": "checkout", "members": members(&[("hero", 3000)])});
    let group = shop.has(Group, first).await;
    shop.publish("planned").await.unwrap();
    shop.has(Campaign, hero(OFFER, "offer")).await;
    let other = members(&[("hero", 2000), ("offer", 3000)]);
    shop.change(Group, &id(&group), json!({"members": other})).await.unwrap();

    let refusal = refused(shop.start(OFFER).await);

    let message = told(&refusal);
    assert!(message.contains("the group `checkout` has unpublished changes"), "{message}");
}
