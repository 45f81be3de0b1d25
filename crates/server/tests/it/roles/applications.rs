//! `/v1/applications`.

use app::applications::{DeclaredApplication, declare_application};
use secrecy::SecretString;
use serde_json::{Value, json};
use storage::RoleGrant;

use super::{Call, assert_problem, shops, token_with};
use crate::site::{Application, Site};

async fn owner(site: &Site, application: &Application) -> String {
    token_with(site, application, RoleGrant::OWNER).await
}

#[tokio::test]
async fn an_application_is_added_changed_switched_and_removed() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let new = json!({"name": "Charts", "redirect_uris": ["https://charts.example/cb"]});

    let added = call.post("/v1/applications", &new).await;
    assert_eq!((added.status.as_u16(), added.header("cache-control")), (201, "no-store"));
    let shown = added.json();
    assert!(shown["client_secret"].as_str().unwrap().starts_with("assay_"), "{shown}");
    let id = shown["client_id"].as_str().unwrap();
    let path = format!("/v1/applications/{id}");
    assert_eq!(added.header("location"), format!("https://assay.example{path}"));

    let read = call.get(&path).await;
    assert_eq!(
        (&read.json()["name"], &read.json()["type"]),
        (&json!("Charts"), &json!("confidential"))
    );
    assert_eq!(read.json().get("client_secret"), None);
    let renamed = call.patch(&path, Some(read.header("etag")), &json!({"name": "Graphs"})).await;
    assert_eq!(renamed.json()["name"], "Graphs");
    assert_eq!(renamed.json()["redirect_uris"], new["redirect_uris"]);
    let stale = call.patch(&path, Some(read.header("etag")), &json!({"name": "Other"})).await;
    assert_problem(&stale, 412, "etag_mismatch");
    assert_problem(&call.patch(&path, None, &json!({})).await, 428, "precondition_required");

    let actions = format!("{path}/actions");
    let disabled = call.post(&actions, &json!({"action": "disable"})).await;
    assert!(disabled.json()["disabled_at"].is_string(), "{disabled:?}");
    let enabled = call.post(&actions, &json!({"action": "enable"})).await;
    assert_eq!(enabled.json()["disabled_at"], Value::Null);

    assert_eq!(call.delete(&path).await.status.as_u16(), 204);
    assert_eq!(call.get(&path).await.status.as_u16(), 404);
    let log = call.get("/v1/audit?per_page=5").await.json();
    let events: Vec<_> = log.as_array().unwrap().iter().map(|entry| &entry["event"]).collect();
    assert_eq!(
        events,
        [
            "application.removed",
            "application.enabled",
            "application.disabled",
            "application.changed",
            "application.added",
        ]
    );
    let of_owner = |entry: &Value| entry["member"]["email"] == "owner@example.com";
    assert!(log.as_array().unwrap().iter().all(of_owner), "{log}");
}

#[tokio::test]
async fn an_application_moves_to_another_secret() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let path = format!("/v1/applications/{}/secrets", application.client_id);
    let first = call.get(&path).await.json()[0]["id"].as_str().unwrap().to_owned();

    let added = call.post(&path, &json!({"note": "2027"})).await;
    let too_many = call.post(&path, &json!({})).await;
    let removed = call.delete(&format!("{path}/{first}")).await;
    let again = call.delete(&format!("{path}/{first}")).await;

    assert_eq!((added.status.as_u16(), added.header("cache-control")), (201, "no-store"));
    assert_problem(&too_many, 409, "too_many_secrets");
    assert_eq!((removed.status.as_u16(), again.status.as_u16()), (204, 404));
    let left = call.get(&path).await.json();
    assert_eq!((&left[0]["id"], &left[0]["note"]), (&added.json()["id"], &json!("2027")));
    assert_eq!(left.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_wrong_with_an_application_is_told_with_its_place() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    for (body, pointer) in [
        (json!({"name": " ", "redirect_uris": ["https://a.example/"]}), "#/name"),
        (json!({"name": "A"}), "#"),
        (json!({"name": "A", "redirect_uris": ["http://a.example/"]}), "#/redirect_uris"),
        (json!({"name": "A", "redirect_uri": []}), "#/redirect_uri"),
        (json!({"name": "A", "redirect_uris": ["https://a.example/"], "type": "secret"}), "#/type"),
    ] {
        let answer = call.post("/v1/applications", &body).await;
        assert_eq!(answer.status.as_u16(), 422, "{body}");
        assert_eq!(answer.json()["errors"][0]["pointer"], pointer, "{answer:?}");
    }
}

#[tokio::test]
async fn an_application_of_a_project_file_can_only_be_switched_on_or_off() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let declared = DeclaredApplication {
        client_id: "declared".to_owned(),
        name: "Reports".to_owned(),
        redirect_uris: vec!["https://reports.example/callback".to_owned()],
        scope: None,
        secret: Some(SecretString::from("0123456789abcdef0123456789abcdef")),
    };
    declare_application(&site.app, declared).await.unwrap();
    let path = "/v1/applications/declared";

    let renamed = call.patch(path, Some("*"), &json!({"name": "Other"})).await;
    let added = call.post(&format!("{path}/secrets"), &json!({})).await;
    let removed = call.delete(path).await;
    let disabled = call.post(&format!("{path}/actions"), &json!({"action": "disable"})).await;

    for answer in [renamed, added, removed] {
        assert_problem(&answer, 409, "declared_in_project_file");
    }
    assert_eq!(disabled.status.as_u16(), 200);
    assert_eq!(call.get(path).await.json()["declared_in_project_file"], true);
}
