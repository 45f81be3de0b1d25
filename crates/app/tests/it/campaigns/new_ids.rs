//! What is created anew is another thing than what had its key before: it has other ids, so that visitors and results of the two never mix.

use app::campaigns::Copied;
use app::documents::ResourceKind::{Campaign, Experiment};
use app::drafts::Removal;
use serde_json::{Value, json};

use crate::shop::{HERO, Shop, each, elements, experiences, hero, id};

/// The ids of a campaign's experiments and of their variations.
fn ids_inside(campaign: &Value) -> Vec<String> {
    let experiments = elements(&campaign["experiments"]).iter();
    let ids = experiments.flat_map(|experiment| {
        let variations = elements(&experiment["variations"]).iter().map(id);
        [id(experiment)].into_iter().chain(variations)
    });
    ids.collect()
}

/// The campaign of most stories, with an id that is made from its key.
fn promo() -> Value {
    let mut promo = hero(HERO, "promo");
    promo.as_object_mut().unwrap().remove("id");
    promo
}

fn share_an_id(one: &[String], other: &[String]) -> bool {
    one.iter().any(|id| other.contains(id))
}

#[tokio::test]
async fn a_phase_that_is_begun_again_after_a_rollback_has_ids_of_its_own() {
    let shop = Shop::running().await;
    let first = shop.revision(1).await;
    shop.start_phase(&id(&shop.experiment().await), json!({})).await.unwrap();
    shop.publish("second phase").await.unwrap();
    let second = shop.get(Campaign, HERO).await;
    shop.replace(first, Removal::Wanted).await.unwrap();
    shop.publish("back").await.unwrap();

    let again = shop.start_phase(&id(&shop.experiment().await), json!({})).await.unwrap();

    assert_eq!(again.experiment["key"], "hero-2");
    let [second, again] = [second, shop.get(Campaign, HERO).await].map(|one| ids_inside(&one));
    assert!(!share_an_id(&second, &again), "{second:?} {again:?}");
}

#[tokio::test]
async fn a_phase_that_keeps_the_key_of_its_experiment_has_ids_of_its_own() {
    let shop = Shop::running().await;
    let before = shop.get(Campaign, HERO).await;

    let sent = json!({"key": "hero"});
    shop.start_phase(&id(&shop.experiment().await), sent).await.unwrap();

    let [before, after] = [before, shop.get(Campaign, HERO).await].map(|one| ids_inside(&one));
    assert!(!share_an_id(&before, &after), "{before:?} {after:?}");
}

#[tokio::test]
async fn an_experience_that_is_added_under_the_key_of_a_removed_one_has_ids_of_its_own() {
    let shop = Shop::open().await;
    let before = shop.has(Campaign, experiences(HERO, ["gold", "rest"])).await;
    shop.start(HERO).await.unwrap();
    shop.change(Campaign, HERO, json!({"experiments": [before["experiments"][1]]})).await.unwrap();
    shop.publish("without gold").await.unwrap();

    let variations = json!([{"key": "mug", "weight": 10000}]);
    let gold = json!({"campaign_id": HERO, "key": "gold", "variations": variations});
    shop.has(Experiment, gold).await;

    let [before, after] = [before, shop.get(Campaign, HERO).await].map(|one| ids_inside(&one));
    assert_eq!(after[..2], before[2..], "the other one stays");
    assert!(!share_an_id(&before, &after[2..]), "{before:?} {after:?}");
}

#[tokio::test]
async fn a_campaign_that_is_made_again_after_a_rollback_has_ids_of_its_own() {
    let shop = Shop::open().await;
    shop.publish("nothing runs").await.unwrap();
    let first = shop.has(Campaign, promo()).await;
    shop.start(&id(&first)).await.unwrap();
    shop.replace(shop.revision(1).await, Removal::Wanted).await.unwrap();
    shop.publish("back").await.unwrap();

    let again = shop.has(Campaign, promo()).await;

    assert_eq!(again["key"], "promo");
    let [first, again] = [first, again].map(|one| [vec![id(&one)], ids_inside(&one)].concat());
    assert!(!share_an_id(&first, &again), "{first:?} {again:?}");
}

#[tokio::test]
async fn a_copy_that_is_made_again_has_ids_of_its_own() {
    let shop = Shop::with_hero().await;
    let without_copy = shop.document().await;
    let first = shop.copy(Copied::Campaign, HERO, json!({})).await.unwrap();
    shop.replace(without_copy, Removal::Wanted).await.unwrap();

    let again = shop.copy(Copied::Campaign, HERO, json!({})).await.unwrap();

    assert_eq!(first["key"], again["key"]);
    let [first, again] = [first, again].map(|one| [vec![id(&one)], ids_inside(&one)].concat());
    assert!(!share_an_id(&first, &again), "{first:?} {again:?}");
}

#[tokio::test]
async fn a_patch_that_names_what_is_there_by_keys_leaves_the_ids() {
    let shop = Shop::running().await;
    let before = shop.get(Campaign, HERO).await;

    let experiments = hero(HERO, "hero")["experiments"].clone();
    let after = shop.change(Campaign, HERO, json!({"experiments": experiments})).await.unwrap();

    assert_eq!(ids_inside(&after), ids_inside(&before));
}

#[tokio::test]
async fn a_whole_document_means_the_same_campaign_by_the_same_key() {
    let shop = Shop::open().await;
    let nothing = shop.document().await;
    let first = shop.has(Campaign, promo()).await;
    shop.replace(nothing.clone(), Removal::Wanted).await.unwrap();

    let mut document = nothing;
    document["campaigns"] = json!([promo()]);
    shop.replace(document, Removal::Wanted).await.unwrap();

    let again = shop.get(Campaign, "key:promo").await;
    assert_eq!(each([&first, &again], "id")[0], id(&again));
    assert_eq!(ids_inside(&first), ids_inside(&again));
}
