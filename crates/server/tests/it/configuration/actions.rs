//! Campaigns begin, rest and end, and visitors notice at once.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Program, SHOP, hero};

#[tokio::test]
async fn a_campaign_goes_through_its_life_and_visitors_notice_at_once() {
    let program = Program::with_hero().await;

    let started = program.act("start").await;
    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    assert_eq!(
        (&started.json()["status"], &started.json()["live_since_revision"]),
        (&json!("running"), &json!(1))
    );
    assert!(program.snippet().await.contains("Ship faster"));

    for (action, status, is_shown) in
        [("pause", "paused", false), ("resume", "running", true), ("conclude", "concluded", false)]
    {
        let acted = program.act(action).await;
        assert_eq!(acted.json()["status"], status, "{}", acted.body);
        assert_eq!(program.snippet().await.contains("Ship faster"), is_shown, "{action}");
    }
    assert_eq!(program.act("archive").await.json()["status"], "archived");
    assert_eq!(program.act("restore").await.json()["status"], "paused");
}

#[tokio::test]
async fn what_is_not_possible_is_refused_with_what_is() {
    let program = Program::with_hero().await;

    let refused = program.act("pause").await;

    assert_eq!(refused.status, StatusCode::CONFLICT);
    let problem = refused.json();
    assert_eq!(
        (&problem["code"], &problem["state"]),
        (&json!("invalid_transition"), &json!("not_started"))
    );
    assert_eq!(problem["allowed"], json!(["start", "archive"]));
    let unknown = program.act("strat").await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(unknown.body.contains("did you mean `start`?"), "{}", unknown.body);
}

#[tokio::test]
async fn a_start_takes_nothing_along_that_others_are_working_on() {
    let program = Program::with_hero().await;
    program.act("start").await;
    program.created("pages", json!({"id": "2002", "key": "cart", "conditions": []})).await;
    let mut offer = hero("3002", "offer");
    offer["pages"] = json!(["cart"]);
    offer["experiments"][0]["variations"][1]["changes"][0]["value"] = json!("Half price");
    program.created("campaigns", offer).await;
    program
        .patch(
            &format!("{SHOP}/campaigns/3001"),
            json!({"changes": [{"type": "text", "selector": "h2", "value": "Unfinished"}]}),
        )
        .await;

    let started =
        program.post(&format!("{SHOP}/campaigns/3002/actions"), json!({"action": "start"})).await;

    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    let snippet = program.snippet().await;
    assert!(snippet.contains("Half price") && snippet.contains("Ship faster"));
    assert!(!snippet.contains("Unfinished"));
    let hero = program.get(&format!("{SHOP}/campaigns/3001")).await.json();
    assert_eq!(hero["changes"][0]["value"], "Unfinished");
}

#[tokio::test]
async fn a_started_campaign_brings_its_audiences_and_attributes() {
    let program = Program::with_shop().await;
    program.created("attributes", json!({"key": "plan"})).await;
    program.created("attributes", json!({"key": "unused"})).await;
    program.created("audiences", json!({"key": "paying", "conditions": ["or", {"type": "custom_attribute", "name": "plan", "value": "pro"}]})).await;
    program
        .created("audiences", json!({"key": "both", "conditions": ["and", {"audience": "paying"}]}))
        .await;
    let mut campaign = hero("3001", "hero");
    campaign["experiments"][0]["audiences"] = json!(["or", "both"]);
    program.created("campaigns", campaign).await;

    assert_eq!(program.act("start").await.status, StatusCode::OK);

    let live = program.get(&format!("{SHOP}/revisions/1/document")).await.json();
    let keys = |list: &str| -> Vec<Value> {
        live[list].as_array().unwrap().iter().map(|resource| resource["key"].clone()).collect()
    };
    assert_eq!(keys("audiences"), ["paying", "both"]);
    assert_eq!(keys("attributes"), ["plan"]);
}

#[tokio::test]
async fn a_started_campaign_that_asks_for_a_renamed_attribute_leaves_others_asking_for_it() {
    let program = Program::with_shop().await;
    let asking =
        |name: &str| json!(["or", {"type": "custom_attribute", "name": name, "value": "pro"}]);
    let campaign = |id: &str, key: &str, audience: &str| {
        let mut campaign = hero(id, key);
        campaign["experiments"][0]["audiences"] = json!(["or", audience]);
        campaign
    };
    let plan = program.created("attributes", json!({"key": "plan"})).await;
    program.created("audiences", json!({"key": "paying", "conditions": asking("plan")})).await;
    program.created("campaigns", campaign("3001", "hero", "paying")).await;
    assert_eq!(program.act("start").await.status, StatusCode::OK);

    let plan = format!("{SHOP}/attributes/{}", plan["id"].as_str().unwrap());
    assert_eq!(program.patch(&plan, json!({"key": "tier"})).await.status, StatusCode::OK);
    program.created("audiences", json!({"key": "others", "conditions": asking("tier")})).await;
    program.created("campaigns", campaign("3002", "offer", "others")).await;
    let path = format!("{SHOP}/campaigns/3002/actions");
    let started = program.post(&path, json!({"action": "start"})).await;

    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    let live = program.get(&format!("{SHOP}/revisions/2/document")).await.json();
    for audience in live["audiences"].as_array().unwrap() {
        assert_eq!(audience["conditions"][1]["name"], "tier", "{audience}");
    }
}

