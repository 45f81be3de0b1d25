//! A campaign is concluded with a winner, and everybody gets it until it is built into the site.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP, pointers};
use crate::site::Answer;

async fn conclude(program: &Program, more: Value) -> Answer {
    let mut body = json!({"action": "conclude"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    program.post(&format!("{SHOP}/campaigns/3001/actions"), body).await
}

async fn running() -> Program {
    let program = Program::with_hero().await;
    assert_eq!(program.act("start").await.status, StatusCode::OK);
    program
}

/// What a visitor gets who was given the original before.
async fn decided(program: &Program) -> Value {
    let hero = program.get(&format!("{SHOP}/campaigns/3001")).await.json();
    let experiment = &hero["experiments"][0];
    let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
    let given = json!({id(experiment): id(&experiment["variations"][0])});
    let visit = json!({"visitor_id": "v", "url": "https://shop.example/", "variations": given});
    let answer = program.post(&format!("{SHOP}/decide"), visit).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.json()["campaigns"][0]["variation"]["key"].clone()
}

#[tokio::test]
async fn a_shipped_winner_is_everybodys_in_one_request() {
    let program = running().await;
    assert_eq!(decided(&program).await, "original");

    let concluded = conclude(&program, json!({"winner": "short", "ship": true})).await;

    assert_eq!(concluded.status, StatusCode::OK, "{}", concluded.body);
    let campaign = concluded.json();
    assert_eq!((&campaign["status"], &campaign["shipped"]), (&json!("concluded"), &json!(true)));
    let short = &campaign["experiments"][0]["variations"][1]["id"];
    assert_eq!(&campaign["experiments"][0]["winner"], short);
    assert_eq!(campaign["live_since_revision"], 2);
    assert_eq!(decided(&program).await, "short");
    assert!(program.snippet().await.contains("Ship faster"));
    let project = program.send(Method::DELETE, SHOP, &[], Body::empty()).await;
    assert_eq!(project.status, StatusCode::CONFLICT, "{}", project.body);
}

#[tokio::test]
async fn a_winner_is_named_by_id_and_shipped_later_or_taken_back() {
    let program = running().await;
    let hero = program.get(&format!("{SHOP}/campaigns/3001")).await.json();
    let short = hero["experiments"][0]["variations"][1]["id"].clone();

    let concluded = conclude(&program, json!({"winner": short})).await;
    assert_eq!(concluded.json()["shipped"], false, "{}", concluded.body);
    assert!(!program.snippet().await.contains("Ship faster"));
    assert_eq!(conclude(&program, json!({})).await.status, StatusCode::CONFLICT);

    assert_eq!(conclude(&program, json!({"ship": true})).await.status, StatusCode::OK);
    assert!(program.snippet().await.contains("Ship faster"));
    assert_eq!(conclude(&program, json!({"ship": false})).await.status, StatusCode::OK);
    assert!(!program.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn archiving_ends_what_is_shipped_at_once_and_takes_the_right_to_publish() {
    let mut program = running().await;
    conclude(&program, json!({"winner": "short", "ship": true})).await;
    let owner = program.token.clone();
    program.token = program.token_for("config:read config:write").await;
    assert_eq!(program.act("archive").await.status, StatusCode::FORBIDDEN);
    assert!(program.snippet().await.contains("Ship faster"));

    program.token = owner;
    let archived = program.act("archive").await;

    assert_eq!(archived.status, StatusCode::OK, "{}", archived.body);
    let campaign = archived.json();
    assert_eq!((&campaign["status"], &campaign["shipped"]), (&json!("archived"), &json!(false)));
    assert!(!program.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn what_cannot_be_shipped_is_refused_and_nothing_is_concluded() {
    let program = running().await;
    let refusals = [
        (json!({"winner": "shrt"}), "#/winner", "did you mean `short`?"),
        (json!({"ship": true}), "#/winner", "has no winner"),
        (json!({"winner": []}), "#/winner", "a text"),
        (json!({"ship": "yes"}), "#/ship", "`true` or `false`"),
        (json!({"winer": "short"}), "#/winer", "only `action`, `winner` and `ship`"),
    ];

    for (more, pointer, words) in refusals {
        let refused = conclude(&program, more.clone()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{more}: {}", refused.body);
        assert_eq!(pointers(&refused), [pointer], "{more}");
        assert!(refused.body.contains(words), "{more}: {}", refused.body);
    }

    assert_eq!(program.get(&format!("{SHOP}/campaigns/3001")).await.json()["status"], "running");
}
