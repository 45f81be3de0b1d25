//! How programs find what they look for: searched, sorted, of the draft or as it is live.

use app::documents::ResourceKind::{Attribute, Audience, Campaign};
use app::resources::{
    Order, OrderField, ResourceFilter, State, list_audience_references, list_resources,
};
use domain::CampaignStatus;
use serde_json::json;
use storage::ListRange;

use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, each, hero};

/// The ids of the campaigns that a filter finds.
async fn found(shop: &Shop, filter: ResourceFilter) -> Vec<String> {
    let listed = shop.list(Campaign, filter).await.resources;
    each(&listed, "id").into_iter().map(str::to_owned).collect()
}

fn text(text: &str) -> ResourceFilter {
    ResourceFilter { text: Some(text.to_owned()), ..ResourceFilter::default() }
}

/// In this order, or the other way round.
fn ordered(by: OrderField) -> ResourceFilter {
    let order = Order { by, is_descending: false };
    ResourceFilter { order: Some(order), ..ResourceFilter::default() }
}

fn reversed(by: OrderField) -> ResourceFilter {
    let order = Order { by, is_descending: true };
    ResourceFilter { order: Some(order), ..ResourceFilter::default() }
}

/// `hero` with the id 3001, and then `banner` with the id 30.
async fn with_two() -> Shop {
    let shop = Shop::with_hero().await;
    let mut other = hero("30", "banner");
    other["name"] = json!("Über alles");
    shop.has(Campaign, other).await;
    shop
}

#[tokio::test]
async fn lists_are_sorted() {
    let shop = with_two().await;

    for (filter, ids) in [
        (ResourceFilter::default(), ["3001", "30"]),
        (ordered(OrderField::Id), ["30", "3001"]),
        (reversed(OrderField::Id), ["3001", "30"]),
        (reversed(OrderField::Key), ["3001", "30"]),
        (reversed(OrderField::Name), ["30", "3001"]),
    ] {
        assert_eq!(found(&shop, filter.clone()).await, ids, "{filter:?}");
    }
}

#[tokio::test]
async fn lists_are_searched() {
    let shop = with_two().await;
    let by_key = ResourceFilter { key: Some("banner".to_owned()), ..ResourceFilter::default() };

    assert_eq!(found(&shop, text("HERO")).await, ["3001"]);
    assert_eq!(found(&shop, text("über")).await, ["30"]);
    assert_eq!(found(&shop, text("3001")).await, ["3001"]);
    assert_eq!(found(&shop, text("30")).await, ["30"], "a part of an id is none");
    assert_eq!(found(&shop, text("Not started")).await, ["3001", "30"]);
    assert_eq!(found(&shop, text("start")).await, [""; 0], "nor is a part of a status");
    assert_eq!(found(&shop, text("nothing")).await, [""; 0]);
    assert_eq!(found(&shop, by_key).await, ["30"]);
}

#[tokio::test]
async fn campaigns_are_found_by_their_state_and_by_what_members_note_of_them() {
    let shop = with_two().await;
    let written = json!({"tags": ["spring"], "owner": "ann@shop.example"});
    shop.change(Campaign, HERO, written).await.unwrap();
    shop.start(HERO).await.unwrap();
    let noted = |tag: Option<&str>, owner: Option<&str>| ResourceFilter {
        tag: tag.map(str::to_owned),
        owner: owner.map(str::to_owned),
        ..ResourceFilter::default()
    };
    let in_state = |status| ResourceFilter { status: Some(status), ..ResourceFilter::default() };

    assert_eq!(found(&shop, noted(Some("spring"), None)).await, ["3001"]);
    assert_eq!(found(&shop, noted(Some("Spring"), None)).await, [""; 0]);
    assert_eq!(found(&shop, noted(None, Some("ann@shop.example"))).await, ["3001"]);
    assert_eq!(found(&shop, noted(Some("spring"), Some("bob"))).await, [""; 0]);
    assert_eq!(found(&shop, in_state(CampaignStatus::Running)).await, ["3001"]);
    assert_eq!(found(&shop, in_state(CampaignStatus::NotStarted)).await, ["30"]);
}

#[tokio::test]
async fn lists_come_page_by_page_with_the_total() {
    let shop = with_two().await;
    let page = async |page| {
        let asked = (ordered(OrderField::Id), ListRange { page, per_page: 1 });
        let listed = list_resources(shop.app(), &shop.actor, shop.id, Campaign, asked).await;
        let listed = listed.unwrap();
        (each(&listed.resources, "id").join(" "), listed.total)
    };

    assert_eq!(page(1).await, ("30".to_owned(), 2));
    assert_eq!(page(2).await, ("3001".to_owned(), 2));
    assert_eq!(page(3).await, (String::new(), 2));
}

#[tokio::test]
async fn what_is_live_is_read_beside_the_draft() {
    let shop = Shop::with_hero().await;
    let refusal = refused(shop.find_in(State::Live, Campaign, HERO).await);
    assert!(matches!(refusal, Refusal::NotPublished), "{refusal:?}");
    shop.publish("").await.unwrap();
    let published = shop.get(Campaign, HERO).await;
    shop.change(Campaign, HERO, json!({"name": "Edited"})).await.unwrap();
    shop.has(Attribute, json!({"key": "plan"})).await;

    assert_eq!(shop.find_in(State::Live, Campaign, HERO).await.unwrap(), published);
    assert_eq!(shop.get(Campaign, HERO).await["name"], "Edited");
    let live = ResourceFilter { state: State::Live, ..ResourceFilter::default() };
    assert_eq!(shop.list(Attribute, live).await.total, 0);
    assert_eq!(shop.all(Attribute).await.len(), 1);
}

#[tokio::test]
async fn an_audience_tells_which_experiments_name_it() {
    let shop = Shop::open().await;
    for (id, key) in [("5001", "phones"), ("5002", "members")] {
        let mobile = json!({"type": "device", "value": "mobile"});
        shop.has(Audience, json!({"id": id, "key": key, "conditions": mobile})).await;
    }
    let mut campaign = hero(HERO, "hero");
    campaign["experiments"][0]["audiences"] = json!(["or", "phones", ["not", "members"]]);
    shop.has(Campaign, campaign).await;
    shop.has(Campaign, hero("3002", "other")).await;
    let references =
        async |name| list_audience_references(shop.app(), &shop.actor, shop.id, name).await;

    let [reference] = &references("key:members").await.unwrap()[..] else { panic!("not one") };

    assert_eq!((&reference["campaign_id"], &reference["key"]), (&json!(HERO), &json!("hero")));
    assert!(matches!(refused(references("77").await), Refusal::NotFound));
}
