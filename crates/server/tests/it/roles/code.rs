//! Code in a project runs in every visitor's browser: who has no right to write it gets none in, whichever way they try.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use storage::{Role, RoleGrant};

use super::{Call, grant, shops, token_with};

const SHOP: &str = "/v1/projects/1000";

/// Changes of a variation that run code or lead the visitor away.
fn smuggling() -> Vec<Value> {
    let attribute = |name: &str| json!({"type": "attribute", "selector": "a", "name": name, "value": "javascript:x()"});
    let mut changes = vec![
        json!({"type": "javascript", "value": "x()"}),
        json!({"type": "html", "selector": "h1", "value": "<img src=x onerror=x()>"}),
        json!({"type": "insert", "selector": "h1", "value": "<script>x()</script>", "position": "after"}),
        json!({"type": "redirect", "destination": "https://other.example/"}),
        json!({"type": "redirect", "destination_code": "return '/x'"}),
        json!({"type": "text", "selector": "style", "value": "b{}"}),
        json!({"type": "text", "selector": ".x", "value": "@import '//other.example'"}),
        json!({"type": "text", "selector": "h1", "value": "{{constructor.constructor('x()')()}}"}),
        json!({"type": "style", "selector": "h1", "name": "background", "value": "url(//other.example)"}),
        json!({"type": "style", "selector": "h1", "name": "background", "value": "\\75rl(//other.example)"}),
        json!({"type": "style", "selector": "h1", "name": "-moz-binding", "value": "none"}),
        json!({"type": "css", "value": "@import '//other.example/x.css'"}),
        json!({"type": "css", "value": "b{background:image-set('//other.example' 1x)}"}),
    ];
    let names = [
        "href",
        "onclick",
        "OnClick",
        "srcdoc",
        "http-equiv",
        "content",
        "values",
        "src",
        "x-init",
        "x-on:click",
        "@click",
        "ng-init",
        "data-ng-init",
        "hx-on:click",
        "v-html",
        "v-on:click",
        "sandbox",
        "type",
        "id",
        "data-bind",
    ];
    changes.extend(names.map(attribute));
    let removed = ["sandbox", "type", "integrity"];
    changes.extend(removed.map(
        |name| json!({"type": "attribute", "selector": "iframe", "name": name, "value": null}),
    ));
    changes
}

/// Changes of a variation that show something else, and no more.
fn content() -> Vec<Value> {
    vec![
        json!({"type": "text", "selector": "h1", "value": "Save 20 % (today) @ home"}),
        json!({"type": "attribute", "selector": "img", "name": "alt", "value": "A mug"}),
        json!({"type": "attribute", "selector": "h1", "name": "aria-label", "value": "Mugs"}),
        json!({"type": "style", "selector": "h1", "name": "color", "value": "rgb(255 0 0 / 50%)"}),
        json!({"type": "css", "value": "@media (min-width: 40em) { .hero:hover { margin: calc(1px * 2) } }"}),
        json!({"type": "class", "selector": "h1", "value": "big"}),
    ]
}

/// What else holds code: a path, the method, and the body.
fn elsewhere() -> Vec<(String, Method, Value)> {
    let at = |path: &str| format!("{SHOP}/{path}");
    let code = json!([{"type": "javascript", "value": "x()"}]);
    let variations = json!([
        {"id": "5001", "key": "a", "weight": 5000},
        {"id": "5002", "key": "b", "weight": 5000, "changes": code},
    ]);
    let asked = json!(["or", {"type": "custom_code", "value": "return true"}]);
    let tag = json!({"key": "a", "locator": "return 1", "locator_type": "javascript"});
    let campaign = json!({
        "key": "x", "type": "ab_test", "pages": ["2001"],
        "experiments": [{"key": "x", "variations": [{"key": "a", "weight": 10_000, "changes": code}]}],
    });
    vec![
        (at("audiences"), Method::POST, json!({"key": "x", "conditions": asked})),
        (at("pages"), Method::POST, json!({"key": "x", "conditions": asked})),
        (at("campaigns"), Method::POST, campaign),
        (at("campaigns/3001"), Method::PATCH, json!({"changes": code})),
        (at("experiments/4001"), Method::PATCH, json!({"variations": variations})),
        (at("experiments/4001/phases"), Method::POST, json!({"variations": variations})),
        (at("pages/2001"), Method::PATCH, json!({"tags": [tag]})),
        (
            at("pages/2001"),
            Method::PATCH,
            json!({"activation": {"type": "polling", "code": "return 1"}}),
        ),
        (SHOP.to_owned(), Method::PATCH, json!({"snippet": {"javascript": "x()"}})),
        (SHOP.to_owned(), Method::PATCH, json!({"snippet": {"global_aliases": ["fetch"]}})),
    ]
}

