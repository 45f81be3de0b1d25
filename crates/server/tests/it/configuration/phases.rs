//! New phases: what must not change while an experiment runs changes with a new draw, and everything else stays.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Program, SHOP, pointers};

/// What docs/rest.md says.
const DOCUMENTATION: &str = include_str!("../../../../../docs/rest.md");

/// The address of the experiment that the hero's campaign has now.
async fn experiment(program: &Program) -> String {
    let campaign = program.get(&format!("{SHOP}/campaigns/3001")).await.json();
    let id = campaign["experiments"][0]["id"].as_str().unwrap();
    format!("{SHOP}/experiments/{id}")
}

async fn running() -> Program {
    let program = Program::with_hero().await;
    let path = experiment(&program).await;
    let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
    let short = id(&program.get(&path).await.json()["variations"][1]);
    let named =
        program.patch(&format!("{SHOP}/variations/{short}"), json!({"name": "Short"})).await;
    assert_eq!(named.status, StatusCode::OK, "{}", named.body);
    assert_eq!(program.act("start").await.status, StatusCode::OK);
    program
}

#[tokio::test]
async fn the_documented_example_changes_weights_and_leaves_the_rest() {
    let program = running().await;
    let (_, after) = DOCUMENTATION.split_once("**new phase**").unwrap();
    let (_, example) = after.split_once("```json\n").unwrap();
    let example: Value = serde_json::from_str(example.split_once("```").unwrap().0).unwrap();
    let path = experiment(&program).await;
    let before = program.get(&path).await.json();

    let phase = program.post(&format!("{path}/phases"), example).await;

    assert_eq!(phase.status, StatusCode::CREATED, "{}", phase.body);
    let phase = phase.json();
    for (place, weight) in [9000, 1000].into_iter().enumerate() {
        let [mut old, mut new] = [&before, &phase].map(|one| one["variations"][place].clone());
        assert_eq!(new["weight"], weight);
        assert_ne!(new["id"], old["id"]);
        for variation in [&mut old, &mut new] {
            variation
                .as_object_mut()
                .unwrap()
                .retain(|field, _| field != "id" && field != "weight");
        }
        assert_eq!(new, old);
    }
    let text = phase["visitors"][0]["text"].as_str().unwrap();
    assert!(text.contains("all visitors are drawn anew"), "{text}");
    assert!(!text.contains("loses"), "{text}");
    program.publish("another split").await;
    assert!(program.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn variations_are_named_by_id_too_and_take_other_names_and_changes() {
    let program = running().await;
    let path = experiment(&program).await;
    let before = program.get(&path).await.json();
    let sent = json!({"key": "again", "variations": [
        {"id": before["variations"][1]["id"], "key": "shorter", "name": "Shorter", "changes": []},
    ]});

    let phase = program.post(&format!("{path}/phases"), sent).await;

    assert_eq!(phase.status, StatusCode::CREATED, "{}", phase.body);
    let etag = phase.header("etag").to_owned();
    let phase = phase.json();
    assert_eq!(
        (&phase["key"], &phase["variations"][1]["key"]),
        (&json!("again"), &json!("shorter"))
    );
    assert_eq!(phase["variations"][0]["weight"], before["variations"][0]["weight"]);
    let path = experiment(&program).await;
    assert_eq!(program.get(&path).await.header("etag"), etag);
    let diff = program.get(&format!("{SHOP}/revisions/live..draft/diff")).await.json();
    let lost = "variation `short` is not there any more";
    assert!(diff["visitors"][0]["text"].as_str().unwrap().contains(lost), "{diff}");
}

#[tokio::test]
async fn what_visitors_lose_is_told() {
    let program = running().await;
    let path = experiment(&program).await;

    let phase = program
        .post(&format!("{path}/phases"), json!({"variations": [{"key": "short", "changes": []}]}))
        .await;

    let text = phase.json()["visitors"][0]["text"].as_str().unwrap().to_owned();
    let lost = "variation `short` loses all its changes: its visitors see the original";
    assert!(text.contains(lost), "{text}");
}

#[tokio::test]
async fn variations_are_added_and_removed_by_name() {
    let program = running().await;
    let path = experiment(&program).await;
    let sent = json!({
        "remove_variations": ["original"],
        "add_variations": [{"key": "long", "weight": 5000}],
    });

    let phase = program.post(&format!("{path}/phases"), sent).await;

    assert_eq!(phase.status, StatusCode::CREATED, "{}", phase.body);
    let variations = phase.json()["variations"].clone();
    let keys: Vec<&Value> = variations.as_array().unwrap().iter().map(|one| &one["key"]).collect();
    assert_eq!(keys, ["short", "long"]);
}

#[tokio::test]
async fn what_names_no_variation_is_refused_with_the_nearest() {
    let program = running().await;
    let path = format!("{}/phases", experiment(&program).await);
    let refusals = [
        (
            json!({"variations": [{"key": "shrt", "weight": 1}]}),
            "#/variations/0/key",
            "did you mean `short`?",
        ),
        (
            json!({"variations": [{"id": "1", "weight": 1}]}),
            "#/variations/0/id",
            "`add_variations` adds one",
        ),
        (json!({"variations": [{"weight": 1}]}), "#/variations/0", "names no variation"),
        (json!({"variations": ["short"]}), "#/variations/0", "expected an object"),
        (json!({"variations": {}}), "#/variations", "expected a list"),
        (json!({"variations": [{"key": "short"}, {"key": "short"}]}), "#/variations/1", "twice"),
        (
            json!({"variations": [{"key": "short"}], "remove_variations": ["short"]}),
            "#/variations/0",
            "twice",
        ),
        (
            json!({"remove_variations": ["orignal"]}),
            "#/remove_variations/0",
            "did you mean `original`?",
        ),
        (json!({"id": "5"}), "#/id", "an id of its own"),
    ];

    for (patch, pointer, words) in refusals {
        let refused = program.post(&path, patch.clone()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{patch}: {}", refused.body);
        assert_eq!(pointers(&refused), [pointer], "{patch}");
        assert!(refused.body.contains(words), "{patch}: {}", refused.body);
    }
}
