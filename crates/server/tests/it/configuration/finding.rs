//! How programs find what they look for: searched, sorted, of the draft or as it is live, and only if they do not have it already.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP, hero};

/// The ids of a list.
fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|resource| resource["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn lists_are_searched_and_sorted() {
    let program = Program::with_hero().await;
    let mut other = hero("30", "banner");
    other["name"] = json!("Über alles");
    program.created("campaigns", other).await;
    let list = async |query: &str| program.get(&format!("{SHOP}/campaigns?{query}")).await;

    assert_eq!(ids(&list("").await.json()), ["3001", "30"]);
    assert_eq!(ids(&list("sort=id").await.json()), ["30", "3001"]);
    assert_eq!(ids(&list("sort=-key").await.json()), ["3001", "30"]);
    assert_eq!(ids(&list("sort=-name").await.json()), ["30", "3001"]);
    assert_eq!(ids(&list("q=HERO").await.json()), ["3001"]);
    assert_eq!(ids(&list("q=%C3%BCber").await.json()), ["30"]);
    assert_eq!(ids(&list("q=3001").await.json()), ["3001"]);
    assert_eq!(ids(&list("key=banner").await.json()), ["30"]);
    let second = list("sort=id&per_page=1&page=2").await;
    assert_eq!((ids(&second.json()), second.header("x-total-count")), (vec!["3001"], "2"));
    assert_eq!(ids(&list("q=nothing").await.json()), [""; 0]);
    assert_eq!(list("sort=weight").await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_query_parameter_that_there_is_not_is_refused_with_the_nearest_name() {
    let program = Program::with_hero().await;
    for (path, nearest) in [
        ("campaigns?stauts=running", "status"),
        ("campaigns?page=1&per-page=2", "per_page"),
        ("campaigns/3001?sate=live", "state"),
        ("pages/2001/history?pages=2", "page"),
    ] {
        let refused = program.get(&format!("{SHOP}/{path}")).await;

        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{path}: {}", refused.body);
        assert_eq!(refused.json()["code"], "unknown_parameter");
        let meant = format!("did you mean `{nearest}`?");
        assert!(refused.body.contains(&meant), "{path}: {}", refused.body);
    }
    let changed = program.patch(&format!("{SHOP}/pages/2001"), json!({"name": "Home"})).await;
    assert_eq!(changed.status, StatusCode::OK);
    let path = format!("{SHOP}/pages/2001?dry_run=true");
    let tag = [("if-match", "*")];
    let dry = program.send(Method::PATCH, &path, &tag, Body::from("{}")).await;
    assert_eq!(dry.status, StatusCode::BAD_REQUEST, "nothing is done but what was asked for");
}

#[tokio::test]
async fn what_is_live_is_read_beside_the_draft_and_the_draft_is_taken_back() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");
    let live = format!("{path}?state=live");
    let unpublished = program.get(&live).await;
    assert_eq!(
        (unpublished.status, &unpublished.json()["code"]),
        (StatusCode::CONFLICT, &json!("not_published"))
    );
    assert_eq!(
        program.send(Method::DELETE, &format!("{SHOP}/draft"), &[], Body::empty()).await.status,
        StatusCode::CONFLICT
    );
    assert_eq!(program.publish("").await.status, StatusCode::CREATED);
    let published = program.get(&path).await.json();
    assert_eq!(program.patch(&path, json!({"name": "Edited"})).await.status, StatusCode::OK);
    program.created("attributes", json!({"key": "plan"})).await;

    assert_eq!(program.get(&live).await.json(), published);
    assert_eq!(program.get(&path).await.json()["name"], "Edited");
    assert_eq!(program.get(&format!("{SHOP}/attributes?state=live")).await.json(), json!([]));
    let late = program
        .send(Method::DELETE, &format!("{SHOP}/draft"), &[("if-match", "\"other\"")], Body::empty())
        .await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    let discarded =
        program.send(Method::DELETE, "/v1/projects/key:shop/draft", &[], Body::empty()).await;

    assert_eq!(discarded.status, StatusCode::NO_CONTENT, "{}", discarded.body);
    assert_eq!(program.get(&path).await.json()["name"], published["name"]);
    let differences = program.get(&format!("{SHOP}/revisions/live..draft/diff")).await.json();
    assert_eq!(differences["changes"], json!([]));
}

#[tokio::test]
async fn who_has_the_present_state_is_told_so() {
    let program = Program::with_hero().await;
    for path in [format!("{SHOP}/campaigns/3001"), SHOP.to_owned()] {
        let tag = program.get(&path).await.header("etag").to_owned();
        let read = async |known: &str| {
            program.send(Method::GET, &path, &[("if-none-match", known)], Body::empty()).await
        };

        for known in [&*tag, &format!("\"a\", W/{tag}"), "*"] {
            let answer = read(known).await;
            assert_eq!(
                (answer.status, answer.header("etag"), &*answer.body),
                (StatusCode::NOT_MODIFIED, &*tag, "")
            );
        }
        assert_eq!(read("\"a\"").await.status, StatusCode::OK);
        assert_eq!(read("a").await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn an_audience_tells_which_experiments_name_it() {
    let program = Program::with_shop().await;
    let audience =
        json!({"id": "5001", "key": "phones", "conditions": {"type": "device", "value": "mobile"}});
    program.created("audiences", audience).await;
    let other = json!({"id": "5002", "key": "members", "conditions": {"type": "device", "value": "mobile"}});
    program.created("audiences", other).await;
    let mut campaign = hero("3001", "hero");
    campaign["experiments"][0]["audiences"] = json!(["or", "phones", ["not", "members"]]);
    program.created("campaigns", campaign).await;
    program.created("campaigns", hero("3002", "other")).await;

    let references = program.get(&format!("{SHOP}/audiences/key:members/references")).await;

    assert_eq!(references.status, StatusCode::OK, "{}", references.body);
    let references = references.json();
    assert_eq!(references.as_array().unwrap().len(), 1);
    assert_eq!(
        (&references[0]["campaign_id"], &references[0]["key"]),
        (&json!("3001"), &json!("hero"))
    );
    let unknown = program.get(&format!("{SHOP}/audiences/77/references")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}
