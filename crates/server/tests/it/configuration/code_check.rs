//! A program, or the console while a member types, checks JavaScript before it is saved.

use axum::http::StatusCode;
use serde_json::json;

use super::{Program, SHOP};

#[tokio::test]
async fn code_is_checked_as_the_snippet_will_have_it_and_nothing_is_saved() {
    let program = Program::with_hero().await;
    let before = program.get(SHOP).await.json();
    let path = format!("{SHOP}/check-code");
    let check = async |code: &str| program.post(&path, json!({ "code": code })).await.json();

    let sound = check("return await_ = 1; // ü").await;
    let broken = check("var ü = 1;\n/* ü */ if (ü {\n}").await;
    let escaping = check("}); alert(1); (function () {").await;

    assert_eq!(sound, json!({"faults": []}));
    assert_eq!(
        (&broken["faults"][0]["line"], &broken["faults"][0]["column"]),
        (&2.into(), &15.into())
    );
    assert!(broken["faults"][0]["detail"].as_str().unwrap().contains("xpected"), "{broken}");
    assert_eq!(escaping["faults"][0]["line"], 1, "{escaping}");
    assert_eq!(program.get(SHOP).await.json(), before);
}

#[tokio::test]
async fn only_who_may_edit_a_project_checks_code_for_it() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/check-code");
    let code = json!({"code": "return 1"});

    let unknown = program.post("/v1/projects/77/check-code", code.clone()).await;
    let nothing = program.post(&path, json!({})).await;
    let huge = program.post(&path, json!({"code": "a".repeat(600_000)})).await;

    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert_eq!(nothing.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(nothing.json()["errors"][0]["detail"].as_str().unwrap().contains("`code`"));
    assert_eq!(huge.status, StatusCode::PAYLOAD_TOO_LARGE);
}
