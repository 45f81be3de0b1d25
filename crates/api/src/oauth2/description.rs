//! What is told of the endpoints that clients call. They answer as OAuth does, refusals too.

use serde_json::json;

use crate::openapi::{Operation, schema};

/// How an endpoint refuses (RFC 6749, section 5.2). `error` tells programs why.
const REFUSALS: [(u16, &str); 8] = [
    (400, "A parameter is missing, sent twice or not good."),
    (401, "The client did not prove who it is."),
    (403, "The client may not ask for this."),
    (408, "The request did not arrive in time."),
    (413, "The body is too long."),
    (429, "Too many requests; `Retry-After` tells when to try again."),
    (500, "The server failed; its log tells more under the id in `X-Request-Id`."),
    (503, "The server is busy; try again in a second."),
];

/// A client asks for something with a form, and tells who it is in the form or by its secret in `Authorization`.
pub(super) fn client_call(id: &str, summary: &str, takes: &str, answers: &str) -> Operation {
    let asked = Operation::new(id, summary)
        .with_security(json!([{"client": []}, {}]))
        .takes_as(&["application/x-www-form-urlencoded"], &schema(takes))
        .answers(200, answers);
    REFUSALS.iter().fold(asked, |operation, (status, description)| {
        operation.refuses(*status, description, "oauth_error")
    })
}
