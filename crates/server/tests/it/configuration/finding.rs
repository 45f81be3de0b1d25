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
async fn a_query_says_what_is_looked_for() {
    let program = Program::with_hero().await;
    let mut other = hero("30", "banner");
    other["name"] = json!("Über alles");
    other["tags"] = json!(["spring"]);
    other["owner"] = json!("ann@shop.example");
    program.created("campaigns", other).await;
    let list = async |query: &str| program.get(&format!("{SHOP}/campaigns?{query}")).await;

    for query in [
        "key=banner",
        "q=%C3%BCber",
        "tag=spring",
        "owner=ann@shop.example",
        "status=not_started&sort=id&per_page=1",
        "sort=-name&per_page=1",
        "sort=-id&per_page=1&page=2",
    ] {
        assert_eq!(ids(&list(query).await.json()), ["30"], "{query}");
    }
    assert_eq!(ids(&list("campaign_id=3001").await.json()), ["3001"]);
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
async fn the_live_state_is_read_beside_the_draft_and_a_draft_is_discarded() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");
    let unpublished = program.get(&format!("{path}?state=live")).await;
    let draft = format!("{SHOP}/draft");
    let delete = async |headers: &[(&str, &str)]| {
        program.send(Method::DELETE, &draft, headers, Body::empty()).await.status
    };
    let nothing = delete(&[]).await;
    assert_eq!(program.publish("").await.status, StatusCode::CREATED);
    program.patch(&path, json!({"name": "Edited"})).await;

    let live = program.get(&format!("{path}?state=live")).await;
    let late = delete(&[("if-match", "\"other\"")]).await;
    let discarded = delete(&[]).await;

    assert_eq!((unpublished.status, nothing), (StatusCode::CONFLICT, StatusCode::CONFLICT));
    assert_eq!(unpublished.json()["code"], "not_published");
    assert_eq!(live.json()["name"], "Hero");
    assert_eq!((late, discarded), (StatusCode::PRECONDITION_FAILED, StatusCode::NO_CONTENT));
    assert_eq!(program.get(&path).await.json()["name"], "Hero");
}

#[tokio::test]
async fn a_client_with_the_present_state_gets_304() {
    let program = Program::with_hero().await;
    let webhooks = format!("{SHOP}/webhooks");
    program.post(&webhooks, json!({"url": "https://hooks.example/"})).await;
    let mut paths = vec![format!("{SHOP}/campaigns/3001"), SHOP.to_owned()];
    for (list, id) in [("/v1/members", "id"), ("/v1/applications", "client_id"), (&webhooks, "id")]
    {
        let first = &program.get(list).await.json()[0][id];
        let id = first.as_str().map_or_else(|| first.to_string(), str::to_owned);
        paths.push(format!("{list}/{id}"));
    }
    for path in paths {
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
    let phones = json!({"key": "phones", "conditions": {"type": "device", "value": "mobile"}});
    program.created("audiences", phones).await;

    let references = program.get(&format!("{SHOP}/audiences/key:phones/references")).await;
    let unknown = program.get(&format!("{SHOP}/audiences/77/references")).await;

    assert_eq!((references.status, references.json()), (StatusCode::OK, json!([])));
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}
