//! `GET /v1/openapi.json`: what programs can ask for, as OpenAPI 3.1; and `GET /v1/project.schema.json`, the schema of project files.
//!
//! Nothing here knows an address: each handler is described where it gets its route (`routes.rs`), by an [`Operation`]. Schemas of
//! resources come from `domain`, everything else from `openapi/schemas.rs`. utoipa's macros would describe once more, in attributes of types
//! that we do not have, what the document's schema says already.

mod operation;
mod parts;
mod schemas;

use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value, json};

pub(crate) use self::operation::Operation;
pub(crate) use self::schemas::of as schema;
use crate::routes::{Described, Routes, get};

const SCHEMA: &str = "application/schema+json";

/// The description, which is the same as long as the binary is.
static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| describe(crate::described()));
static DESCRIPTION_TEXT: LazyLock<String> = LazyLock::new(|| DESCRIPTION.to_string());
static PROJECT_SCHEMA_TEXT: LazyLock<String> = LazyLock::new(|| domain::json_schema().to_string());

/// What programs can ask for, as an OpenAPI 3.1 document.
#[must_use]
pub fn openapi() -> &'static Value {
    &DESCRIPTION
}

pub(crate) fn routes() -> Routes {
    let any_object = json!({"type": "object"});
    let description = Operation::new("describe_api", "Read this description").answers_as(
        200,
        "application/json",
        &any_object,
    );
    let of_files = Operation::new("describe_project_file", "Read the JSON Schema of project files")
        .answers_as(200, SCHEMA, &any_object);
    Routes::under("Descriptions")
        .at("/v1/openapi.json", [get(show, description)])
        .at("/v1/project.schema.json", [get(show_project_schema, of_files)])
}

async fn show() -> Response {
    public("application/json", &DESCRIPTION_TEXT)
}

async fn show_project_schema() -> Response {
    public(SCHEMA, &PROJECT_SCHEMA_TEXT)
}

/// Every server of this version says the same.
fn public(media_type: &'static str, text: &'static str) -> Response {
    let headers = [(CONTENT_TYPE, media_type), (CACHE_CONTROL, "public, max-age=3600")];
    (headers, text).into_response()
}

fn describe(described: Vec<Described>) -> Value {
    let mut tags: Vec<Value> = Vec::new();
    let mut paths = Map::new();
    for Described { tag, path, method, operation } in described {
        let named = json!({"name": tag});
        if !tags.contains(&named) {
            tags.push(named);
        }
        let at = paths.entry(path.clone()).or_insert_with(|| json!({}));
        at[method] = operation.into_json(tag, &path);
    }
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "Assay",
            "summary": "Web experimentation on your own server.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "servers": [{"url": "/"}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas::schemas(),
            "responses": parts::responses(),
            "headers": parts::headers(),
            "parameters": parts::parameters(),
            "securitySchemes": parts::security_schemes(),
        },
    })
}
