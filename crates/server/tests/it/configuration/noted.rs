//! What members note of a campaign: tags, a hypothesis and an owner.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Program, SHOP, hero, pointers};

#[tokio::test]
async fn campaigns_are_found_by_what_members_note_of_them_and_visitors_get_nothing_of_it() {
    let program = Program::with_hero().await;
    program.created("campaigns", hero("3002", "offer")).await;
    program.act("start").await;
    let snippet = program.snippet().await;
    let path = format!("{SHOP}/campaigns/3001");
    let notes = json!({
        "tags": ["spring", "checkout"], "hypothesis": "Short sells.\nAlways.", "owner": "ann@shop.example",
    });

    let changed = program.patch(&path, notes.clone()).await;

    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    for field in ["tags", "hypothesis", "owner"] {
        assert_eq!(changed.json()[field], notes[field]);
    }
    for (query, found) in [
        ("tag=spring", vec!["3001"]),
        ("tag=Spring", vec![]),
        ("owner=ann@shop.example", vec!["3001"]),
        ("tag=spring&owner=bob", vec![]),
    ] {
        let list = program.get(&format!("{SHOP}/campaigns?{query}")).await.json();
        let ids: Vec<&Value> = list.as_array().unwrap().iter().map(|one| &one["id"]).collect();
        assert_eq!(ids, found, "{query}");
    }
    let differences = program.get(&format!("{SHOP}/revisions/live..draft/diff")).await.json();
    assert!(differences["text"].as_str().unwrap().contains("tags"), "{differences}");
    assert_eq!(differences["visitors"], json!([]));
    assert_eq!(program.publish("noted").await.status, StatusCode::CREATED);
    let published = program.snippet().await;
    assert_eq!(published.len(), snippet.len(), "only the revision that it names is another one");
    assert!(!published.contains("spring") && !published.contains("ann@"), "{published}");
    let cleared = program.patch(&path, json!({"tags": null, "owner": null})).await.json();
    assert_eq!((&cleared["tags"], &cleared["owner"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn a_note_that_is_wrong_is_refused_with_its_place() {
    let program = Program::with_hero().await;
    let wrong = json!({"tags": ["a", "a"], "owner": "", "hypothesis": 7});

    let refused = program.patch(&format!("{SHOP}/campaigns/3001"), wrong).await;

    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let mut places = pointers(&refused);
    places.sort_unstable();
    assert_eq!(places, ["#/hypothesis", "#/owner", "#/tags/1"]);
}
