//! A project goes from its file to its members, and back.

use app::documents::ResourceKind::Page;
use app::documents::{check_document, check_written};
use app::drafts::Removal;
use app::projects::{Origin, Published, publish_project, seed_project, with_live_ids};
use domain::{NoFiles, Project, Severity, Source};
use serde_json::json;
use storage::ManagedBy;

use crate::refusal::{Refusal, refused};
use crate::shop::Shop;

const FILE: &str =
    "{version: 1, project: {id: \"1000\", key: shop}, pages: [{id: \"2001\", key: home}]}";

/// What a project file says.
pub(crate) fn written(text: &str) -> Project {
    check_document(&Source { name: "shop.yaml", text, files: &NoFiles }).unwrap().project
}

async fn serve(shop: &Shop, project: Project) -> Published {
    publish_project(shop.app(), project, Origin::ProjectFile).await.unwrap()
}

/// The shop as its file has it.
async fn with_file() -> Shop {
    let shop = Shop::open().await;
    shop.publish("mine").await.unwrap();
    serve(&shop, written(FILE)).await;
    shop
}

async fn rename(shop: &Shop) -> crate::shop::Outcome {
    shop.change(Page, "2001", json!({"name": "Home"})).await
}

#[tokio::test]
async fn a_project_that_is_served_from_a_file_is_read_but_not_written() {
    let shop = with_file().await;

    assert_eq!(shop.get(Page, "2001").await["key"], "home");
    assert_eq!(shop.project().await["managed_by"], "file");
    for refusal in [
        refused(rename(&shop).await),
        refused(shop.publish("").await),
        refused(shop.restore(1).await),
        refused(shop.replace(shop.document().await, Removal::Wanted).await),
        refused(shop.change_project(json!({"name": "Mine"})).await),
    ] {
        assert!(matches!(refusal, Refusal::ManagedByFile), "{refusal:?}");
    }
}

#[tokio::test]
async fn a_seed_hands_a_project_over_that_a_file_managed() {
    let shop = with_file().await;

    seed_project(shop.app(), written(FILE), "seed").await.unwrap().unwrap();

    assert_eq!(rename(&shop).await.unwrap()["name"], "Home");
    assert!(seed_project(shop.app(), written(FILE), "seed").await.unwrap().is_none());
    assert_eq!(shop.get(Page, "2001").await["name"], "Home");
}

#[tokio::test]
async fn a_file_replaces_nothing_that_members_have_not_published() {
    let shop = Shop::open().await;

    let refusal = publish_project(shop.app(), written(FILE), Origin::ProjectFile).await;

    let refusal = refusal.unwrap_err().to_string();
    assert!(refusal.contains("members have unpublished changes of project 1000"), "{refusal}");
    assert_eq!(shop.project().await["managed_by"], "store");
    shop.publish("mine").await.unwrap();
    serve(&shop, written(FILE)).await;
    assert_eq!(shop.project().await["managed_by"], "file");
}

#[tokio::test]
async fn a_file_that_changes_the_draw_of_an_experiment_that_has_begun_is_told_so() {
    let shop = with_file().await;
    let project = |weights: [u16; 2]| {
        let [first, second] = weights;
        written(&format!(
            "{{version: 1, project: {{id: 1000, key: shop}}, campaigns: [{{key: hero, type: ab_test, status: running, experiments: [\
             {{key: hero, variations: [{{key: a, weight: {first}}}, {{key: b, weight: {second}}}]}}]}}]}}"
        ))
    };

    let first = serve(&shop, project([5000, 5000])).await;
    let second = serve(&shop, project([1000, 9000])).await;

    assert_eq!((first.breaking.len(), second.breaking.len()), (0, 2));
    assert_eq!(second.revision, first.revision + 1, "who has the file decides");
    assert_eq!(second.breaking[0].severity, Severity::Warning);
}

#[tokio::test]
async fn what_a_document_would_change_is_told_of_a_project_with_a_file_too() {
    let shop = with_file().await;
    let mut document = shop.document().await;
    document["pages"][0]["name"] = json!("Home");

    let plan = shop.plan(document).await.unwrap();

    assert_eq!(plan.differences[0].kind, "page");
}

#[tokio::test]
async fn what_is_live_keeps_the_ids_that_a_file_leaves_out() {
    let shop = with_file().await;
    let campaign = |key: &str| {
        format!(
            "{{key: {key}, type: ab_test, status: running, experiments: [{{key: test, variations: [{{key: a, weight: 10000}}]}}]}}"
        )
    };
    let file = |campaigns: &str| {
        let text =
            format!("{{version: 1, project: {{id: 1000, key: shop}}, campaigns: [{campaigns}]}}");
        check_written(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap()
    };
    let (first, _) = file(&campaign("two"));
    serve(&shop, first.project.clone()).await;

    let (next, written) = file(&format!("{}, {}", campaign("one"), campaign("two")));
    let next = with_live_ids(shop.app(), next.project, written).await.unwrap();

    assert_eq!(next.campaigns[1], first.project.campaigns[0]);
    assert_eq!(serve(&shop, next).await.breaking, []);
}

#[tokio::test]
async fn what_is_published_again_is_the_revision_that_it_was() {
    let shop = with_file().await;

    let again = serve(&shop, written(FILE)).await;

    assert_eq!(shop.live_number().await, Some(again.revision));
    assert_eq!(again.revision, 2);
    let head = shop.app().store().find_project(shop.id).await.unwrap().unwrap();
    assert_eq!(head.managed_by, ManagedBy::File);
}