#[tokio::test]
async fn the_experiment_of_an_ab_test_is_started_with_its_campaign() {
    let program = Program::with_hero().await;
    let experiment = program.get(&format!("{SHOP}/experiments")).await.json()[0].clone();
    let path = format!("{SHOP}/experiments/{}", experiment["id"].as_str().unwrap());

    let started = program.post(&format!("{path}/actions"), json!({"action": "start"})).await;

    assert_eq!((started.status, &started.json()["status"]), (StatusCode::OK, &json!("running")));
    assert_eq!(program.get(&format!("{SHOP}/campaigns/3001")).await.json()["status"], "running");
}

#[tokio::test]
async fn weights_and_order_of_a_running_experiment_change_only_with_a_new_phase() {
    let program = Program::with_hero().await;
    program.act("start").await;
    let variations = program.get(&format!("{SHOP}/variations")).await.json();
    let path = format!("{SHOP}/variations/{}", variations[1]["id"].as_str().unwrap());
    let experiment =
        format!("{SHOP}/experiments/{}", variations[1]["experiment_id"].as_str().unwrap());

    let refused = program.patch(&path, json!({"weight": 1000})).await;
    let mut swapped = program.get(&experiment).await.json()["variations"].clone();
    swapped.as_array_mut().unwrap().reverse();
    let reordered = program.patch(&experiment, json!({"variations": swapped})).await;
    let renamed = program.patch(&path, json!({"name": "Shorter"})).await;

    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    assert_eq!(refused.json()["code"], "running");
    assert!(refused.body.contains("start a new phase"), "{}", refused.body);
    assert_eq!(refused.json()["errors"][0]["pointer"], "#/weight");
    assert_eq!(reordered.json()["errors"][0]["pointer"], "#/variations");
    assert_eq!(renamed.status, StatusCode::OK);

    let weights = json!({"variations": [{"key": "original", "weight": 9000}, {"key": "short", "weight": 1000}]});
    let phase = program.post(&format!("{experiment}/phases"), weights).await;
    assert_eq!(phase.status, StatusCode::CREATED, "{}", phase.body);
    let phase = phase.json();
    assert_eq!(
        (&phase["key"], &phase["variations"][0]["weight"]),
        (&json!("hero-2"), &json!(9000))
    );
    assert_ne!(phase["variations"][1]["id"], variations[1]["id"]);
    let published = program.publish("another split").await;
    assert_eq!(published.status, StatusCode::CREATED, "{}", published.body);
    let live = program.get(&format!("{SHOP}/revisions/2/document")).await.json();
    assert_eq!(live["campaigns"][0]["experiments"][0]["id"], phase["id"]);
}

#[tokio::test]
async fn an_experiment_that_is_archived_and_goes_on_has_the_draw_that_it_had() {
    let program = Program::with_hero().await;
    for action in ["start", "conclude", "archive"] {
        assert_eq!(program.act(action).await.status, StatusCode::OK, "{action}");
    }
    program.publish("archived").await;
    let variations = program.get(&format!("{SHOP}/variations?archived=any")).await.json();
    let path = format!("{SHOP}/variations/{}", variations[1]["id"].as_str().unwrap());

    let refused = program.patch(&path, json!({"weight": 1000})).await;

    assert_eq!(refused.json()["code"], "running", "{}", refused.body);
}

#[tokio::test]
async fn a_first_start_brings_the_pages_that_audiences_ask_for_and_leaves_events_behind() {
    let program = Program::with_shop().await;
    program.created("pages", json!({"id": "2002", "key": "prices", "conditions": []})).await;
    program.created("pages", json!({"id": "2003", "key": "help", "conditions": []})).await;
    program.created("events", json!({"key": "asked", "type": "pageview", "page": "help"})).await;
    let were_there = json!(["or", {"type": "behavior", "value": {"page": "prices"}}]);
    program.created("audiences", json!({"key": "keen", "conditions": were_there})).await;
    let mut campaign = hero("3001", "hero");
    campaign["experiments"][0]["audiences"] = json!("keen");
    program.created("campaigns", campaign).await;

    let started = program.act("start").await;

    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    let live = program.get(&format!("{SHOP}/revisions/1/document")).await.json();
    let keys: Vec<&Value> =
        live["pages"].as_array().unwrap().iter().map(|page| &page["key"]).collect();
    assert_eq!(keys, ["home", "prices"]);
}

