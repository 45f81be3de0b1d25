//! Many work on one project at the same moment.

use std::future::Future;

use app::campaigns::CampaignAction;
use app::documents::ResourceKind::{Attribute, Campaign};
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crate::shop::{HERO, Outcome, Shop, hero, only};

/// More than ever work on one project within a second.
const EDITORS: usize = 100;

/// Starts all before it waits for any.
async fn at_once<T>(futures: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut waiting: Vec<_> = futures.map(Box::pin).collect();
    let mut done = Vec::new();
    std::future::poll_fn(|context| {
        waiting.retain_mut(|future| match future.as_mut().poll(context) {
            std::task::Poll::Ready(value) => {
                done.push(value);
                false
            }
            std::task::Poll::Pending => true,
        });
        if waiting.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done
}

/// The ids of so many campaigns that the shop has now.
async fn with_campaigns(shop: &Shop, count: usize) -> Vec<String> {
    let mut document = shop.document().await;
    let numbers = 0..count;
    let all = numbers.map(|number| hero(&(3001 + number).to_string(), &format!("hero{number}")));
    document["campaigns"] = all.collect();
    shop.replace(document, app::drafts::Removal::Refused).await.unwrap();
    (0..count).map(|number| (3001 + number).to_string()).collect()
}

#[tokio::test]
async fn members_who_change_different_campaigns_all_succeed() {
    let shop = Shop::open().await;
    let ids = with_campaigns(&shop, EDITORS).await;
    let seen = shop.all(Campaign).await;

    let patch = |seen| (json!({"holdback": 77}), only(seen));
    let changes = ids.iter().zip(&seen);
    let changes = changes.map(|(id, seen)| shop.change_if(Campaign, id, patch(seen)));
    let done = at_once(changes).await;

    assert!(done.iter().all(Result::is_ok), "{done:?}");
    assert!(shop.all(Campaign).await.iter().all(|campaign| campaign["holdback"] == 77));
}

#[tokio::test]
async fn of_those_who_change_one_campaign_one_succeeds() {
    let shop = Shop::with_hero().await;
    let seen = shop.get(Campaign, HERO).await;

    let patch = |holdback| (json!({"holdback": holdback}), only(&seen));
    let changes = (1..=EDITORS).map(|holdback| shop.change_if(Campaign, HERO, patch(holdback)));
    let done = at_once(changes).await;

    assert_eq!(done.iter().filter(|one| one.is_ok()).count(), 1);
    let late = done.iter().filter(|one| matches!(one, Err(Refusal::Changed { .. }))).count();
    assert_eq!(late, EDITORS - 1);
}

#[tokio::test]
async fn everything_that_is_added_at_once_is_there() {
    let shop = Shop::open().await;

    let added = (0..EDITORS).map(|one| shop.create(Attribute, json!({"key": format!("a{one}")})));
    let done = at_once(added).await;

    assert!(done.iter().all(Result::is_ok), "{done:?}");
    assert_eq!(shop.all(Attribute).await.len(), EDITORS);
}

#[tokio::test]
async fn of_those_who_take_one_key_at_once_one_gets_it() {
    let shop = Shop::open().await;

    let ids: Vec<String> = (1..=20).map(|id| id.to_string()).collect();
    let done = at_once(ids.iter().map(|id| shop.begin(id, "blog"))).await;

    assert_eq!(done.iter().filter(|one| one.is_ok()).count(), 1);
    assert_eq!(done.iter().filter(|one| matches!(one, Err(Refusal::KeyTaken))).count(), 19);
}

/// One of three kinds of changes.
async fn edit(shop: &Shop, ids: &[String], number: usize) -> Outcome {
    let id = &ids[number % ids.len()];
    match number / ids.len() {
        0 => shop.act(id, CampaignAction::Pause).await.map(|acted| acted.resource),
        1 => shop.change(Campaign, id, json!({"name": "Edited"})).await,
        _ => shop.create(Attribute, json!({"key": format!("a{number}")})).await,
    }
}

#[tokio::test]
async fn campaigns_that_are_started_and_edited_while_the_draft_is_published_are_all_live() {
    let shop = Shop::open().await;
    let ids = with_campaigns(&shop, 20).await;

    let started = at_once(ids.iter().map(|id| shop.start(id))).await;
    let edited = at_once((0..60).map(|number| edit(&shop, &ids, number))).await;
    let published = at_once((0..20).map(|_| shop.publish(""))).await;

    assert!(started.iter().all(Result::is_ok), "{started:?}");
    assert!(edited.iter().all(Result::is_ok), "{edited:?}");
    assert!(published.iter().all(Result::is_ok), "{published:?}");
    let is_as_edited =
        |campaign: &Value| campaign["status"] == "paused" && campaign["name"] == "Edited";
    assert!(shop.all(Campaign).await.iter().all(is_as_edited));
    assert_eq!(shop.unpublished().await.differences, []);
}
