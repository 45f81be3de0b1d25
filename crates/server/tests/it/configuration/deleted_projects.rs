//! An owner of the server deletes a project for good: nothing of it is left but its id, which no other project gets.

use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};

use super::{Program, SHOP};
use crate::site::Answer;

async fn delete(program: &Program, query: &str) -> Answer {
    program.send(Method::DELETE, &format!("{SHOP}{query}"), &[], Body::empty()).await
}

fn problem(answer: &Answer) -> (u16, Value) {
    (answer.status.as_u16(), answer.json()["code"].clone())
}

/// A published shop whose campaign ran, and the address of its snippet that names the content.
async fn published() -> (Program, String) {
    let program = Program::with_hero().await;
    let published = program.publish("first").await.json();
    let hash = published["snippet_hash"].as_str().unwrap().to_owned();
    (program, format!("/js/1000/{hash}.js"))
}

#[tokio::test]
async fn a_deleted_project_serves_nothing_and_is_nowhere() {
    let (program, immutable) = published().await;
    for path in ["/js/1000.js", &immutable] {
        assert_eq!(program.site.get(path).await.status, 200, "{path}");
    }
    let service = json!({"name": "deploy", "scopes": ["publish"],
        "service": {"roles": [{"role": "publisher", "project": "1000"}]}});
    assert_eq!(program.post("/v1/tokens", service).await.status, 201);
    let guest = json!({"email": "gus@example.com", "role": "viewer", "project": "1000"});
    assert_eq!(program.post("/v1/invitations", guest).await.status, 201);
    let hook = json!({"url": "https://hooks.example/in"});
    assert_eq!(program.post(&format!("{SHOP}/webhooks"), hook).await.status, 201);
    assert_eq!(delete(&program, "").await.status, 204, "it is archived");

    let deleted = delete(&program, "?permanently=shop").await;

    assert_eq!(deleted.status, 204, "{}", deleted.body);
    for path in ["/js/1000.js", &immutable, "/js/1000.js?preview=x"] {
        let gone = program.site.get(path).await;
        assert_eq!(
            (gone.status.as_u16(), gone.header("cache-control")),
            (410, "public, max-age=60")
        );
    }
    for path in ["", "/revisions", "/campaigns", "/webhooks", "/history", "/campaigns/hero/results"]
    {
        assert_eq!(program.get(&format!("{SHOP}{path}")).await.status, 404, "{path}");
    }
    assert_eq!(delete(&program, "?permanently=shop").await.status, 404);
    let link = program.post(&format!("{SHOP}/results-links"), json!({"campaign": "hero"})).await;
    assert_eq!(link.status, 404, "{}", link.body);
    let listed = program.get("/v1/projects?archived=any").await.json();
    let tokens = program.get("/v1/tokens").await.json();
    let invited = program.get("/v1/invitations").await.json();
    assert_eq!([listed, tokens, invited], [json!([]), json!([]), json!([])]);
    let audit = program.get("/v1/audit?event=project.deleted").await.json();
    assert_eq!((&audit[0]["detail"], &audit[0]["project"]["id"]), (&json!("shop"), &json!("1000")));
}

#[tokio::test]
async fn a_new_project_with_the_key_of_a_deleted_one_gets_another_id() {
    let program = Program::start().await;
    let shop = json!({"key": "shop"});
    let mut ids = Vec::new();
    for _ in 0..3 {
        let made = program.post("/v1/projects", shop.clone()).await.json();
        let id = made["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/projects/{id}");
        for query in ["", "?permanently=shop"] {
            let answer =
                program.send(Method::DELETE, &format!("{path}{query}"), &[], Body::empty()).await;
            assert_eq!(answer.status, 204, "{}", answer.body);
        }
        ids.push(id);
    }

    let with_the_first = program.post("/v1/projects", json!({"id": ids[0], "key": "other"})).await;

    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3, "{ids:?}");
    assert_eq!(problem(&with_the_first), (409, json!("taken")));
    let told = with_the_first.json()["detail"].to_string();
    assert!(told.contains("was deleted, and no other one gets its id"), "{told}");
}

#[tokio::test]
async fn a_key_that_a_project_gave_up_is_free_again() {
    let program = Program::start().await;
    let first = program.post("/v1/projects", json!({"key": "shop"})).await.json();
    let path = format!("/v1/projects/{}", first["id"].as_str().unwrap());
    let renamed = program.patch(&path, json!({"key": "old_shop"})).await;

    let second = program.post("/v1/projects", json!({"key": "shop"})).await;

    assert_eq!((renamed.status.as_u16(), second.status.as_u16()), (200, 201), "{}", second.body);
    assert_ne!(second.json()["id"], first["id"]);
}

#[tokio::test]
async fn only_an_archived_project_is_deleted_by_its_key_and_as_it_was_seen() {
    let (program, _) = published().await;
    let in_use = delete(&program, "?permanently=shop").await;
    let seen = program.get(SHOP).await.header("etag").to_owned();
    delete(&program, "").await;
    let other_key = delete(&program, "?permanently=shop2").await;
    let no_key = delete(&program, "?permanently=").await;
    let path = format!("{SHOP}?permanently=shop");
    let changed = program.send(Method::DELETE, &path, &[("if-match", &seen)], Body::empty()).await;

    assert_eq!(problem(&in_use), (409, json!("invalid_transition")));
    assert_eq!(in_use.json()["allowed"], json!(["archive"]));
    assert_eq!(problem(&other_key), (400, json!("invalid_parameter")));
    assert_eq!(problem(&no_key), (400, json!("invalid_parameter")));
    assert_eq!(problem(&changed), (412, json!("etag_mismatch")));
    assert_eq!(program.get(SHOP).await.json()["archived"], true);
}

#[tokio::test]
async fn a_member_who_owns_only_the_project_does_not_delete_it() {
    let (program, _) = published().await;
    delete(&program, "").await;
    let service = json!({"name": "deploy", "scopes": ["config:write"],
        "service": {"roles": [{"role": "owner", "project": "1000"}]}});
    let token =
        program.post("/v1/tokens", service).await.json()["token"].as_str().unwrap().to_owned();
    let of_project = Program { token, ..program };

    let refused = delete(&of_project, "?permanently=shop").await;

    assert_eq!(problem(&refused), (403, json!("role_required")));
    assert_eq!(of_project.site.get("/js/1000.js").await.status, 200);
}

#[tokio::test]
async fn nothing_starts_or_goes_live_in_an_archived_project() {
    let (program, _) = published().await;
    program.act("start").await;
    program.act("pause").await;
    delete(&program, "").await;
    let refused = (409, json!("project_archived"));

    let acts = ["start", "resume", "conclude"];
    for action in acts {
        assert_eq!(problem(&program.act(action).await), refused, "{action} in the draft");
    }
    let restore = format!("{SHOP}/revisions/1/restore");
    assert_eq!(problem(&program.post(&restore, json!({})).await), refused);
    assert_eq!(program.publish("archive").await.status, 201, "this tells visitors");
    assert_eq!(problem(&program.publish("again").await), refused);

    let restored = program.post(&format!("{SHOP}/actions"), json!({"action": "restore"})).await;
    assert_eq!(restored.status, 200);
    assert_eq!(problem(&program.act("resume").await), refused, "visitors get nothing yet");
    assert_eq!(program.publish("restore").await.status, 201);
    assert_eq!(program.act("resume").await.json()["status"], "running");
}
