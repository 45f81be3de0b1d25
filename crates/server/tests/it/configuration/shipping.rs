//! A campaign is concluded with a winner, and every targeted visitor gets it until it is built into the site.

use axum::http::StatusCode;
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

#[tokio::test]
async fn a_shipped_winner_is_everybodys_in_one_request() {
    let program = running().await;

    let concluded = conclude(&program, json!({"winner": "short", "ship": true})).await;

    assert_eq!(concluded.status, StatusCode::OK, "{}", concluded.body);
    let campaign = concluded.json();
    assert_eq!((&campaign["status"], &campaign["shipped"]), (&json!("concluded"), &json!(true)));
    assert_eq!(campaign["live_since_revision"], 2);
    assert!(program.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn what_cannot_be_shipped_is_refused_and_nothing_is_concluded() {
    let program = running().await;
    let refusals = [
        (json!({"winner": "shrt"}), "#/winner", "did you mean `short`?"),
        (json!({"winner": []}), "#/winner", "a text"),
        (json!({"ship": "yes"}), "#/ship", "`true` or `false`"),
        (json!({"winer": "short"}), "#/winer", "one of `action`, `winner`, `ship`"),
    ];

    for (more, pointer, words) in refusals {
        let refused = conclude(&program, more.clone()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{more}: {}", refused.body);
        assert_eq!(pointers(&refused), [pointer], "{more}");
        assert!(refused.body.contains(words), "{more}: {}", refused.body);
    }
}
