//! The description of the REST API: what is documented is there, and can be read.

use std::collections::HashSet;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Map, Value};

use crate::site::Site;

/// The methods, addresses and operations that are documented.
fn operations(description: &Value) -> Vec<(String, String, Value)> {
    let paths = description["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, methods)| {
        methods
            .as_object()
            .unwrap()
            .iter()
            .map(|(method, operation)| (method.to_uppercase(), path.clone(), operation.clone()))
    });
    all.collect()
}

/// The address with something in the place of each parameter.
fn filled(path: &str) -> String {
    let segments =
        path.split('/').map(|segment| if segment.starts_with('{') { "1" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn documented_operations_exist_and_ask_for_the_documented_credentials() {
    let site = Site::start();
    let operations = operations(&site.get("/v1/openapi.json").await.json());

    assert!(operations.len() > 80, "{}", operations.len());
    for (method, path, operation) in operations {
        let request = Request::builder().method(&*method).uri(filled(&path));
        let answer = site.send(request.body(Body::empty()).unwrap()).await;
        let ways = operation["security"].as_array().unwrap();
        let is_optional = ways.iter().any(|way| way.as_object().is_some_and(Map::is_empty));
        // Who need not prove anything is asked for a body first.
        let expected: &[u16] = match (ways.is_empty(), &*method) {
            (true, "POST") => &[400],
            (true, _) => &[200],
            (false, _) if is_optional => &[400, 401],
            (false, _) => &[401],
        };
        let status = answer.status.as_u16();
        assert!(expected.contains(&status), "{method} {path}: {status} {}", answer.body);
        assert!(operation["responses"][answer.status.as_str()].is_object(), "{method} {path}");
    }
}

/// Every `$ref` in a description.
fn references(value: &Value, found: &mut HashSet<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[tokio::test]
async fn every_reference_of_the_description_leads_somewhere_and_every_operation_has_its_own_id() {
    let description = Site::start().get("/v1/openapi.json").await.json();

    let mut found = HashSet::new();
    references(&description, &mut found);
    for reference in found {
        assert!(description.pointer(&reference[1..]).is_some(), "{reference}");
    }
    let mut ids = HashSet::new();
    for (method, path, operation) in operations(&description) {
        let id = operation["operationId"].as_str().unwrap().to_owned();
        assert!(ids.insert(id), "{method} {path}");
        // Readers heed nothing else beside a reference (OpenAPI 3.1, section 4.8.23).
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let answer = answer.as_object().unwrap();
            assert!(!answer.contains_key("$ref") || answer.len() == 1, "{method} {path}: {status}");
        }
    }
}

#[tokio::test]
async fn every_scope_that_an_operation_needs_is_told() {
    let description = Site::start().get("/v1/openapi.json").await.json();

    let flow =
        &description["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"];
    let scopes: Map<String, Value> = flow["scopes"].as_object().unwrap().clone();
    for (method, path, operation) in operations(&description) {
        let needed = operation["security"][0]["oauth2"][0].as_str();
        assert!(needed.is_none_or(|scope| scopes.contains_key(scope)), "{method} {path}");
    }
}

#[tokio::test]
async fn the_schema_of_project_files_is_public() {
    let answer = Site::start().get("/v1/project.schema.json").await;

    assert_eq!(answer.header("content-type"), "application/schema+json");
    assert_eq!(answer.header("cache-control"), "public, max-age=3600");
    assert_eq!(answer.json(), domain::json_schema());
}

#[tokio::test]
async fn people_read_the_same_description_as_programs() {
    let site = Site::start();
    let description = site.get("/v1/openapi.json").await.json();

    let page = site.get("/docs/api").await;

    assert_eq!(page.status, 200);
    for (method, path, operation) in operations(&description) {
        let id = operation["operationId"].as_str().unwrap();
        assert!(page.body.contains(&format!("id=\"{id}\"")), "{method} {path}");
        assert!(page.body.contains(&format!("<code>{path}</code>")), "{method} {path}");
    }
    for name in description["components"]["schemas"].as_object().unwrap().keys() {
        assert!(page.body.contains(&format!("id=\"schema-{name}\"")), "{name}");
    }
}
