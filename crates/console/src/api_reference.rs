//! `/docs/api`: the REST API, to be read. The page is made of the OpenAPI description that generators read, so it knows nothing that is
//! not in there.

use askama::Template;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value};
use web::FormTargets;

use crate::page::page;

pub(crate) const PATH: &str = "/docs/api";

/// The methods of an address, in the order shown.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The page is the same for every caller.
const PUBLIC: HeaderValue = HeaderValue::from_static("public, max-age=3600");

#[derive(Template)]
#[template(path = "api_reference.html")]
struct ApiReference<'a> {
    sections: Vec<Section<'a>>,
    schemas: Vec<Schema<'a>>,
}

struct Section<'a> {
    title: &'a str,
    operations: Vec<Operation<'a>>,
}

struct Operation<'a> {
    id: &'a str,
    method: String,
    path: &'a str,
    summary: &'a str,
    /// Which scope and role it takes; empty if it takes none.
    access: &'a str,
    parameters: Vec<Parameter<'a>>,
    body: Option<&'a str>,
    answers: Vec<Answer<'a>>,
}

struct Parameter<'a> {
    name: &'a str,
    place: &'a str,
    description: &'a str,
}

struct Answer<'a> {
    status: &'a str,
    description: &'a str,
    schema: Option<&'a str>,
}

struct Schema<'a> {
    name: &'a str,
    description: &'a str,
    text: String,
}

/// Shows the description.
pub(crate) fn show(description: &'static Value) -> Response {
    let mut response = page(StatusCode::OK, &ApiReference::of(description), FormTargets::OwnPages);
    response.headers_mut().insert(CACHE_CONTROL, PUBLIC);
    response
}

impl<'a> ApiReference<'a> {
    fn of(description: &'a Value) -> Self {
        let tags = list(&description["tags"]).iter().map(|tag| text(&tag["name"]));
        let sections =
            tags.map(|title| Section { title, operations: operations(description, title) });
        let schemas = fields(&description["components"]["schemas"]).map(|(name, schema)| Schema {
            name,
            description: text(&schema["description"]),
            text: format!("{schema:#}"),
        });
        Self { sections: sections.collect(), schemas: schemas.collect() }
    }
}

/// The operations under a heading.
fn operations<'a>(description: &'a Value, tag: &str) -> Vec<Operation<'a>> {
    let all = fields(&description["paths"]).flat_map(|(path, methods)| {
        let of_path = METHODS.iter().map(move |method| (path, *method, &methods[*method]));
        of_path.filter(|(.., operation)| operation.is_object())
    });
    let under_tag = all.filter(|(.., operation)| operation["tags"][0] == tag);
    under_tag.map(|found| Operation::of(description, found)).collect()
}

impl<'a> Operation<'a> {
    fn of(
        description: &'a Value,
        (path, method, operation): (&'a str, &'static str, &'a Value),
    ) -> Self {
        let parameters = list(&operation["parameters"]).iter().map(|parameter| {
            let parameter = resolved(description, parameter);
            let field = |name: &str| text(&parameter[name]);
            Parameter { name: field("name"), place: field("in"), description: field("description") }
        });
        let answers = fields(&operation["responses"]).map(|(status, answer)| {
            let answer = resolved(description, answer);
            Answer { status, description: text(&answer["description"]), schema: schema_of(answer) }
        });
        Self {
            id: text(&operation["operationId"]),
            method: method.to_ascii_uppercase(),
            path,
            summary: text(&operation["summary"]),
            access: text(&operation["description"]),
            parameters: parameters.collect(),
            body: schema_of(&operation["requestBody"]),
            answers: answers.collect(),
        }
    }
}

/// A value in words, or the name it refers to.
fn resolved<'a>(description: &'a Value, value: &'a Value) -> &'a Value {
    let referred = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    referred.and_then(|pointer| description.pointer(pointer)).unwrap_or(value)
}

/// The name of the schema of a body, or of what a list is of.
fn schema_of(told: &Value) -> Option<&str> {
    let (_, content) = fields(&told["content"]).next()?;
    let schema = &content["schema"];
    let reference = schema["$ref"].as_str().or_else(|| schema["items"]["$ref"].as_str())?;
    reference.rsplit('/').next()
}

fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let fields = value.as_object().into_iter().flat_map(Map::iter);
    fields.map(|(name, value)| (name.as_str(), value))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
