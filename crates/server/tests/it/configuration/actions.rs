//! Campaigns begin, rest and end, and visitors notice at once.

use axum::http::StatusCode;
use serde_json::json;

use super::{Program, SHOP};

#[tokio::test]
async fn a_campaign_goes_through_its_life_and_visitors_notice_at_once() {
    let program = Program::with_hero().await;

    let started = program.act("start").await;
    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    assert_eq!(
        (&started.json()["status"], &started.json()["live_since_revision"]),
        (&json!("running"), &json!(1))
    );
    assert!(program.snippet().await.contains("Ship faster"));

    for (action, status) in [
        ("pause", "paused"),
        ("resume", "running"),
        ("conclude", "concluded"),
        ("archive", "archived"),
        ("restore", "paused"),
    ] {
        let acted = program.act(action).await;
        assert_eq!(acted.json()["status"], status, "{}", acted.body);
    }
    assert!(!program.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn all_that_runs_is_paused_at_once_and_unfinished_work_stays_unpublished() {
    let program = Program::with_hero().await;
    let all = format!("{SHOP}/campaigns/actions");
    let nothing_runs = program.post(&all, json!({"action": "pause"})).await;
    program.act("start").await;
    let copied = program.post(&format!("{SHOP}/campaigns/3001/duplicate"), json!({})).await;
    let copy = format!("{SHOP}/campaigns/{}", copied.json()["id"].as_str().unwrap());
    program.post(&format!("{copy}/actions"), json!({"action": "start"})).await;
    let unfinished = json!({"name": "Unfinished"});
    program.patch(&format!("{SHOP}/campaigns/3001"), unfinished).await;

    let paused = program.post(&all, json!({"action": "pause"})).await;

    assert_eq!(
        nothing_runs.json(),
        json!({"campaigns": [], "live_since_revision": null, "scheduled_starts": []})
    );
    assert_eq!(paused.status, StatusCode::OK, "{}", paused.body);
    assert_eq!(paused.json()["campaigns"], json!(["3001", copied.json()["id"]]));
    assert_eq!(paused.json()["live_since_revision"], 3);
    for campaign in [format!("{SHOP}/campaigns/3001"), copy] {
        let live = program.get(&format!("{campaign}?state=live")).await.json();
        assert_eq!((&live["status"], &live["name"] == "Unfinished"), (&json!("paused"), false));
        assert_eq!(program.get(&campaign).await.json()["status"], "paused");
    }
    assert_eq!(program.get(&format!("{SHOP}/campaigns/3001")).await.json()["name"], "Unfinished");
    assert!(!program.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn an_impossible_action_is_refused_with_the_possible_ones() {
    let program = Program::with_hero().await;

    let refused = program.act("pause").await;

    assert_eq!(refused.status, StatusCode::CONFLICT);
    let problem = refused.json();
    assert_eq!(
        (&problem["code"], &problem["state"]),
        (&json!("invalid_transition"), &json!("not_started"))
    );
    assert_eq!(problem["allowed"], json!(["start", "archive"]));
    let unknown = program.act("strat").await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(unknown.body.contains("did you mean `start`?"), "{}", unknown.body);
}

#[tokio::test]
async fn the_experiment_of_an_ab_test_is_started_with_its_campaign() {
    let program = Program::with_hero().await;
    let experiment = program.get(&format!("{SHOP}/experiments")).await.json()[0].clone();
    let path = format!("{SHOP}/experiments/{}", experiment["id"].as_str().unwrap());

    let started = program.post(&format!("{path}/actions"), json!({"action": "start"})).await;

    assert_eq!((started.status, &started.json()["status"]), (StatusCode::OK, &json!("running")));
    assert_eq!(program.get(&format!("{SHOP}/campaigns/3001")).await.json()["status"], "running");
}

#[tokio::test]
async fn a_change_that_would_move_visitors_is_a_conflict_at_its_field() {
    let program = Program::with_hero().await;
    program.act("start").await;
    let short = short_of(&program).await;

    let refused = program.patch(&short, json!({"weight": 1000})).await;

    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (StatusCode::CONFLICT, &json!("running"))
    );
    assert!(refused.body.contains("start a new phase"), "{}", refused.body);
    assert_eq!(refused.json()["errors"][0]["pointer"], "#/weight");
}

#[tokio::test]
async fn the_answer_to_an_action_has_the_tag_for_the_next_change() {
    let program = Program::with_hero().await;
    let started = program.act("start").await;
    let path = format!("{SHOP}/campaigns/3001");

    let renamed = program.patch_if(&path, started.header("etag"), json!({"name": "New"})).await;

    assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.body);
}

#[tokio::test]
async fn a_variation_is_stopped_and_goes_on() {
    let program = Program::with_hero().await;
    let short = short_of(&program).await;
    let actions = format!("{short}/actions");
    let act = |action: &'static str| program.post(&actions, json!({"action": action}));
    assert!(act("pause").await.json()["live_since_revision"].is_null());
    act("resume").await;
    program.act("start").await;

    let paused = act("pause").await;
    let again = act("pause").await;
    let resumed = act("resume").await;

    assert_eq!(paused.status, StatusCode::OK, "{}", paused.body);
    assert_eq!(
        (&paused.json()["paused"], &paused.json()["live_since_revision"]),
        (&json!(true), &json!(2))
    );
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert_eq!(again.json()["allowed"], json!(["resume"]));
    assert_eq!(resumed.json()["paused"], false);
    assert_eq!(program.get(&short).await.header("etag"), resumed.header("etag"));
}

/// The address of the second variation.
async fn short_of(program: &Program) -> String {
    let campaign = program.get(&format!("{SHOP}/campaigns/3001")).await.json();
    let id = campaign["experiments"][0]["variations"][1]["id"].as_str().unwrap().to_owned();
    format!("{SHOP}/variations/{id}")
}
