//! A copy of a campaign, or of an experience, in one step.

use app::campaigns::{Copied, VariationAction};
use app::documents::ResourceKind::{Campaign, Experiment, Variation};
use app::resources::Archiving;
use serde_json::{Value, json};

use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, each, elements, id, only};

/// Two experiences, in two groups of priority.
fn offers() -> Value {
    let experience = |key: &str| json!({"key": key, "name": key, "variations": [{"key": "mug", "weight": 10000}]});
    json!({
        "id": "3002", "key": "offers", "type": "personalization", "pages": ["home"], "tags": ["spring"],
        "experiments": [experience("a"), experience("b")], "priorities": [["b"], ["a"]],
    })
}

/// The ids of a campaign and of all that it holds.
fn ids(campaign: &Value) -> Vec<String> {
    let experiments = elements(&campaign["experiments"]).iter();
    let inner = experiments.flat_map(|one| [one].into_iter().chain(elements(&one["variations"])));
    [campaign].into_iter().chain(inner).map(id).collect()
}

#[tokio::test]
async fn a_copy_of_a_campaign_has_ids_and_a_key_of_its_own_and_does_not_run() {
    let shop = Shop::with_hero().await;
    let schedule = json!({"start": "2030-01-01T09:00"});
    let patch = json!({"schedule": schedule, "tags": ["spring"], "holdback": 500});
    shop.change(Campaign, HERO, patch).await.unwrap();
    shop.start(HERO).await.unwrap();
    let snippet = shop.snippet().await;

    let copy = shop.copy(Copied::Campaign, "key:hero", json!({})).await.unwrap();

    let original = shop.get(Campaign, HERO).await;
    assert_eq!((&copy["key"], &copy["name"]), (&json!("hero-2"), &json!("Hero (copy)")));
    assert_eq!((&copy["status"], &copy["schedule"]), (&json!("not_started"), &Value::Null));
    for field in ["type", "pages", "holdback", "tags"] {
        assert_eq!(copy[field], original[field], "{field}");
    }
    assert!(ids(&copy).iter().all(|id| !ids(&original).contains(id)), "{copy}");
    let changes = |campaign: &Value| campaign["experiments"][0]["variations"][1]["changes"].clone();
    assert_eq!(changes(&copy), changes(&original));
    assert_eq!(shop.get(Campaign, &id(&copy)).await, copy);
    shop.publish("copy").await.unwrap();
    let published = shop.snippet().await;
    assert_eq!(published.len(), snippet.len(), "only the revision that it names is another one");
    assert!(!published.contains("(copy)"), "{published}");
}

#[tokio::test]
async fn a_copy_has_the_name_and_the_key_that_it_is_given() {
    let shop = Shop::with_hero().await;

    let copy = shop.copy(Copied::Campaign, HERO, json!({"name": "Mine", "key": "mine"})).await;
    let null = shop.copy(Copied::Campaign, HERO, json!({"name": null})).await;

    let copy = copy.unwrap();
    assert_eq!((&copy["key"], &copy["name"]), (&json!("mine"), &json!("Mine")));
    assert_eq!(null.unwrap()["name"], "Hero (copy)");
}

#[tokio::test]
async fn nothing_of_the_past_of_a_campaign_is_copied() {
    let shop = Shop::running().await;
    let [original, short] = shop.variations().await;
    shop.act_on_variation(&original, VariationAction::Pause).await.unwrap();
    let experiment = id(&shop.experiment().await);
    let third = json!({"experiment_id": experiment, "key": "long", "weight": 0});
    let third = shop.has(Variation, third).await;
    shop.archive(Variation, &id(&third), Archiving::Archive).await.unwrap();
    shop.conclude(Some(&short), Some(true)).await.unwrap();

    let copy = shop.copy(Copied::Campaign, HERO, json!({})).await.unwrap();

    assert_eq!((&copy["status"], &copy["shipped"]), (&json!("not_started"), &json!(false)));
    let experiment = &copy["experiments"][0];
    assert_eq!(experiment["winner"], Value::Null);
    assert_eq!(each(elements(&experiment["variations"]), "key"), ["original", "short"]);
    assert!(elements(&experiment["variations"]).iter().all(|one| one["paused"] == false));
}

#[tokio::test]
async fn a_copy_of_a_personalization_keeps_the_order_of_its_experiences() {
    let shop = Shop::open().await;
    shop.has(Campaign, offers()).await;

    let copy = shop.copy(Copied::Campaign, "3002", json!({})).await.unwrap();

    let ids = [1, 0].map(|place| json!([copy["experiments"][place]["id"]]));
    assert_eq!(copy["priorities"], json!(ids));
}

#[tokio::test]
async fn an_experience_is_copied_beside_itself() {
    let shop = Shop::open().await;
    let campaign = shop.has(Campaign, offers()).await;
    let first = id(&campaign["experiments"][0]);

    let copy = shop.copy(Copied::Experiment, &first, json!({"name": "C"})).await.unwrap();

    assert_eq!((&copy["key"], &copy["name"]), (&json!("a-2"), &json!("C")));
    assert_eq!(copy["campaign_id"], "3002");
    let campaign = shop.get(Campaign, "3002").await;
    assert_eq!(campaign["experiments"][2]["id"], copy["id"]);
    assert_eq!(campaign["priorities"][1], json!([first, copy["id"]]), "it is as good as the first");
    assert_eq!(shop.get(Experiment, &id(&copy)).await, copy);
}

#[tokio::test]
async fn a_copy_that_is_not_possible_is_refused_with_the_reason() {
    let shop = Shop::with_hero().await;
    let experiment = id(&shop.experiment().await);

    let of_test = refused(shop.copy(Copied::Experiment, &experiment, json!({})).await);
    let unknown = refused(shop.copy(Copied::Campaign, HERO, json!({"nmae": "x"})).await);
    let taken = refused(shop.copy(Copied::Campaign, HERO, json!({"key": "hero"})).await);
    let of_nothing = refused(shop.copy(Copied::Campaign, "9", json!({})).await);

    assert!(of_test.says("duplicate its campaign"), "{of_test:?}");
    assert_eq!(unknown.places(), ["/nmae"]);
    assert!(unknown.says("did you mean `name`?"), "{unknown:?}");
    assert_eq!(taken.places(), ["/key"]);
    assert!(matches!(of_nothing, Refusal::NotFound), "{of_nothing:?}");
    assert_eq!(shop.all(Campaign).await.len(), 1, "nothing of it is kept");
}

#[tokio::test]
async fn a_copy_of_a_campaign_that_changed_meanwhile_is_refused() {
    let shop = Shop::with_hero().await;
    let seen = shop.get(Campaign, HERO).await;
    shop.change(Campaign, HERO, json!({"holdback": 7})).await.unwrap();

    let late = refused(shop.copy_if(Copied::Campaign, HERO, (json!({}), only(&seen))).await);

    assert!(matches!(late, Refusal::Changed { .. }), "{late:?}");
}
