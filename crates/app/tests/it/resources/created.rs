//! What is added is where it was put, and is changed field by field.

use app::documents::ResourceKind::{
    self, Attribute, Audience, Campaign, Event, Experiment, Group, Page, Variation,
};
use app::resources::ResourceFilter;
use serde_json::{Value, json};

use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, each, elements, hero, id};

#[tokio::test]
async fn a_project_id_is_taken_once() {
    let shop = Shop::open().await;

    let refusal = refused(shop.begin("1000", "other").await.map(|_| ()));

    assert!(matches!(refusal, Refusal::Taken), "{refusal:?}");
    assert_eq!(shop.project().await["key"], "shop");
}

#[tokio::test]
async fn a_project_begins_empty_and_is_not_live() {
    let shop = Shop::open().await;

    let blog = shop.begin("7", "blog").await.unwrap();

    let project = blog.project().await;
    assert_eq!((&project["id"], &project["key"]), (&json!("7"), &json!("blog")));
    assert_eq!((&project["revision"], &project["managed_by"]), (&Value::Null, &json!("store")));
    for kind in ResourceKind::ALL {
        assert_eq!(blog.all(kind).await, [] as [Value; 0], "{kind:?}");
    }
    assert_eq!(blog.live_number().await, None);
}

#[tokio::test]
async fn no_two_projects_have_one_key() {
    let shop = Shop::open().await;
    let blog = shop.begin("7", "blog").await.unwrap();

    let again = refused(shop.begin("8", "shop").await.map(|_| ()));
    let renamed = refused(blog.change_project(json!({"key": "shop"})).await);

    for refusal in [again, renamed] {
        assert!(matches!(refusal, Refusal::KeyTaken), "{refusal:?}");
    }
    blog.change_project(json!({"key": "news"})).await.unwrap();
    blog.change_project(json!({"key": "news", "name": "News"})).await.unwrap();
    assert!(shop.begin("8", "blog").await.is_ok(), "a key that no project has any more is free");
}

/// One of each kind, beside the campaign `hero`.
fn one_of_each() -> Vec<(ResourceKind, Value)> {
    let plan = json!(["or", {"type": "custom_attribute", "name": "plan"}]);
    let experience = json!({"key": "mug", "audiences": "members", "variations": [{"key": "mug", "weight": 10000}]});
    vec![
        (Attribute, json!({"key": "plan", "name": "Plan"})),
        (Audience, json!({"key": "members", "conditions": plan})),
        (Event, json!({"key": "signup", "type": "click", "selector": "#signup"})),
        (Page, json!({"key": "cart", "conditions": []})),
        (
            Campaign,
            json!({"key": "offers", "type": "personalization", "pages": ["2001"], "experiments": [experience]}),
        ),
        (Group, json!({"key": "one", "members": [{"campaign": "hero", "weight": "50%"}]})),
    ]
}

#[tokio::test]
async fn every_kind_of_resource_is_created_read_and_listed() {
    let shop = Shop::with_hero().await;

    for (kind, sent) in one_of_each() {
        let created = shop.create(kind, sent.clone()).await.unwrap();

        assert_eq!(shop.get(kind, &id(&created)).await, created);
        let by_key = format!("key:{}", sent["key"].as_str().unwrap());
        assert_eq!(shop.get(kind, &by_key).await, created);
        assert!(shop.all(kind).await.contains(&created), "{created}");
    }
}

#[tokio::test]
async fn experiments_and_variations_are_resources_of_their_own() {
    let shop = Shop::with_hero().await;
    let experiment = shop.experiment().await;
    assert_eq!(
        (&experiment["campaign_id"], &experiment["status"]),
        (&json!(HERO), &json!("not_started"))
    );

    let third = json!({"experiment_id": experiment["id"], "key": "long", "weight": 0});
    let created = shop.create(Variation, third).await.unwrap();

    assert_eq!(
        (&created["campaign_id"], &created["experiment_id"]),
        (&json!(HERO), &experiment["id"])
    );
    let experiment_id = Some(id(&experiment));
    let filter = ResourceFilter { experiment_id, ..ResourceFilter::default() };
    let listed = shop.list(Variation, filter).await.resources;
    assert_eq!(each(&listed, "key"), ["original", "short", "long"]);
    let campaign = shop.get(Campaign, HERO).await;
    assert_eq!(campaign["experiments"][0]["variations"][2]["key"], "long");
}

