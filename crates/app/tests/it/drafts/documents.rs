//! The whole draft as one document, for projects that are written in files.

use app::documents::ResourceKind::{Campaign, Experiment, Page, Variation};
use app::drafts::Removal::{Refused, Wanted};
use app::projects::create_project_of_document;
use app::resources::State;
use domain::Effect;
use serde_json::{Value, json};

use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, anything, experiences, hero, only};

fn remove(document: &mut Value, place: &str, field: &str) {
    let resource = document.pointer_mut(place).and_then(Value::as_object_mut).unwrap();
    assert!(resource.shift_remove(field).is_some(), "{place}/{field}");
}

#[tokio::test]
async fn a_document_comes_back_as_it_was_put_with_keys_for_references() {
    let shop = Shop::with_hero().await;
    let mut document = shop.document().await;
    assert_eq!(document["campaigns"][0]["pages"], json!(["home"]));
    document["campaigns"][0]["holdback"] = json!(100);

    let plan = shop.replace(document.clone(), Refused).await.unwrap();

    let told = plan.differences[0].to_string();
    assert_eq!(told, "campaign `Hero` (3001) changed\n  holdback: 0 → 100");
    assert_eq!(shop.document().await, document);
    assert_eq!(plan.tag, shop.draft_tag().await);
}

#[tokio::test]
async fn a_plan_changes_nothing() {
    let shop = Shop::with_hero().await;
    let (before, tag) = (shop.document().await, shop.draft_tag().await);
    let mut document = before.clone();
    document["campaigns"][0]["experiments"][0]["variations"][0]["weight"] = json!(4000);

    let plan = shop.plan(document).await.unwrap();

    assert_eq!(plan.differences[0].kind, "variation");
    assert_eq!(plan.warnings[0].code, "weights_below_total");
    assert_eq!(plan.tag, tag, "the one that there is now");
    assert_eq!(shop.document().await, before);
}

#[tokio::test]
async fn a_document_is_not_put_over_what_its_author_has_not_seen() {
    let shop = Shop::with_hero().await;
    let (document, seen) = (shop.document().await, json!(shop.draft_tag().await));
    shop.change(Campaign, HERO, json!({"holdback": 7})).await.unwrap();

    let late = refused(shop.replace_if((document.clone(), only(&seen)), Refused).await);

    assert!(matches!(late, Refusal::Changed { yours: None, .. }), "{late:?}");
    let now = json!(shop.draft_tag().await);
    assert!(shop.replace_if((document, only(&now)), Refused).await.is_ok());
}

#[tokio::test]
async fn a_document_of_another_project_is_refused() {
    let shop = Shop::with_hero().await;
    let document = shop.document().await;
    let mut other_id = document.clone();
    other_id["project"]["id"] = json!("1001");
    let mut same_id = document;
    same_id["project"]["key"] = json!("toys");

    for (document, place) in [(other_id, "/project/id"), (same_id, "/project/key")] {
        let refusal = refused(shop.replace(document.clone(), Wanted).await);
        assert_eq!(refusal.places(), [place]);
        let refusal = refused(shop.plan(document).await);
        assert_eq!(refusal.places(), [place]);
    }
}

#[tokio::test]
async fn a_project_begins_with_a_document() {
    let shop = Shop::open().await;
    let document =
        json!({"version": 1, "project": {"id": "7", "key": "seven"}, "pages": [{"key": "all"}]});

    create_project_of_document(shop.app(), &shop.actor, document.clone()).await.unwrap();
    let again = create_project_of_document(shop.app(), &shop.actor, document).await;

    let seven = Shop { id: "7".parse().unwrap(), ..shop };
    assert_eq!(seven.get(Page, "key:all").await["key"], "all");
    assert!(matches!(refused(again.map(|_| ())), Refusal::Taken));
}

#[tokio::test]
async fn what_a_document_leaves_out_stays_as_it_is() {
    let shop = Shop::running().await;
    let before = shop.document().await;
    let mut document = before.clone();
    for (place, field) in [
        ("/campaigns/0", "id"),
        ("/campaigns/0", "status"),
        ("/pages/0", "id"),
        ("/campaigns/0/experiments/0", "id"),
    ] {
        remove(&mut document, place, field);
    }

    let plan = shop.replace(document, Refused).await.unwrap();

    assert_eq!(plan.differences, []);
    assert_eq!(shop.document().await, before);
}