#[tokio::test]
async fn an_editor_gets_no_code_into_a_project() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
    let call = Call { site: &site, token: &token };
    let before = call.get(&format!("{SHOP}/document")).await.json();
    let mut tries = elsewhere();
    let variation = format!("{SHOP}/variations/5002");
    let changes = smuggling().into_iter();
    tries.extend(
        changes.map(|change| (variation.clone(), Method::PATCH, json!({"changes": [change]}))),
    );
    let mut document = before.clone();
    for integration in [
        json!({"type": "callback", "code": "x()"}),
        json!({"type": "ga4_gtm", "data_layer": "fetch"}),
        json!({"type": "ga4_gtag", "send_to": "G-OTHER"}),
    ] {
        document["integrations"] = json!([integration]);
        tries.push((format!("{SHOP}/document"), Method::PUT, document.clone()));
    }

    for (path, method, body) in tries {
        let tag = (method != Method::POST).then_some("*");
        let answer = call.send(method, &path, tag, Some(&body)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {body}: {}", answer.body);
        assert_eq!(answer.json()["needed"]["code"], true, "{path}: {}", answer.body);
    }
    assert_eq!(call.get(&format!("{SHOP}/document")).await.json(), before);
}

#[tokio::test]
async fn an_editor_changes_what_only_shows() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
    let call = Call { site: &site, token: &token };
    let variation = format!("{SHOP}/variations/5002");

    for change in content() {
        let body = json!({"changes": [change]});
        let answer = call.patch(&variation, Some("*"), &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{body}: {}", answer.body);
    }
    let alias = json!({"snippet": {"global_aliases": ["optimizely"]}});
    let answer = call.patch(SHOP, Some("*"), &alias).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
}

#[tokio::test]
async fn only_who_decides_about_applications_writes_them_into_a_project() {
    let (site, application) = shops().await;
    let with_code = RoleGrant { is_code_allowed: true, ..grant(Role::Admin, Some("1000")) };
    let token = token_with(&site, &application, with_code).await;
    let everywhere = token_with(&site, &application, grant(Role::Admin, None)).await;
    let call = Call { site: &site, token: &token };
    let applications = json!([
        {"client_id": "mine", "name": "Mine", "redirect_uris": ["https://mine.example/"]},
    ]);
    let mut document = call.get(&format!("{SHOP}/document")).await.json();
    document["applications"] = applications;
    let path = format!("{SHOP}/document");

    let refused = call.send(Method::PUT, &path, Some("*"), Some(&document)).await;
    let call = Call { site: &site, token: &everywhere };
    let done = call.send(Method::PUT, &path, Some("*"), Some(&document)).await;

    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    assert_eq!(done.status, StatusCode::OK, "{}", done.body);
}

#[tokio::test]
async fn who_may_write_code_does_and_others_may_use_it_again() {
    let (site, application) = shops().await;
    let with_code = RoleGrant { is_code_allowed: true, ..grant(Role::Publisher, Some("1000")) };
    let coder = token_with(&site, &application, with_code).await;
    let editor = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
    let code = json!({"changes": [{"type": "javascript", "value": "x()"}]});
    let variation = format!("{SHOP}/variations/5002");
    let coder = Call { site: &site, token: &coder };
    let editor = Call { site: &site, token: &editor };

    let written = coder.patch(&variation, Some("*"), &code).await;
    let again = editor.patch(&format!("{SHOP}/variations/5001"), Some("*"), &code).await;

    assert_eq!(written.status, StatusCode::OK, "{}", written.body);
    assert_eq!(again.status, StatusCode::OK, "{}", again.body);
}