#[tokio::test]
async fn a_new_child_must_name_an_existing_parent() {
    let shop = Shop::with_hero().await;
    let variation = |owner: Value| json!({"experiment_id": owner, "key": "x", "weight": 0});
    let mut orphan = variation(Value::Null);
    orphan.as_object_mut().unwrap().shift_remove("experiment_id");

    let missing = refused(shop.create(Variation, orphan).await);
    let nowhere = refused(shop.create(Variation, variation(json!("9"))).await);
    let unnamed = refused(shop.create(Variation, variation(json!([]))).await);
    let elsewhere = json!({"key": "x", "project_id": "7"});
    let elsewhere = refused(shop.create(Attribute, elsewhere).await);

    assert!(missing.says("`experiment_id` is missing"), "{missing:?}");
    assert_eq!(nowhere.places(), ["/experiment_id"]);
    assert!(nowhere.says("there is no experiment `9`"), "{nowhere:?}");
    assert!(unnamed.says("the id of the experiment, in quotes"), "{unnamed:?}");
    assert_eq!(elsewhere.places(), ["/project_id"]);
}

#[tokio::test]
async fn a_merge_patch_changes_what_it_names_and_nothing_else() {
    let shop = Shop::with_hero().await;
    let before = shop.get(Campaign, HERO).await;

    let patch = json!({"holdback": "5%", "name": null});
    let changed = shop.change(Campaign, HERO, patch).await.unwrap();

    let mut expected = before.clone();
    (expected["holdback"], expected["name"]) = (json!(500), Value::Null);
    expected["etag"] = changed["etag"].clone();
    assert_eq!(changed, expected);
    assert_ne!(changed["etag"], before["etag"]);
    assert_eq!(shop.get(Campaign, HERO).await, changed);
}

#[tokio::test]
async fn a_further_experience_is_seen_like_those_that_were_there() {
    let shop = Shop::open().await;
    let mut offer = hero("3002", "offer");
    offer["type"] = json!("personalization");
    shop.has(Campaign, offer).await;
    let further = json!({"campaign_id": "3002", "key": "more", "variations": [{"key": "a", "weight": 10_000}]});

    let further = shop.has(Experiment, further).await;

    let campaign = shop.get(Campaign, "3002").await;
    assert_eq!(campaign["priorities"][0][1], further["id"], "{campaign}");
}

#[tokio::test]
async fn an_order_that_was_chosen_has_to_name_a_further_experience() {
    let shop = Shop::open().await;
    let mut offers = hero("3002", "offers");
    offers["type"] = json!("personalization");
    offers["experiments"] = ["a", "b"]
        .map(|key| json!({"key": key, "variations": [{"key": "mug", "weight": 1}]}))
        .into_iter()
        .collect();
    offers["priorities"] = json!([["b"], ["a"]]);
    shop.has(Campaign, offers).await;
    let before = shop.get(Campaign, "3002").await["priorities"].clone();
    let further = json!({"campaign_id": "3002", "key": "more", "variations": [{"key": "a", "weight": 10_000}]});

    let created = shop.create(Experiment, further).await;

    let after = shop.get(Campaign, "3002").await;
    assert_eq!(elements(&after["priorities"])[..2], elements(&before)[..2], "{created:?}");
}

#[tokio::test]
async fn notes_of_members_change_nothing_for_visitors() {
    let shop = Shop::running().await;
    let snippet = shop.snippet().await;
    let notes = json!({
        "tags": ["spring", "checkout"], "hypothesis": "Short sells.\nAlways.", "owner": "ann@shop.example",
    });

    let changed = shop.change(Campaign, HERO, notes.clone()).await.unwrap();

    for field in ["tags", "hypothesis", "owner"] {
        assert_eq!(changed[field], notes[field]);
    }
    let unpublished = shop.unpublished().await;
    let fields = unpublished.differences[0].fields.iter();
    assert!(fields.into_iter().any(|field| field.pointer.as_str().starts_with("/tags")));
    assert_eq!(unpublished.visitors, []);
    shop.publish("noted").await.unwrap();
    let published = shop.snippet().await;
    assert_eq!(published.len(), snippet.len(), "only the revision that it names is another one");
    assert!(!published.contains("spring") && !published.contains("ann@"), "{published}");
    let cleared = shop.change(Campaign, HERO, json!({"tags": null, "owner": null})).await.unwrap();
    assert_eq!((&cleared["tags"], &cleared["owner"]), (&json!([]), &Value::Null));
}
