//! Many work on one project at the same moment, and nothing of anybody's is lost.

use std::future::Future;

use axum::http::StatusCode;
use serde_json::json;

use super::{Program, SHOP, hero};

/// Starts all before it waits for any.
async fn at_once<T>(futures: Vec<impl Future<Output = T>>) -> Vec<T> {
    let mut set: Vec<_> = futures.into_iter().map(Box::pin).collect();
    let mut done = Vec::new();
    std::future::poll_fn(|context| {
        set.retain_mut(|future| match future.as_mut().poll(context) {
            std::task::Poll::Ready(value) => {
                done.push(value);
                false
            }
            std::task::Poll::Pending => true,
        });
        if set.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done
}

#[tokio::test]
async fn members_who_change_different_campaigns_all_succeed() {
    let program = Program::with_shop().await;
    let paths: Vec<String> =
        (0..12).map(|number| format!("{SHOP}/campaigns/{}", 3001 + number)).collect();
    let mut tags = Vec::new();
    for number in 0..12 {
        program
            .created("campaigns", hero(&(3001 + number).to_string(), &format!("hero{number}")))
            .await;
    }
    for path in &paths {
        tags.push(program.get(path).await.header("etag").to_owned());
    }

    let changes = paths
        .iter()
        .zip(&tags)
        .map(|(path, tag)| program.patch_if(path, tag, json!({"holdback": 77})));
    let answers = at_once(changes.collect()).await;

    assert!(answers.iter().all(|answer| answer.status == StatusCode::OK));
    for path in &paths {
        assert_eq!(program.get(path).await.json()["holdback"], 77, "{path}");
    }
}

#[tokio::test]
async fn of_those_who_change_one_campaign_one_succeeds() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");
    let tag = program.get(&path).await.header("etag").to_owned();

    let changes =
        (1..=12).map(|holdback| program.patch_if(&path, &tag, json!({"holdback": holdback})));
    let answers = at_once(changes.collect()).await;

    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(StatusCode::OK), count(StatusCode::PRECONDITION_FAILED)), (1, 11));
}

#[tokio::test]
async fn everything_that_is_added_at_once_is_there() {
    let program = Program::with_shop().await;
    let path = format!("{SHOP}/attributes");

    let added = (0..12).map(|number| program.post(&path, json!({"key": format!("a{number}")})));
    let answers = at_once(added.collect()).await;

    assert!(answers.iter().all(|answer| answer.status == StatusCode::CREATED));
    assert_eq!(program.get(&path).await.json().as_array().unwrap().len(), 12);
}
