//! What is wrong is told with its place, and nothing of it is kept.

use app::documents::ResourceKind::{Attribute, Campaign, Experiment, Page, Variation};
use serde_json::json;

use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, id};

#[tokio::test]
async fn a_faulty_change_is_refused_with_pointers_and_changes_nothing() {
    let shop = Shop::with_hero().await;
    let before = shop.get(Campaign, HERO).await;
    let wrong = json!({"pages": ["hoem"], "holdbak": 1, "experiments": [{"key": "hero", "variations": [{"key": "a", "weight": 20000}]}]});

    let refusal = refused(shop.change(Campaign, HERO, wrong).await);

    assert_eq!(refusal.places(), ["/pages/0", "/experiments/0/variations/0/weight", "/holdbak"]);
    assert!(refusal.says("did you mean `home`?"), "{refusal:?}");
    assert!(refusal.says("did you mean `holdback`?"), "{refusal:?}");
    assert!(!refusal.says("line 1"), "{refusal:?}");
    assert_eq!(shop.get(Campaign, HERO).await, before);
}

#[tokio::test]
async fn a_read_only_field_is_refused_with_the_way_to_change_it() {
    let shop = Shop::with_hero().await;
    let sent_back = shop.get(Campaign, HERO).await;

    let written = json!({"status": "running", "id": "1"});
    let refusal = refused(shop.change(Campaign, HERO, written).await);
    let same = shop.change(Campaign, HERO, sent_back).await;
    let running = json!({"status": "running", "key": "x", "type": "ab_test"});
    let created = refused(shop.create(Campaign, running).await);

    assert_eq!(refusal.places(), ["/id", "/status"]);
    assert!(refusal.says("use the actions `start`"), "{refusal:?}");
    assert!(same.is_ok(), "{same:?}");
    assert_eq!(created.places()[0], "/status");
}

#[tokio::test]
async fn what_a_resource_belongs_to_does_not_change() {
    let shop = Shop::with_hero().await;
    let (experiment, [variation, _]) = (id(&shop.experiment().await), shop.variations().await);

    for (kind, name, field, value) in [
        (Campaign, HERO, "shipped", json!(true)),
        (Campaign, HERO, "project_id", json!("7")),
        (Experiment, &*experiment, "campaign_id", json!("3002")),
        (Experiment, &*experiment, "status", json!("running")),
        (Experiment, &*experiment, "archived", json!(true)),
        (Variation, &*variation, "experiment_id", json!("1")),
        (Variation, &*variation, "campaign_id", json!("1")),
        (Page, "2001", "archived", json!(true)),
    ] {
        let refusal = refused(shop.change(kind, name, json!({field: value})).await);
        assert_eq!(refusal.places(), [format!("/{field}")], "{kind:?}");
    }
    for field in ["id", "archived", "revision", "managed_by", "draft"] {
        let refusal = refused(shop.change_project(json!({field: "other"})).await);
        assert_eq!(refusal.places(), [format!("/{field}")]);
    }
}

#[tokio::test]
async fn a_note_that_is_wrong_is_refused_with_its_place() {
    let shop = Shop::with_hero().await;
    let wrong = json!({"tags": ["a", "a"], "owner": "", "hypothesis": 7});

    let refusal = refused(shop.change(Campaign, HERO, wrong).await);

    let mut places = refusal.places();
    places.sort_unstable();
    assert_eq!(places, ["/hypothesis", "/owner", "/tags/1"]);
}

#[tokio::test]
async fn nothing_is_where_nothing_was_put() {
    let shop = Shop::with_hero().await;

    for (kind, name) in
        [(Page, "7"), (Page, "key:hoem"), (Variation, "key:short"), (Page, HERO), (Attribute, "")]
    {
        let refusal = refused(shop.find(kind, name).await);
        assert!(matches!(refusal, Refusal::NotFound), "{name}: {refusal:?}");
        let refusal = refused(shop.change(kind, name, json!({})).await);
        assert!(matches!(refusal, Refusal::NotFound), "{name}: {refusal:?}");
    }
    let elsewhere = Shop { id: "7".parse().unwrap(), ..shop };
    for refusal in [
        refused(elsewhere.find(Page, "2001").await),
        refused(elsewhere.create(Attribute, json!({"key": "plan"})).await),
        refused(elsewhere.publish("").await),
        refused(elsewhere.start(HERO).await),
    ] {
        assert!(matches!(refusal, Refusal::UnknownProject), "{refusal:?}");
    }
}
