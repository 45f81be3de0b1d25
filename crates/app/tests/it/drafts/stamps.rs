//! Each resource says when it was created and last changed, and by whom, and its history tells what changed.

use app::documents::ResourceKind::{self, Attribute, Campaign, Experiment, Page, Variation};
use app::drafts::Removal;
use app::projects::{Origin, publish_project};
use app::resources::State;
use serde_json::{Value, json};

use super::files::written;
use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, anything, each, id};

/// When a resource was created and last changed, and by whom.
fn stamp_in(resource: &Value) -> Value {
    let stamp = ["created_at", "updated_at", "updated_by"];
    stamp.into_iter().map(|field| (field.to_owned(), resource[field].clone())).collect()
}

async fn stamp(shop: &Shop, kind: ResourceKind, id: &str) -> Value {
    stamp_in(&shop.get(kind, id).await)
}

/// A shop with a campaign, a minute after it was made.
async fn a_minute_later() -> Shop {
    let shop = Shop::with_hero().await;
    shop.server.advance_seconds(60);
    shop
}

#[tokio::test]
async fn a_resource_says_when_it_was_created_and_last_changed_and_by_whom() {
    let shop = a_minute_later().await;
    let created = stamp(&shop, Campaign, HERO).await;
    assert_eq!(
        created,
        json!({
            "created_at": "2027-01-15T08:00:00Z", "updated_at": "2027-01-15T08:00:00Z",
            "updated_by": "ann@example.com",
        })
    );
    let page = stamp(&shop, Page, "2001").await;

    let changed = shop.change(Campaign, HERO, json!({"name": "New"})).await.unwrap();

    let now = stamp_in(&changed);
    assert_eq!(now, stamp(&shop, Campaign, HERO).await);
    assert_eq!(now["created_at"], created["created_at"]);
    assert_eq!(now["updated_at"], "2027-01-15T08:01:00Z");
    assert_eq!(stamp(&shop, Page, "2001").await, page, "nothing changed there");
    let [variation, _] = shop.variations().await;
    assert_eq!(stamp(&shop, Variation, &variation).await["updated_at"], created["updated_at"]);
    assert_eq!(shop.project().await["updated_at"], now["updated_at"]);
}

#[tokio::test]
async fn the_parents_of_a_changed_resource_change_with_it() {
    let shop = a_minute_later().await;
    let [original, short] = shop.variations().await;
    let before = stamp(&shop, Campaign, HERO).await;

    shop.change(Variation, &short, json!({"name": "Short"})).await.unwrap();

    let after = stamp(&shop, Variation, &short).await;
    assert_ne!(after["updated_at"], before["updated_at"]);
    let experiment = id(&shop.experiment().await);
    for (kind, id) in [(Campaign, HERO), (Experiment, &experiment)] {
        assert_eq!(stamp(&shop, kind, id).await["updated_at"], after["updated_at"], "{kind:?}");
    }
    let beside = stamp(&shop, Variation, &original).await;
    assert_eq!(beside["updated_at"], before["updated_at"]);
}

#[tokio::test]
async fn lists_say_what_each_resource_says() {
    let shop = Shop::with_hero().await;
    shop.has(Attribute, json!({"key": "plan"})).await;

    for kind in [Attribute, Page, Campaign, Experiment, Variation] {
        for listed in shop.all(kind).await {
            assert_eq!(shop.get(kind, &id(&listed)).await, listed);
        }
    }
}

#[tokio::test]
async fn what_was_read_is_sent_back_as_it_is_with_one_field_changed() {
    let shop = Shop::with_hero().await;
    shop.has(Attribute, json!({"key": "plan"})).await;
    for kind in [Attribute, Page, Campaign, Experiment, Variation] {
        let mut read = shop.all(kind).await[0].take();
        read["name"] = json!("Renamed");

        let changed = shop.change(kind, &id(&read), read.clone()).await.unwrap();

        assert_eq!(changed["name"], "Renamed");
        let late = shop.change_if(kind, &id(&read), (read, anything())).await;
        assert!(late.is_ok(), "an old stamp is ignored: {late:?}");
    }
    let mut project = shop.project().await;
    project["name"] = json!("Renamed");
    assert_eq!(shop.change_project(project).await.unwrap()["name"], "Renamed");
    let mut page = shop.get(Page, "2001").await;
    (page["id"], page["key"]) = (json!("2002"), json!("copy"));
    assert!(shop.create(Page, page).await.is_ok());
}

