//! New phases: what must not change while an experiment runs changes with a new draw, and everything else stays.

use app::documents::ResourceKind::{Campaign, Experiment, Variation};
use serde_json::{Value, json};

use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, each, elements, experiences, id};

/// What docs/rest.md says.
const DOCUMENTATION: &str = include_str!("../../../../../docs/rest.md");

/// The shop with a running campaign, one variation of which has a name.
async fn running() -> Shop {
    let shop = Shop::with_hero().await;
    let [_, short] = shop.variations().await;
    shop.change(Variation, &short, json!({"name": "Short"})).await.unwrap();
    shop.start(HERO).await.unwrap();
    shop
}

/// The same without these fields.
fn without(fields: [&str; 2], variation: &Value) -> Value {
    let mut rest = variation.clone();
    rest.as_object_mut().unwrap().retain(|field, _| !fields.contains(&&**field));
    rest
}

#[tokio::test]
async fn the_documented_example_changes_weights_and_leaves_the_rest() {
    let shop = running().await;
    let (_, after) = DOCUMENTATION.split_once("**new phase**").unwrap();
    let (_, example) = after.split_once("```json\n").unwrap();
    let example: Value = serde_json::from_str(example.split_once("```").unwrap().0).unwrap();
    let before = shop.experiment().await;

    let phase = shop.start_phase(&id(&before), example).await.unwrap();

    for (place, weight) in [9000, 1000].into_iter().enumerate() {
        let [old, new] = [&before, &phase.experiment].map(|one| &one["variations"][place]);
        assert_eq!(new["weight"], weight);
        assert_ne!(new["id"], old["id"]);
        assert_eq!(without(["id", "weight"], new), without(["id", "weight"], old));
    }
    let [notice] = &phase.visitors[..] else { panic!("{:?}", phase.visitors) };
    assert!(notice.text.contains("all visitors are drawn anew"), "{}", notice.text);
    assert!(!notice.text.contains("loses"), "{}", notice.text);
    shop.publish("another split").await.unwrap();
    assert!(shop.shows("Ship faster").await);
}

#[tokio::test]
async fn variations_are_named_by_id_too_and_take_other_names_and_changes() {
    let shop = running().await;
    let before = shop.experiment().await;
    let sent = json!({"key": "again", "variations": [
        {"id": before["variations"][1]["id"], "key": "shorter", "name": "Shorter", "changes": []},
    ]});

    let phase = shop.start_phase(&id(&before), sent).await.unwrap().experiment;

    assert_eq!(
        (&phase["key"], &phase["variations"][1]["key"]),
        (&json!("again"), &json!("shorter"))
    );
    assert_eq!(phase["variations"][0]["weight"], before["variations"][0]["weight"]);
    assert_eq!(shop.experiment().await, phase);
    let lost = "variation `short` is not there any more";
    let notices = shop.unpublished().await.visitors;
    assert!(notices[0].text.contains(lost), "{notices:?}");
}

#[tokio::test]
async fn a_new_phase_says_which_changes_visitors_lose() {
    let shop = running().await;
    let experiment = id(&shop.experiment().await);
    let sent = json!({"variations": [{"key": "short", "changes": []}]});

    let phase = shop.start_phase(&experiment, sent).await.unwrap();

    let lost = "variation `short` loses all its changes: its visitors see the original";
    assert!(phase.visitors[0].text.contains(lost), "{:?}", phase.visitors);
}

#[tokio::test]
async fn a_new_phase_of_an_unpublished_campaign_is_not_noticed() {
    let shop = Shop::with_hero().await;
    let experiment = id(&shop.experiment().await);

    let phase = shop.start_phase(&experiment, json!({})).await.unwrap();

    assert_eq!(phase.visitors, []);
    assert_eq!(phase.experiment["key"], "hero-2");
    let refusal = refused(shop.find(Experiment, &experiment).await);
    assert!(matches!(refusal, Refusal::NotFound), "the new one is in the place of the old one");
}

#[tokio::test]
async fn variations_are_added_and_removed_by_name() {
    let shop = running().await;
    let experiment = id(&shop.experiment().await);
    let sent = json!({
        "remove_variations": ["original"],
        "add_variations": [{"key": "long", "weight": 5000}],
    });

    let phase = shop.start_phase(&experiment, sent).await.unwrap().experiment;

    assert_eq!(each(elements(&phase["variations"]), "key"), ["short", "long"]);
}

#[tokio::test]
async fn a_phase_of_an_experience_has_its_rank_and_forgets_who_had_won() {
    let shop = Shop::open().await;
    let mut offers = experiences(HERO, ["a", "b"]);
    offers["priorities"] = json!([["b"], ["a"]]);
    let offers = shop.has(Campaign, offers).await;
    shop.start(HERO).await.unwrap();
    shop.conclude(None, Some(true)).await.unwrap();
    shop.conclude(None, Some(false)).await.unwrap();
    let second = id(&offers["experiments"][1]);
    assert!(shop.get(Experiment, &second).await["winner"].is_string());

    let phase = shop.start_phase(&second, json!({})).await.unwrap().experiment;

    assert_eq!(phase["winner"], Value::Null);
    let campaign = shop.get(Campaign, HERO).await;
    assert_eq!(campaign["priorities"], json!([[phase["id"]], [offers["experiments"][0]["id"]]]));
}

#[tokio::test]
async fn an_unknown_variation_in_a_new_phase_is_refused_with_the_nearest() {
    let shop = running().await;
    let experiment = id(&shop.experiment().await);
    let refusals = [
        (
            json!({"variations": [{"key": "shrt", "weight": 1}]}),
            "/variations/0/key",
            "did you mean `short`?",
        ),
        (
            json!({"variations": [{"id": "1", "weight": 1}]}),
            "/variations/0/id",
            "`add_variations` adds one",
        ),
        (json!({"variations": [{"weight": 1}]}), "/variations/0", "names no variation"),
        (json!({"variations": ["short"]}), "/variations/0", "expected an object"),
        (json!({"variations": {}}), "/variations", "expected a list"),
        (json!({"variations": [{"key": "short"}, {"key": "short"}]}), "/variations/1", "twice"),
        (
            json!({"variations": [{"key": "short"}], "remove_variations": ["short"]}),
            "/variations/0",
            "twice",
        ),
        (
            json!({"remove_variations": ["orignal"]}),
            "/remove_variations/0",
            "did you mean `original`?",
        ),
        (json!({"id": "5"}), "/id", "an id of its own"),
    ];

    for (patch, pointer, words) in refusals {
        let refusal = refused(shop.start_phase(&experiment, patch.clone()).await);
        assert_eq!(refusal.places(), [pointer], "{patch}");
        assert!(refusal.says(words), "{patch}: {refusal:?}");
    }
}
