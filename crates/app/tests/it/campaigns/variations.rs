//! A variation is stopped, and goes on.

use app::campaigns::VariationAction::{Pause, Resume};
use app::documents::ResourceKind::{Campaign, Variation};
use serde_json::json;

use crate::refusal::{Refusal, refused};
use crate::server::through_program;
use crate::shop::{HERO, Shop, id};

/// How the snippet says that the second variation is paused.
const PAUSED: &str = "[1]]";

#[tokio::test]
async fn a_variation_is_stopped_at_once_and_alone() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;
    shop.change(Campaign, HERO, json!({"name": "Not published"})).await.unwrap();

    let paused = shop.act_on_variation(&short, Pause).await.unwrap();
    let snippet = shop.snippet().await;
    let again = refused(shop.act_on_variation(&short, Pause).await);
    let resumed = shop.act_on_variation(&short, Resume).await.unwrap();

    assert_eq!((&paused.variation["paused"], paused.revision), (&json!(true), Some(2)));
    assert!(snippet.contains(PAUSED) && !snippet.contains("Not published"), "{snippet}");
    let Refusal::Impossible { state, allowed } = again else { panic!("{again:?}") };
    assert_eq!((state, allowed), ("paused", vec!["resume"]));
    assert_eq!(resumed.variation["paused"], false);
    assert_eq!(shop.get(Variation, &short).await, resumed.variation);
    assert!(!shop.shows(PAUSED).await);
    assert_eq!(shop.get(Campaign, HERO).await["name"], "Not published");
}

#[tokio::test]
async fn a_variation_is_stopped_while_a_new_phase_waits_in_the_draft() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;
    shop.start_phase(&id(&shop.experiment().await), json!({})).await.unwrap();
    let draft = shop.document().await;

    let paused = shop.act_on_variation(&short, Pause).await.unwrap();
    let again = refused(shop.act_on_variation(&short, Pause).await);
    let is_stopped = shop.shows(PAUSED).await;
    let resumed = shop.act_on_variation(&short, Resume).await.unwrap();

    assert_eq!(
        (&paused.variation["id"], &paused.variation["paused"]),
        (&json!(short), &json!(true))
    );
    assert_eq!((paused.revision, is_stopped), (Some(2), true));
    assert!(matches!(again, Refusal::Impossible { state: "paused", .. }), "{again:?}");
    assert_eq!((&resumed.variation["paused"], resumed.revision), (&json!(false), Some(3)));
    assert!(!shop.shows(PAUSED).await);
    assert_eq!(shop.document().await, draft, "the new phase waits as it was");
}

#[tokio::test]
async fn a_variation_that_visitors_never_met_is_paused_in_the_draft() {
    let shop = Shop::with_hero().await;
    let [_, short] = shop.variations().await;

    let paused = shop.act_on_variation(&short, Pause).await.unwrap();

    assert_eq!((&paused.variation["paused"], paused.revision), (&json!(true), None));
    assert_eq!(shop.live_number().await, None);
    assert_eq!(shop.act_on_variation(&short, Resume).await.unwrap().revision, None);
}

#[tokio::test]
async fn a_variation_of_a_running_experiment_is_paused_by_a_patch_and_a_publication() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;

    shop.change(Variation, &short, json!({"paused": true})).await.unwrap();
    assert!(!shop.shows(PAUSED).await, "visitors notice nothing of a draft");
    shop.publish("Stop it").await.unwrap();

    assert!(shop.shows(PAUSED).await);
}

#[tokio::test]
async fn an_action_publishes_a_pause_that_the_draft_has_already() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;
    shop.change(Variation, &short, json!({"paused": true})).await.unwrap();

    let paused = shop.act_on_variation(&short, Pause).await.unwrap();

    assert_eq!(paused.revision, Some(2));
    assert!(shop.shows(PAUSED).await);
}

#[tokio::test]
async fn stopping_a_variation_takes_the_right_to_publish() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;
    let writer = shop.seen_by(&through_program(&shop.actor, "config:read config:write"));

    let refusal = refused(writer.act_on_variation(&short, Pause).await);

    assert!(matches!(refusal, Refusal::Role(_)), "{refusal:?}");
    assert!(!shop.shows(PAUSED).await);
}

#[tokio::test]
async fn a_variation_that_is_not_there_is_not_stopped() {
    let shop = Shop::running().await;

    for name in ["9", "key:short", HERO] {
        let refusal = refused(shop.act_on_variation(name, Pause).await);
        assert!(matches!(refusal, Refusal::NotFound), "{name}: {refusal:?}");
    }
}
