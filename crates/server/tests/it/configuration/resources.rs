//! The resources of a project, one by one: created, read, listed, changed, archived and restored.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP, hero, pointers};

#[tokio::test]
async fn a_project_begins_empty_and_is_found_at_its_address() {
    let program = Program::start().await;

    let created = program.post("/v1/projects", json!({"key": "shop", "name": "Shop"})).await;

    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let address = created.header("location").strip_prefix("https://assay.example").unwrap();
    let found = program.get(address).await;
    assert_eq!(found.json(), created.json());
    assert_eq!(found.header("etag"), created.header("etag"));
    let shop = found.json();
    assert_eq!((&shop["name"], &shop["revision"]), (&json!("Shop"), &Value::Null));
    assert_eq!(shop["managed_by"], "store");
    let id = shop["id"].as_str().unwrap();
    let listed = program.get("/v1/projects").await.json();
    assert_eq!(listed[0]["id"], id);
    assert_eq!(program.site.get(&format!("/js/{id}.js")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn every_kind_of_resource_is_created_read_and_listed() {
    let program = Program::with_hero().await;
    let others = [
        ("attributes", json!({"key": "plan", "name": "Plan"})),
        (
            "audiences",
            json!({"key": "members", "conditions": ["or", {"type": "custom_attribute", "name": "plan"}]}),
        ),
        ("events", json!({"key": "signup", "type": "click", "selector": "#signup"})),
        ("metrics", json!({"key": "signups", "type": "conversion", "event": "signup"})),
        ("pages", json!({"key": "cart", "conditions": []})),
        (
            "campaigns",
            json!({
                "key": "offers", "type": "personalization", "pages": ["2001"],
                "experiments": [{"key": "mug", "audiences": "members", "variations": [{"key": "mug", "weight": 10000}]}],
            }),
        ),
        ("groups", json!({"key": "one", "members": [{"campaign": "hero", "weight": "50%"}]})),
    ];
    for (collection, body) in others {
        let created = program.post(&format!("{SHOP}/{collection}"), body.clone()).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
        let resource = created.json();
        let path = format!("{SHOP}/{collection}/{}", resource["id"].as_str().unwrap());
        assert_eq!(created.header("location"), format!("https://assay.example{path}"));
        assert_eq!(program.get(&path).await.json(), resource);
        let by_key = format!("{SHOP}/{collection}/key:{}", body["key"].as_str().unwrap());
        assert_eq!(program.get(&by_key).await.json(), resource);
        let listed = program.get(&format!("{SHOP}/{collection}?per_page=100")).await.json();
        assert!(listed.as_array().unwrap().contains(&resource), "{listed}");
    }
}

#[tokio::test]
async fn lists_come_page_by_page_with_links_and_the_total() {
    let program = Program::with_shop().await;
    for number in 0..4 {
        program.created("attributes", json!({"key": format!("a{number}")})).await;
    }

    let second = program.get(&format!("{SHOP}/attributes?page=2&per_page=3")).await;

    assert_eq!(second.json().as_array().unwrap().len(), 1);
    assert_eq!(second.header("x-total-count"), "4");
    let links = second.header("link");
    assert!(links.contains("/attributes?page=1&per_page=3>; rel=\"prev\""), "{links}");
    assert!(
        links.contains("page=2&per_page=3>; rel=\"last\"") && !links.contains("next"),
        "{links}"
    );
    for wrong in ["attributes?archived=perhaps", "campaigns?status=runing"] {
        let refused = program.get(&format!("{SHOP}/{wrong}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    }
}

#[tokio::test]
async fn links_to_other_pages_keep_the_filters() {
    let program = Program::with_shop().await;
    for number in 0..4 {
        program.created("attributes", json!({"key": format!("a{number}"), "name": "a b"})).await;
    }
    let filters = "q=a%20b&per_page=1&sort=-key";

    let mut page = program.get(&format!("{SHOP}/attributes?{filters}")).await;
    let mut keys = vec![page.json()[0]["key"].clone()];
    while let Some((before, _)) = page.header("link").split_once(">; rel=\"next\"") {
        let (_, next) = before.rsplit_once("https://assay.example").unwrap();
        page = program.get(next).await;
        keys.push(page.json()[0]["key"].clone());
    }

    assert_eq!(keys, ["a3", "a2", "a1", "a0"]);
    assert!(page.header("link").contains("?page=1&per_page=1&q=a+b&sort=-key>; rel=\"first\""));
}

#[tokio::test]
async fn a_merge_patch_changes_what_it_names_and_nothing_else() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");
    let before = program.get(&path).await.json();

    let changed = program.patch(&path, json!({"holdback": "5%", "name": null})).await;

    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    let mut expected = before;
    expected["holdback"] = json!(500);
    expected["name"] = Value::Null;
    expected["etag"] = json!(changed.header("etag"));
    assert_eq!(changed.json(), expected);
    assert_eq!(program.get(&path).await.header("etag"), changed.header("etag"));
}

#[tokio::test]
async fn a_faulty_change_is_refused_with_pointers_and_changes_nothing() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");
    let before = program.get(&path).await.body;

    let wrong = json!({"pages": ["hoem"], "holdbak": 1, "experiments": [{"key": "hero", "variations": [{"key": "a", "weight": 20000}]}]});
    let refused = program.patch(&path, wrong).await;

    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.header("content-type"), "application/problem+json");
    assert_eq!(
        pointers(&refused),
        ["#/pages/0", "#/experiments/0/variations/0/weight", "#/holdbak"]
    );
    assert!(refused.body.contains("did you mean `home`?"), "{}", refused.body);
    assert!(refused.body.contains("did you mean `holdback`?"), "{}", refused.body);
    assert!(!refused.body.contains("line 1"), "{}", refused.body);
    assert_eq!(program.get(&path).await.body, before);
}

#[tokio::test]
async fn a_resource_that_is_archived_keeps_its_id_and_comes_back() {
    let program = Program::with_shop().await;
    let cart = program.created("pages", json!({"key": "cart", "conditions": []})).await;
    let path = format!("{SHOP}/pages/{}", cart["id"].as_str().unwrap());

    let gone = program.send(Method::DELETE, &path, &[], Body::empty()).await;

    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.body);
    assert_eq!(program.get(&path).await.json()["archived"], true);
    let ids = async |query: &str| {
        let listed = program.get(&format!("{SHOP}/pages{query}")).await.json();
        listed.as_array().unwrap().len()
    };
    assert_eq!((ids("").await, ids("?archived=true").await, ids("?archived=any").await), (1, 1, 2));
    let again = program.post(&format!("{path}/actions"), json!({"action": "archive"})).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert_eq!(again.json()["allowed"], json!(["restore"]));
    let back = program.post(&format!("{path}/actions"), json!({"action": "restore"})).await;
    assert_eq!((back.status, &back.json()["archived"]), (StatusCode::OK, &json!(false)));
}

#[tokio::test]
async fn nothing_is_where_nothing_was_put() {
    let program = Program::with_hero().await;
    for path in [
        "/v1/projects/7",
        "/v1/projects/7/pages",
        "/v1/projects/shop",
        "/v1/projects/1000/pages/7",
        "/v1/projects/1000/pages/key:hoem",
        "/v1/projects/1000/variations/key:short",
        "/v1/projects/1000/wishes",
        "/v1/projects/1000/revisions/1",
    ] {
        assert_eq!(program.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let unreadable =
        program.send(Method::POST, &format!("{SHOP}/pages"), &[], Body::from("{")).await;
    assert_eq!(unreadable.status, StatusCode::BAD_REQUEST);
    let list = program.post(&format!("{SHOP}/pages"), json!([])).await;
    assert_eq!(list.status, StatusCode::UNPROCESSABLE_ENTITY);
    let large = json!({"key": "x", "name": "x".repeat(1 << 20)});
    let large = program.post(&format!("{SHOP}/pages"), large).await;
    assert_eq!(large.status, StatusCode::PAYLOAD_TOO_LARGE);
    program.created("campaigns", hero("3002", "other")).await;
}

#[tokio::test]
async fn a_field_that_is_there_twice_is_refused() {
    let program = Program::with_shop().await;
    let body = Body::from(r#"{"key": "plan", "name": "a", "name": "b"}"#);

    let refused = program.send(Method::POST, &format!("{SHOP}/attributes"), &[], body).await;

    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    assert!(
        refused.body.contains("the field is there twice (line 1, column 30)"),
        "{}",
        refused.body
    );
}

#[tokio::test]
async fn metrics_and_plan_of_a_campaign_stay_when_keys_change() {
    let program = Program::with_hero().await;
    let signup = program.created("events", json!({"key": "signup"})).await;
    let metric = json!({"key": "signups", "type": "conversion", "event": "signup", "where": {"plan": "pro"}});
    let metric = program.created("metrics", metric).await;
    assert_eq!(metric["event"], signup["id"]);
    let [signup, metric] = [signup, metric].map(|one| one["id"].as_str().unwrap().to_owned());
    let hero = format!("{SHOP}/campaigns/3001");
    let measured = json!({"metrics": {"primary": ["signups"]}, "plan": {"effect": "5%", "until": "2026-12-24"}});
    let changed = program.patch(&hero, measured).await.json();
    assert_eq!(changed["metrics"]["primary"], json!([metric]));
    let plan = json!({"effect": 500, "power": 8000, "confidence": 9500, "until": "2026-12-24", "method": "hybrid", "max_loss": null});
    assert_eq!(changed["plan"], plan);

    let renamed =
        program.patch(&format!("{SHOP}/events/{signup}"), json!({"key": "signed_up"})).await;
    let kept = [format!("{SHOP}/events/{signup}"), format!("{SHOP}/metrics/{metric}")];
    let refused = [
        program.send(Method::DELETE, &kept[0], &[], Body::empty()).await,
        program.send(Method::DELETE, &kept[1], &[], Body::empty()).await,
    ];

    assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.body);
    let document = program.get(&format!("{SHOP}/document")).await.json();
    assert_eq!(document["metrics"][0]["event"], "signed_up");
    assert_eq!(document["campaigns"][0]["metrics"]["primary"], json!(["signups"]));
    let users = ["the metric `", "the campaign `"];
    for (answer, user) in refused.iter().zip(users) {
        assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
        assert_eq!(answer.json()["code"], "in_use");
        let told = answer.json()["errors"][0]["detail"].as_str().unwrap_or_default().to_owned();
        assert!(told.starts_with(user) && told.contains(" uses it"), "{told}");
    }
    program.patch(&hero, json!({"metrics": null, "plan": null})).await;
    for path in kept.iter().rev() {
        let archived = program.send(Method::DELETE, path, &[], Body::empty()).await;
        assert_eq!(archived.status, StatusCode::NO_CONTENT, "{}", archived.body);
    }
    let history = program.get(&format!("{}/history", kept[1])).await.json();
    assert_eq!(history[0]["fields"][0]["pointer"], "/archived");
}