#[tokio::test]
async fn a_document_changes_the_stamps_of_what_it_changes() {
    let shop = a_minute_later().await;
    let (page, hero) = (stamp(&shop, Page, "2001").await, stamp(&shop, Campaign, HERO).await);
    let mut document = shop.document().await;
    assert!(!document.to_string().contains("updated_at"), "{document}");
    document["pages"][0]["name"] = json!("Home");

    shop.replace(document, Removal::Refused).await.unwrap();

    let changed = stamp(&shop, Page, "2001").await;
    assert_eq!(changed["created_at"], page["created_at"]);
    assert_ne!(changed["updated_at"], page["updated_at"]);
    assert_eq!(stamp(&shop, Campaign, HERO).await, hero);
}

#[tokio::test]
async fn a_project_file_changes_the_stamps_of_what_it_changes() {
    let shop = Shop::open().await;
    shop.publish("mine").await.unwrap();
    let publish = async |name: &str| {
        let project = written(&format!(
            "{{version: 1, project: {{id: 1000, key: shop}}, pages: [{{id: 2001, key: home, name: {name}}}, {{id: 2002, key: cart}}]}}"
        ));
        publish_project(shop.app(), project, Origin::ProjectFile).await.unwrap();
    };
    publish("a").await;
    let (home, cart) = (stamp(&shop, Page, "2001").await, stamp(&shop, Page, "2002").await);
    assert_eq!(home["updated_by"], "project file");
    shop.server.advance_seconds(60);

    publish("b").await;

    assert_eq!(stamp(&shop, Page, "2002").await, cart);
    let changed = stamp(&shop, Page, "2001").await;
    assert_eq!(changed["created_at"], home["created_at"]);
    assert_ne!(changed["updated_at"], home["updated_at"]);
}

#[tokio::test]
async fn stamps_survive_a_restart_and_actions_change_those_of_their_campaign() {
    let shop = a_minute_later().await;
    let page = stamp(&shop, Page, "2001").await;
    shop.start(HERO).await.unwrap();
    let started = stamp(&shop, Campaign, HERO).await;
    assert_ne!(started["created_at"], started["updated_at"]);

    let shop = shop.restarted();

    assert_eq!(stamp(&shop, Campaign, HERO).await, started);
    assert_eq!(stamp(&shop, Page, "2001").await, page);
}

#[tokio::test]
async fn a_live_resource_says_since_when_it_is_unchanged() {
    let shop = Shop::running().await;
    let live = async || stamp_in(&shop.find_in(State::Live, Campaign, HERO).await.unwrap());
    let started = live().await;
    assert_eq!(started, stamp(&shop, Campaign, HERO).await);
    shop.server.advance_seconds(60);

    shop.change(Campaign, HERO, json!({"name": "Edited"})).await.unwrap();

    assert_eq!(live().await, started);
    assert_ne!(stamp(&shop, Campaign, HERO).await, started);
}

#[tokio::test]
async fn the_history_of_a_resource_tells_who_changed_what_and_when() {
    let shop = a_minute_later().await;
    shop.change(Campaign, HERO, json!({"name": "New"})).await.unwrap();
    shop.server.advance_seconds(60);
    shop.start(HERO).await.unwrap();

    let told = shop.history(Campaign, "key:hero").await.unwrap();

    assert_eq!(told.total, 3);
    assert_eq!(each(&told.resources, "change"), ["changed", "changed", "created"]);
    assert_eq!(each(&told.resources, "by"), ["ann@example.com"; 3]);
    let moments = ["2027-01-15T08:02:00Z", "2027-01-15T08:01:00Z", "2027-01-15T08:00:00Z"];
    assert_eq!(each(&told.resources, "at"), moments);
    let status = json!({"pointer": "/status", "before": "not_started", "after": "running"});
    assert_eq!(told.resources[0]["fields"][0], status);
    let name = json!([{"pointer": "/name", "before": "Hero", "after": "New"}]);
    assert_eq!(told.resources[1]["fields"], name);
    assert_eq!(shop.history(Page, "2001").await.unwrap().total, 1);
}

#[tokio::test]
async fn a_removed_resource_has_a_history_and_an_unknown_one_has_none() {
    let shop = Shop::with_hero().await;
    let mut document = shop.document().await;
    document["campaigns"] = json!([]);
    shop.replace(document, Removal::Wanted).await.unwrap();

    let removed = shop.history(Campaign, HERO).await.unwrap();

    assert_eq!(each(&removed.resources, "change"), ["removed", "created"]);
    for (kind, name) in [(Page, "9"), (Page, "key:nope"), (Page, HERO), (Campaign, "key:hero")] {
        let refusal = refused(shop.history(kind, name).await);
        assert!(matches!(refusal, Refusal::NotFound), "{name}: {refusal:?}");
    }
}
