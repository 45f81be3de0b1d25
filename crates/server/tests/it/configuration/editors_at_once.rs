//! Many work on one project at the same moment, and nothing of anybody's is lost.

use std::future::Future;

use axum::http::StatusCode;
use serde_json::json;

use super::{Program, SHOP, hero};
use crate::site::Answer;

/// More than ever work on one project within a second.
const EDITORS: usize = 100;

/// Starts all before it waits for any.
pub(super) async fn at_once<T>(futures: Vec<impl Future<Output = T>>) -> Vec<T> {
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
        (0..EDITORS).map(|number| format!("{SHOP}/campaigns/{}", 3001 + number)).collect();
    let mut tags = Vec::new();
    for number in 0..EDITORS {
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
        (1..=EDITORS).map(|holdback| program.patch_if(&path, &tag, json!({"holdback": holdback})));
    let answers = at_once(changes.collect()).await;

    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(StatusCode::OK), count(StatusCode::PRECONDITION_FAILED)), (1, EDITORS - 1));
}

#[tokio::test]
async fn everything_that_is_added_at_once_is_there() {
    let program = Program::with_shop().await;
    let path = format!("{SHOP}/attributes");

    let added =
        (0..EDITORS).map(|number| program.post(&path, json!({"key": format!("a{number}")})));
    let answers = at_once(added.collect()).await;

    assert!(answers.iter().all(|answer| answer.status == StatusCode::CREATED));
    let all = program.get(&format!("{path}?per_page=100")).await.json();
    assert_eq!(all.as_array().unwrap().len(), EDITORS);
}

fn hero_path(number: usize) -> String {
    format!("{SHOP}/campaigns/{}", 3001 + number)
}

/// One of three kinds of changes.
async fn edit(program: &Program, number: usize) -> Answer {
    let path = hero_path(number % 20);
    match number / 20 {
        0 => program.post(&format!("{path}/actions"), json!({"action": "pause"})).await,
        1 => program.patch_if(&path, "*", json!({"name": "Edited"})).await,
        _ => {
            program.post(&format!("{SHOP}/attributes"), json!({"key": format!("a{number}")})).await
        }
    }
}

#[tokio::test]
async fn campaigns_that_are_started_and_edited_while_the_draft_is_published_are_all_live() {
    let program = Program::with_shop().await;
    for number in 0..20 {
        program
            .created("campaigns", hero(&(3001 + number).to_string(), &format!("hero{number}")))
            .await;
    }

    let starts = (0..20).map(|number| {
        let (program, path) = (&program, format!("{}/actions", hero_path(number)));
        async move { program.post(&path, json!({"action": "start"})).await }
    });
    let started = at_once(starts.collect()).await;
    let work = (0..60).map(|number| edit(&program, number));
    let done = at_once(work.collect()).await;
    let published = at_once((0..20).map(|_| program.publish("")).collect()).await;

    let mut all = started.iter().chain(&done).chain(&published);
    assert!(all.all(|answer| answer.status.is_success()), "{:?}", all.next());
    for number in 0..20 {
        let campaign = program.get(&hero_path(number)).await.json();
        assert_eq!((&campaign["status"], &campaign["name"]), (&json!("paused"), &json!("Edited")));
    }
    let differences = program.get(&format!("{SHOP}/revisions/live..draft/diff")).await.json();
    assert_eq!(differences["changes"], json!([]));
}
