//! What is archived keeps its id, is not used, and comes back.

use app::campaigns::CampaignAction;
use app::documents::ResourceKind::{Campaign, Page, Variation};
use app::drafts::Removal;
use app::resources::Archiving::{Archive, Restore};
use app::resources::{Archived, ResourceFilter};
use serde_json::json;

use crate::refusal::{Refusal, refused};
use crate::shop::{HERO, Shop, id};

#[tokio::test]
async fn a_resource_that_is_archived_keeps_its_id_and_comes_back() {
    let shop = Shop::open().await;
    let cart = id(&shop.has(Page, json!({"key": "cart", "conditions": []})).await);

    let away = shop.archive(Page, &cart, Archive).await.unwrap();

    assert_eq!((&away["id"], &away["archived"]), (&json!(cart), &json!(true)));
    for (archived, count) in [(Archived::No, 1), (Archived::Only, 1), (Archived::Too, 2)] {
        let listed = shop.list(Page, ResourceFilter { archived, ..Default::default() }).await;
        assert_eq!((listed.resources.len(), listed.total), (count, count as u64), "{archived:?}");
    }
    let again = refused(shop.archive(Page, &cart, Archive).await);
    let Refusal::Impossible { state, allowed } = again else { panic!("{again:?}") };
    assert_eq!((state, allowed), ("archived", vec!["restore"]));
    assert_eq!(shop.archive(Page, &cart, Restore).await.unwrap()["archived"], false);
    let again = refused(shop.archive(Page, &cart, Restore).await);
    assert!(matches!(again, Refusal::Impossible { state: "in use", .. }), "{again:?}");
}

#[tokio::test]
async fn a_resource_in_use_is_not_archived() {
    let shop = Shop::with_hero().await;

    let refusal = refused(shop.archive(Page, "2001", Archive).await);

    let Refusal::InUse(users) = &refusal else { panic!("{refusal:?}") };
    assert_eq!(*users, ["3001"]);
    assert_eq!(shop.get(Page, "2001").await["archived"], false);
}

#[tokio::test]
async fn a_variation_that_visitors_are_drawn_for_is_not_archived() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;

    let refusal = refused(shop.archive(Variation, &short, Archive).await);

    assert_eq!(refusal.places(), ["/weight"], "{refusal:?}");
}

#[tokio::test]
async fn a_project_with_running_campaigns_is_not_archived() {
    let shop = Shop::running().await;

    let refusal = refused(shop.archive_project(Archive).await);

    assert!(matches!(refusal, Refusal::Running(_)), "{refusal:?}");
    let told = "the campaign `Hero` (3001) is running\n  hint: pause or conclude it first";
    assert!(refusal.says(told), "{refusal:?}");
    assert_eq!(shop.project().await["archived"], false);
    shop.act(HERO, CampaignAction::Pause).await.unwrap();
    assert_eq!(shop.archive_project(Archive).await.unwrap()["archived"], true);
    assert_eq!(shop.archive_project(Restore).await.unwrap()["archived"], false);
}

#[tokio::test]
async fn a_project_whose_live_campaign_runs_is_not_archived() {
    let shop = Shop::running().await;
    let mut document = shop.document().await;
    document["campaigns"] = json!([]);
    shop.replace(document, Removal::Wanted).await.unwrap();
    assert_eq!(shop.all(Campaign).await.len(), 0);

    let refusal = refused(shop.archive_project(Archive).await);

    assert!(matches!(refusal, Refusal::Running(_)), "{refusal:?}");
}
