//! A project with running campaigns is not archived: its visitors would go on seeing them.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::json;

use super::{Program, SHOP};

async fn refusals(program: &Program) -> Vec<crate::site::Answer> {
    vec![
        program.send(Method::DELETE, SHOP, &[], Body::empty()).await,
        program.post(&format!("{SHOP}/actions"), json!({"action": "archive"})).await,
    ]
}

#[tokio::test]
async fn a_project_with_running_campaigns_is_not_archived() {
    let program = Program::with_hero().await;
    program.act("start").await;

    for refused in refusals(&program).await {
        assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
        let problem = refused.json();
        assert_eq!(problem["code"], "running");
        let told = problem["errors"][0]["detail"].as_str().unwrap();
        assert_eq!(told, "the campaign `Hero` (3001) is running; pause or conclude it first");
    }

    assert_eq!(program.get(SHOP).await.json()["archived"], false);
    program.act("pause").await;
    let gone = program.send(Method::DELETE, SHOP, &[], Body::empty()).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.body);
}
