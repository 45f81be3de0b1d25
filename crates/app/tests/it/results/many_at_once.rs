//! Several members ask for results at the same moment.

use std::thread::available_parallelism;
use std::time::Duration;

use app::documents::ResourceKind::Campaign;
use app::results::{ResultsQuestion, campaign_results};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::shop::{HERO, Shop};

#[tokio::test]
async fn many_requests_for_results_after_a_restart_do_not_block_each_other() {
    let shop = Shop::running().await;
    let questions = 2 * u32::try_from(available_parallelism().unwrap().get()).unwrap();
    for number in 1..=questions {
        shop.change(Campaign, HERO, json!({ "holdback": number })).await.unwrap();
        shop.publish("").await.unwrap();
    }
    let shop = shop.restarted();

    let mut answers = JoinSet::new();
    for number in 1..=questions {
        let shop = shop.clone();
        answers.spawn(async move {
            let revision = Some(number);
            let question = ResultsQuestion { campaign: HERO, split: None, revision };
            campaign_results(shop.app(), &shop.actor, shop.id, question).await.unwrap().revision
        });
    }
    let mut answered = timeout(Duration::from_secs(20), answers.join_all()).await.unwrap();

    answered.sort_unstable();
    assert_eq!(answered, (1..=questions).collect::<Vec<_>>());
}