#[tokio::test]
async fn what_an_action_answers_can_be_changed_next() {
    let program = Program::with_hero().await;
    let started = program.act("start").await;
    let path = format!("{SHOP}/campaigns/3001");

    let renamed = program.patch_if(&path, started.header("etag"), json!({"name": "New"})).await;

    assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.body);
}

#[tokio::test]
async fn what_goes_live_takes_a_token_that_may_publish() {
    let mut program = Program::with_hero().await;
    let writer = program.token_for("config:read config:write").await;
    let publisher = program.token_for("config:read publish").await;

    program.token = writer;
    let refused = program.act("start").await;
    program.token = publisher;
    let started = program.act("start").await;

    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
}

#[tokio::test]
async fn a_campaign_of_a_group_starts_with_the_share_that_it_has_in_the_draft() {
    let program = Program::with_hero().await;
    program.created("campaigns", hero("3002", "offer")).await;
    let members =
        json!([{"campaign": "hero", "weight": 5000}, {"campaign": "offer", "weight": 5000}]);
    let group = program.created("groups", json!({"key": "checkout", "members": members})).await;

    let path = format!("{SHOP}/campaigns/3002/actions");
    let started = program.post(&path, json!({"action": "start"})).await;

    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    let live = program.get(&format!("{SHOP}/revisions/1/document")).await.json();
    assert_eq!(live["groups"][0]["members"], members);
    let hero = live["campaigns"].as_array().unwrap().iter().find(|one| one["id"] == "3001");
    assert_eq!(hero.unwrap()["status"], "not_started");
    assert_eq!(program.act("start").await.status, StatusCode::OK);
    let other =
        json!([{"campaign": "offer", "weight": 5000}, {"campaign": "hero", "weight": 5000}]);
    let path = format!("{SHOP}/groups/{}", group["id"].as_str().unwrap());
    let refused = program.patch(&path, json!({"members": other})).await;
    assert_eq!(refused.json()["errors"][0]["pointer"], "#/members", "{}", refused.body);
    let user = json!({"snippet": {"visitor_id": {"source": "cookie", "name": "user"}}});
    let refused = program.patch(SHOP, user).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (StatusCode::CONFLICT, &json!("running"))
    );
}

#[tokio::test]
async fn a_variation_is_stopped_at_once_and_alone() {
    let program = Program::with_hero().await;
    program.act("start").await;
    let short = short_of(&program).await;
    let renamed = json!({"name": "Not published"});
    program.patch(&format!("{SHOP}/campaigns/3001"), renamed).await;
    let actions = format!("{short}/actions");
    let act = |action: &'static str| program.post(&actions, json!({"action": action}));

    let paused = act("pause").await;
    let snippet = program.snippet().await;
    let again = act("pause").await;
    let resumed = act("resume").await;

    assert_eq!(paused.status, StatusCode::OK, "{}", paused.body);
    assert_eq!(
        (&paused.json()["paused"], &paused.json()["live_since_revision"]),
        (&json!(true), &json!(2))
    );
    assert!(snippet.contains("[1]]") && !snippet.contains("Not published"), "{snippet}");
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert_eq!(again.json()["allowed"], json!(["resume"]));
    assert_eq!(resumed.json()["paused"], false);
    assert_eq!(program.get(&short).await.header("etag"), resumed.header("etag"));
    assert!(!program.snippet().await.contains("[1]]"));
}

/// The address of the second variation.
async fn short_of(program: &Program) -> String {
    let campaign = program.get(&format!("{SHOP}/campaigns/3001")).await.json();
    let id = campaign["experiments"][0]["variations"][1]["id"].as_str().unwrap().to_owned();
    format!("{SHOP}/variations/{id}")
}

#[tokio::test]
async fn a_variation_of_a_running_experiment_is_paused_by_a_patch_and_a_publication() {
    let program = Program::with_hero().await;
    let short = short_of(&program).await;
    let actions = format!("{short}/actions");
    let never_live = program.post(&actions, json!({"action": "pause"})).await;
    assert_eq!(never_live.json()["live_since_revision"], Value::Null);
    program.post(&actions, json!({"action": "resume"})).await;
    program.act("start").await;

    let patched = program.patch(&short, json!({"paused": true})).await;
    let published = program.publish("Stop it").await;

    assert_eq!(patched.status, StatusCode::OK, "{}", patched.body);
    assert_eq!(published.status, StatusCode::CREATED, "{}", published.body);
    assert!(program.snippet().await.contains("[1]]"));
}
