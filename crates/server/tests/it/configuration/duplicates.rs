//! A copy of a campaign, or of an experience, in one request.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP, pointers};
use crate::site::Answer;

async fn duplicate(program: &Program, path: &str, body: Value) -> Answer {
    program.post(&format!("{SHOP}/{path}/duplicate"), body).await
}

/// Two experiences, in two groups of priority.
fn offers() -> Value {
    let experience = |key: &str| json!({"key": key, "name": key, "variations": [{"key": "mug", "weight": 10000}]});
    json!({
        "id": "3002", "key": "offers", "type": "personalization", "pages": ["home"], "tags": ["spring"],
        "experiments": [experience("a"), experience("b")], "priorities": [["b"], ["a"]],
    })
}

#[tokio::test]
async fn a_copy_of_a_campaign_has_ids_and_a_key_of_its_own_and_does_not_run() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");
    let schedule = json!({"start": "2030-01-01T09:00"});
    program.patch(&path, json!({"schedule": schedule, "tags": ["spring"], "holdback": 500})).await;
    program.act("start").await;
    let snippet = program.snippet().await;

    let copied = duplicate(&program, "campaigns/key:hero", json!({})).await;

    assert_eq!(copied.status, StatusCode::CREATED, "{}", copied.body);
    let (original, copy) = (program.get(&path).await.json(), copied.json());
    assert_eq!((&copy["key"], &copy["name"]), (&json!("hero-2"), &json!("Hero (copy)")));
    assert_eq!((&copy["status"], &copy["schedule"]), (&json!("not_started"), &Value::Null));
    for field in ["type", "pages", "holdback", "tags"] {
        assert_eq!(copy[field], original[field], "{field}");
    }
    let ids = |campaign: &Value| {
        let experiment = &campaign["experiments"][0];
        let variations = experiment["variations"].as_array().unwrap().iter();
        let ids = [campaign, experiment].into_iter().chain(variations).map(|one| one["id"].clone());
        ids.collect::<Vec<_>>()
    };
    assert!(ids(&copy).iter().all(|id| !ids(&original).contains(id)), "{copy}");
    let changes = |campaign: &Value| campaign["experiments"][0]["variations"][1]["changes"].clone();
    assert_eq!(changes(&copy), changes(&original));
    let location = copied.header("location");
    assert!(
        location.ends_with(&format!("/campaigns/{}", copy["id"].as_str().unwrap())),
        "{location}"
    );
    assert_eq!(copied.header("etag"), copy["etag"]);
    program.publish("copy").await;
    let published = program.snippet().await;
    assert_eq!(published.len(), snippet.len(), "only the revision that it names is another one");
    assert!(!published.contains("(copy)"), "{published}");
    let again = duplicate(&program, "campaigns/3001", json!({"name": "Mine", "key": "mine"})).await;
    assert_eq!((&again.json()["key"], &again.json()["name"]), (&json!("mine"), &json!("Mine")));
}

#[tokio::test]
async fn a_copy_of_a_personalization_keeps_the_order_of_its_experiences() {
    let program = Program::with_shop().await;
    program.created("campaigns", offers()).await;

    let copied = duplicate(&program, "campaigns/3002", json!({})).await;

    assert_eq!(copied.status, StatusCode::CREATED, "{}", copied.body);
    let copy = copied.json();
    let ids = [1, 0].map(|place| json!([copy["experiments"][place]["id"]]));
    assert_eq!(copy["priorities"], json!(ids));
}

#[tokio::test]
async fn an_experience_is_copied_beside_itself() {
    let program = Program::with_shop().await;
    let campaign = program.created("campaigns", offers()).await;
    let path = format!("experiments/{}", campaign["experiments"][0]["id"].as_str().unwrap());

    let copied = duplicate(&program, &path, json!({"name": "C"})).await;

    assert_eq!(copied.status, StatusCode::CREATED, "{}", copied.body);
    let copy = copied.json();
    assert_eq!((&copy["key"], &copy["name"]), (&json!("a-2"), &json!("C")));
    assert_eq!(copy["campaign_id"], "3002");
    let campaign = program.get(&format!("{SHOP}/campaigns/3002")).await.json();
    assert_eq!(campaign["experiments"][2]["id"], copy["id"]);
}

#[tokio::test]
async fn a_copy_that_is_not_possible_is_refused_with_the_reason() {
    let program = Program::with_hero().await;
    let hero = program.get(&format!("{SHOP}/campaigns/3001")).await.json();
    let experiment = format!("experiments/{}", hero["experiments"][0]["id"].as_str().unwrap());

    let of_test = duplicate(&program, &experiment, json!({})).await;
    assert_eq!(of_test.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(of_test.body.contains("duplicate its campaign"), "{}", of_test.body);
    let unknown = duplicate(&program, "campaigns/3001", json!({"nmae": "x"})).await;
    assert_eq!(
        (unknown.status, pointers(&unknown)),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["#/nmae".to_owned()])
    );
    assert!(unknown.body.contains("did you mean `name`?"), "{}", unknown.body);
    let taken = duplicate(&program, "campaigns/3001", json!({"key": "hero"})).await;
    assert_eq!(
        (taken.status, pointers(&taken)),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["#/key".to_owned()])
    );
    assert_eq!(duplicate(&program, "campaigns/9", json!({})).await.status, StatusCode::NOT_FOUND);
    assert_eq!(duplicate(&program, "pages/2001", json!({})).await.status, StatusCode::NOT_FOUND);
    let late = [("if-match", "\"other\"")];
    let path = format!("{SHOP}/campaigns/3001/duplicate");
    let late = program.send(Method::POST, &path, &late, Body::from("{}")).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    let campaigns = program.get(&format!("{SHOP}/campaigns")).await.json();
    assert_eq!(campaigns.as_array().unwrap().len(), 1, "nothing of it is kept");
}

#[tokio::test]
async fn a_repeated_request_makes_one_copy() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001/duplicate");
    let keyed = [("idempotency-key", "one")];

    let first = program.send(Method::POST, &path, &keyed, Body::from("{}")).await;
    let again = program.send(Method::POST, &path, &keyed, Body::from("{}")).await;

    assert_eq!((first.status, &first.body), (StatusCode::CREATED, &again.body));
    let campaigns = program.get(&format!("{SHOP}/campaigns")).await.json();
    assert_eq!(campaigns.as_array().unwrap().len(), 2);
}
