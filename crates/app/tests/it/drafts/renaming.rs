//! A key is changed, and whatever refers to it goes on to mean the same.

use app::documents::ResourceKind::{Attribute, Audience, Campaign, Page};
use serde_json::json;

use crate::shop::{HERO, Shop, hero};

/// An audience that asks for an attribute, another one that asks for that audience and for a page, and a campaign for both.
async fn with_audiences() -> Shop {
    let shop = Shop::open().await;
    shop.has(Attribute, json!({"id": "7001", "key": "plan"})).await;
    let paying = json!(["or", {"type": "custom_attribute", "name": "plan", "value": "pro"}]);
    shop.has(Audience, json!({"id": "6001", "key": "paying", "conditions": paying})).await;
    let both = json!(["and", {"audience": "paying"}, ["not", {"type": "behavior", "value": {"page": "home"}}]]);
    shop.has(Audience, json!({"id": "6002", "key": "both", "conditions": both})).await;
    let mut campaign = hero(HERO, "hero");
    campaign["experiments"][0]["audiences"] = json!(["or", "both"]);
    shop.has(Campaign, campaign).await;
    shop
}

#[tokio::test]
async fn a_renamed_page_takes_the_references_along() {
    let shop = Shop::with_hero().await;

    shop.change(Page, "2001", json!({"key": "start"})).await.unwrap();

    assert_eq!(shop.document().await["campaigns"][0]["pages"], json!(["start"]));
}

#[tokio::test]
async fn conditions_of_audiences_follow_renamed_keys() {
    let shop = with_audiences().await;

    for (kind, id, key) in [
        (Attribute, "7001", "tariff"),
        (Page, "2001", "start"),
        (Audience, "6001", "customers"),
        (Audience, "6002", "all"),
    ] {
        shop.change(kind, id, json!({"key": key})).await.unwrap();
    }

    let document = shop.document().await;
    assert_eq!(document["audiences"][0]["conditions"][1]["name"], "tariff");
    assert_eq!(document["audiences"][1]["conditions"][1]["audience"], "customers");
    assert_eq!(document["audiences"][1]["conditions"][2][1]["value"]["page"], "start");
    let audience = shop.get(Audience, "6002").await;
    assert_eq!(audience["conditions"][1], json!({"audience": "6001"}));
    assert_eq!(audience["conditions"][2][1]["value"]["page"], "2001");
    shop.start(HERO).await.unwrap();
    assert!(shop.shows("tariff").await);
}

#[tokio::test]
async fn a_renamed_audience_goes_live_beside_campaigns_that_know_its_old_key() {
    let shop = with_audiences().await;
    shop.start(HERO).await.unwrap();
    shop.change(Audience, "6001", json!({"key": "customers"})).await.unwrap();
    let mut offer = hero("3002", "offer");
    offer["experiments"][0]["audiences"] = json!("customers");
    shop.has(Campaign, offer).await;

    let started = shop.start("3002").await;

    assert_eq!(started.unwrap().resource["status"], "running");
}
