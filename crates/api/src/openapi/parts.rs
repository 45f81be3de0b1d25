//! What many operations have in common: parameters, headers, and refusals.

use serde_json::{Map, Value, json};

use super::schemas::of;

/// Why a request can be refused, by status. The words are for people; programs read `code`.
const REFUSALS: [(u16, &str); 14] = [
    (400, "No proper HTTP, no JSON, or a query that does not fit."),
    (401, "No access token, or none that is good."),
    (403, "The token's scope, or the member's role, is not enough."),
    (404, "Nothing has this address."),
    (408, "The request did not arrive in time."),
    (409, "Not possible in the present state; `code` tells why."),
    (
        412,
        "It has changed since it was read, and `current` is how it is now; or the tag of `If-Match` is weak.",
    ),
    (413, "The body is too long."),
    (415, "The body is not of a media type that is taken here."),
    (422, "What would come out is not right; `errors` tells what and where."),
    (428, "`If-Match` is missing."),
    (429, "Too many changes; `Retry-After` tells when to try again."),
    (500, "The server failed; its log tells more under the id in `X-Request-Id`."),
    (503, "The server is busy; `code` tells why, `Retry-After` when to try again."),
];

/// The refusals.
pub(super) fn responses() -> Map<String, Value> {
    let told = REFUSALS.iter().map(|(status, description)| {
        let mut headers = json!({"X-Request-Id": reference("X-Request-Id")});
        for name in headers_of(*status) {
            headers[*name] = reference(name);
        }
        let answer = json!({
            "description": description,
            "headers": headers,
            "content": {"application/problem+json": {"schema": of("problem")}},
        });
        (status.to_string(), answer)
    });
    told.collect()
}

fn headers_of(status: u16) -> &'static [&'static str] {
    match status {
        401 => &["WWW-Authenticate"],
        409 | 429 | 503 => &["Retry-After"],
        _ => &[],
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{name}")})
}

/// The headers of answers. Those that are not required are there when the answer is worth them.
pub(super) fn headers() -> Value {
    let header = |description: &str, schema: Value| json!({"description": description, "required": true, "schema": schema});
    let optional =
        |description: &str, schema: Value| json!({"description": description, "schema": schema});
    let text = || json!({"type": "string"});
    json!({
        "X-Request-Id": header("Quote it when you ask for help.", text()),
        "ETag": header("The state that was read, for `If-Match`.", text()),
        "Location": header("Where it is.", json!({"type": "string", "format": "uri"})),
        "Link": header("The neighbouring pages (RFC 8288).", text()),
        "X-Total-Count": header("How many there are on all pages.", json!({"type": "integer", "minimum": 0})),
        "WWW-Authenticate": header("What kind of proof is asked for (RFC 6750).", text()),
        "Retry-After": optional("Seconds.", json!({"type": "integer", "minimum": 0})),
        "RateLimit": optional("What is left of the changes, and for how many seconds.", text()),
        "RateLimit-Policy": optional("How many changes there are.", text()),
        "Idempotent-Replayed": optional("This was done before, and is answered again.", json!({"const": "true"})),
    })
}

/// The parameters.
pub(super) fn parameters() -> Value {
    let tags = "The `ETag` of the state that was seen, or `*`.";
    json!({
        "page": {
            "name": "page", "in": "query", "description": "Which page, from 1.",
            "schema": {"type": "integer", "minimum": 1, "maximum": 10_000, "default": 1},
        },
        "per_page": {
            "name": "per_page", "in": "query", "description": "How many on a page.",
            "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 25},
        },
        "if_match": {
            "name": "If-Match", "in": "header", "required": true, "description": tags,
            "schema": {"type": "string", "examples": ["*"]},
        },
        "if_match_or_not": {
            "name": "If-Match", "in": "header", "description": tags,
            "schema": {"type": "string", "examples": ["*"]},
        },
        "if_none_match": {
            "name": "If-None-Match", "in": "header",
            "description": "`*` begins a project that is not there yet; `If-Match` is not needed then.",
            "schema": {"type": "string", "examples": ["*"]},
        },
        "if_none_match_or_not": {
            "name": "If-None-Match", "in": "header",
            "description": "The `ETag` of the state that was read before: if it is still the same, the answer is 304.",
            "schema": {"type": "string"},
        },
        "idempotency_key": {
            "name": "Idempotency-Key", "in": "header",
            "description": "Whatever tells this request from all others, such as a UUID: repeated, it is done once.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
        },
    })
}

/// How programs tell who they are.
pub(super) fn security_schemes() -> Value {
    let scopes: Map<String, Value> = oauth::Scope::ALL
        .iter()
        .map(|scope| (scope.as_str().to_owned(), scope.description().into()))
        .collect();
    json!({
        "oauth2": {
            "type": "oauth2",
            "description": "The authorization code flow, with PKCE for public clients.",
            "flows": {"authorizationCode": {
                "authorizationUrl": "/oauth2/authorize",
                "tokenUrl": "/oauth2/token",
                "refreshUrl": "/oauth2/token",
                "scopes": scopes,
            }},
        },
        "bearer": {"type": "http", "scheme": "bearer", "description": "An access token (RFC 6750)."},
        "client": {"type": "http", "scheme": "basic", "description": "A client's id and secret."},
    })
}