#[tokio::test]
async fn a_document_removes_no_running_campaign_unless_it_is_meant_to() {
    let shop = Shop::running().await;
    let mut document = shop.document().await;
    document["campaigns"] = json!([]);

    let refusal = refused(shop.replace(document.clone(), Refused).await);
    let plan = shop.plan(document.clone()).await.unwrap();

    assert!(matches!(refusal, Refusal::Running(_)), "{refusal:?}");
    assert!(refusal.says("the campaign `Hero` (3001) is running"), "{refusal:?}");
    assert_eq!((plan.visitors[0].effect, &*plan.visitors[0].id), (Effect::Removed, HERO));
    shop.replace(document, Wanted).await.unwrap();
    assert_eq!(shop.unpublished().await.visitors[0].effect, Effect::Removed);
}

#[tokio::test]
async fn a_document_removes_no_experience_of_what_runs_unless_it_is_meant_to() {
    let shop = Shop::with_hero().await;
    shop.has(Campaign, experiences("3002", ["all", "vips"])).await;
    shop.start("3002").await.unwrap();
    let mut document = shop.document().await;
    document["campaigns"][1]["experiments"].as_array_mut().unwrap().pop();
    remove(&mut document, "/campaigns/1", "priorities");

    let refusal = refused(shop.replace(document.clone(), Refused).await);

    assert!(matches!(refusal, Refusal::Running(_)), "{refusal:?}");
    assert!(refusal.says("the experiment `vips`"), "{refusal:?}");
    shop.replace(document.clone(), Wanted).await.unwrap();
    assert_eq!(shop.document().await["campaigns"][1]["experiments"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_document_that_removes_resources_says_so_and_a_phase_removes_none() {
    let shop = Shop::with_hero().await;
    shop.has(Campaign, hero("3002", "phased")).await;
    shop.has(Campaign, experiences("3003", ["all", "vips"])).await;
    shop.has(Page, json!({"id": "2002", "key": "cart"})).await;
    let mut document = shop.document().await;
    document["pages"].as_array_mut().unwrap().retain(|page| page["key"] != "cart");
    let variations = &mut document["campaigns"][0]["experiments"][0]["variations"];
    variations.as_array_mut().unwrap().pop();
    document["campaigns"][1]["experiments"][0] =
        json!({"key": "phased-2", "variations": [{"key": "original", "weight": 10000}]});
    remove(&mut document, "/campaigns/1", "priorities");
    document["campaigns"][2]["experiments"][1] =
        json!({"key": "members", "variations": [{"key": "mug", "weight": 10000}]});
    remove(&mut document, "/campaigns/2", "priorities");

    let plan = shop.plan(document).await.unwrap();

    let told: Vec<_> = plan.missing.iter().map(|one| (one.kind, one.name.as_str())).collect();
    assert_eq!(told, [(Page, "cart"), (Variation, "short"), (Experiment, "vips")]);
}

#[tokio::test]
async fn a_document_with_faults_changes_nothing() {
    let shop = Shop::with_hero().await;
    let before = shop.document().await;
    let mut document = before.clone();
    document["campaigns"][0]["pages"] = json!(["hoem"]);
    document["pages"][0]["name"] = json!("Home");

    let refusal = refused(shop.replace(document, Wanted).await);

    assert_eq!(refusal.places(), ["/campaigns/0/pages/0"]);
    assert_eq!(shop.document().await, before);
}

#[tokio::test]
async fn a_discarded_draft_becomes_the_live_revision() {
    let shop = Shop::with_hero().await;
    let nothing = refused(shop.discard_draft(anything()).await);
    assert!(matches!(nothing, Refusal::NotPublished), "{nothing:?}");
    shop.publish("").await.unwrap();
    let published = shop.get(Campaign, HERO).await;
    let seen = json!(shop.draft_tag().await);
    shop.change(Campaign, HERO, json!({"name": "Edited"})).await.unwrap();
    shop.has(Campaign, hero("3002", "other")).await;

    let late = refused(shop.discard_draft(only(&seen)).await);
    assert!(matches!(late, Refusal::Changed { .. }), "{late:?}");
    assert_eq!(shop.find_in(State::Live, Campaign, HERO).await.unwrap(), published);
    shop.discard_draft(only(&json!(shop.draft_tag().await))).await.unwrap();

    assert_eq!(shop.get(Campaign, HERO).await["name"], published["name"]);
    assert_eq!(shop.all(Campaign).await.len(), 1);
    assert_eq!(shop.unpublished().await.differences, []);
}
