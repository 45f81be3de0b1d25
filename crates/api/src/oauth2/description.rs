//! What is told of the endpoints that clients call. They answer as OAuth does, refusals too.

use serde_json::json;

use crate::openapi::{Operation, schema};

const JSON: &str = "application/json";

/// How an endpoint refuses.
const REFUSALS: [u16; 8] = [400, 401, 403, 408, 413, 429, 500, 503];

/// A client asks for something with a form, and tells who it is in the form or by its secret in `Authorization`.
pub(super) fn client_call(id: &str, summary: &str, takes: &str, answers: &str) -> Operation {
    let asked = Operation::new(id, summary)
        .with_security(json!([{"client": []}, {}]))
        .takes_as(&["application/x-www-form-urlencoded"], &schema(takes))
        .answers(200, answers);
    REFUSALS
        .into_iter()
        .fold(asked, |operation, status| operation.answers_as(status, JSON, &schema("oauth_error")))
}
