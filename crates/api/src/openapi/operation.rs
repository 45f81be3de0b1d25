//! What one method of one address takes and answers, put together in the words of OpenAPI 3.1.

use std::collections::BTreeMap;

use app::dto::Dto;
use app::request::Request;
use oauth::Scope;
use serde_json::{Map, Value, json};

use super::schemas::{list_of, of};

/// What every answer may be, whatever is asked: no proper HTTP, too slow, our fault, too much to do.
const ANYWHERE: [u16; 4] = [400, 408, 500, 503];

const JSON: &str = "application/json";

/// No project is published more often; and it is a number in every language.
const REVISION_NUMBER_AT_MOST: u32 = 999_999_999;

/// What a handler takes and answers.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    id: String,
    summary: String,
    description: Option<String>,
    security: Value,
    parameters: Vec<Value>,
    body: Option<Value>,
    answers: BTreeMap<u16, Value>,
}

impl Operation {
    /// Something that any client may ask for. `id` is what clients that are generated call it.
    pub(crate) fn new(id: impl Into<String>, summary: impl Into<String>) -> Self {
        let operation = Self {
            id: id.into(),
            summary: summary.into(),
            description: None,
            security: json!([]),
            parameters: Vec::new(),
            body: None,
            answers: BTreeMap::new(),
        };
        operation.may_be(&ANYWHERE)
    }

    /// It takes a token with this scope, of a member with this role.
    pub(crate) fn needs(mut self, scope: Scope, role: &str) -> Self {
        self.security = json!([{"oauth2": [scope.as_str()]}, {"bearer": []}]);
        self.description = Some(format!("Scope `{scope}`; role: {role}."));
        self.may_be(&[401, 403])
    }

    /// The token needs this scope as well.
    pub(crate) fn needs_also(mut self, other: Scope) -> Self {
        if let Some(scopes) = self.security.pointer_mut("/0/oauth2").and_then(Value::as_array_mut) {
            scopes.push(other.as_str().into());
        }
        self.description =
            self.description.map(|told| told.replacen(';', &format!(" and `{other}`;"), 1));
        self
    }

    /// It takes any token.
    pub(crate) fn needs_any_token(mut self) -> Self {
        self.security = json!([{"oauth2": []}, {"bearer": []}]);
        self.may_be(&[401])
    }

    /// How a client tells who it is, where that takes no token.
    pub(crate) fn with_security(mut self, security: Value) -> Self {
        self.security = security;
        self
    }

    /// Refusals that can be told as problems.
    pub(crate) fn may_be(mut self, statuses: &[u16]) -> Self {
        for status in statuses {
            let told = json!({"$ref": format!("#/components/responses/{status}")});
            self.answers.entry(*status).or_insert(told);
        }
        self
    }

    /// It takes a body of what `schema` defines, in JSON. A merge patch may call itself `application/merge-patch+json`, too, which is not told:
    /// generators make two arguments of two media types.
    pub(crate) fn takes(self, schema: &str) -> Self {
        self.takes_as(&[JSON], &of(schema)).may_be(&[413, 415, 422])
    }

    /// It takes a body of this type.
    pub(crate) fn takes_request<T: Request>(self) -> Self {
        self.takes(T::NAME)
    }

    /// It takes a body of one of these media types.
    pub(crate) fn takes_as(mut self, media_types: &[&str], schema: &Value) -> Self {
        let content: Map<String, Value> = media_types
            .iter()
            .map(|media_type| ((*media_type).to_owned(), json!({"schema": schema})))
            .collect();
        self.body = Some(json!({"required": true, "content": content}));
        self
    }

    /// A parameter of the query, which may be left out.
    pub(crate) fn query(mut self, name: &str, schema: &Value, description: &str) -> Self {
        let parameter = json!({
            "name": name, "in": "query", "schema": schema, "description": description,
        });
        self.parameters.push(parameter);
        self
    }

    /// It changes only what was seen: `If-Match` is needed.
    pub(crate) fn if_match(self) -> Self {
        self.with_shared("if_match").may_be(&[412, 428])
    }

    /// `If-Match` is heeded, but not needed.
    pub(crate) fn if_match_is_heeded(self) -> Self {
        self.with_shared("if_match_or_not").may_be(&[412])
    }

    /// A parameter that several operations have.
    pub(crate) fn with_shared(mut self, name: &str) -> Self {
        self.parameters.push(json!({"$ref": format!("#/components/parameters/{name}")}));
        self
    }

    /// It answers with what `schema` defines.
    pub(crate) fn answers(self, status: u16, schema: &str) -> Self {
        self.answers_as(status, JSON, &of(schema))
    }

    /// It answers with what this type holds.
    pub(crate) fn answers_dto<T: Dto>(self, status: u16) -> Self {
        self.answers(status, T::NAME)
    }

    /// It answers with a body of this media type, or of those said before.
    pub(crate) fn answers_as(mut self, status: u16, media_type: &str, schema: &Value) -> Self {
        let answer = self.answers.entry(status).or_insert_with(done);
        answer["content"][media_type] = json!({"schema": schema});
        self
    }

    /// It refuses in a way of its own, which takes the place of the shared one.
    pub(crate) fn refuses(mut self, status: u16, description: &str, schema: &str) -> Self {
        let mut answer = done();
        answer["description"] = json!(description);
        answer["content"][JSON] = json!({"schema": of(schema)});
        self.answers.insert(status, answer);
        self
    }

    /// It answers with what `schema` defines, and its `ETag`.
    pub(crate) fn answers_tagged(self, status: u16, schema: &str) -> Self {
        self.answers(status, schema).with_header(status, "ETag")
    }

    /// It answers nothing to who has it already.
    pub(crate) fn answers_not_modified(mut self) -> Self {
        let mut answer = done();
        answer["description"] = json!("It is as `If-None-Match` says.");
        self.answers.insert(304, answer);
        self.with_header(304, "ETag").with_header(200, "ETag")
    }

    /// It answers that there is nothing to tell.
    pub(crate) fn answers_nothing(mut self) -> Self {
        self.answers.insert(204, done());
        self
    }

    /// It answers with a whole list.
    pub(crate) fn answers_list_of(self, schema: &str) -> Self {
        self.answers_as(200, JSON, &list_of(schema))
    }

    /// It answers with a page of a list.
    pub(crate) fn answers_pages_of(self, schema: &str) -> Self {
        self.with_shared("page")
            .with_shared("per_page")
            .answers_list_of(schema)
            .with_header(200, "Link")
            .with_header(200, "X-Total-Count")
    }

    /// This answer has this header.
    pub(crate) fn with_header(mut self, status: u16, name: &str) -> Self {
        if let Some(answer) = self.answers.get_mut(&status) {
            answer["headers"][name] = header(name);
        }
        self
    }

    /// It is counted against what one writer may do in a minute.
    pub(crate) fn guard(&mut self) -> &mut Self {
        for answer in self.answers.values_mut().filter(|answer| answer.get("headers").is_some()) {
            for name in ["RateLimit", "RateLimit-Policy"] {
                answer["headers"][name] = header(name);
            }
        }
        let told = json!({"$ref": "#/components/responses/429"});
        self.answers.entry(429).or_insert(told);
        self
    }

    /// With `Idempotency-Key` it is done once, however often it is asked for.
    pub(crate) fn repeatable(&mut self) {
        self.parameters.push(json!({"$ref": "#/components/parameters/idempotency_key"}));
        for status in [409, 413, 422] {
            let told = json!({"$ref": format!("#/components/responses/{status}")});
            self.answers.entry(status).or_insert(told);
        }
        for answer in self.answers.values_mut().filter(|answer| answer.get("headers").is_some()) {
            answer["headers"]["Idempotent-Replayed"] = header("Idempotent-Replayed");
        }
    }

    /// The names of all parameters of the query.
    pub(crate) fn query_names(&self) -> Vec<String> {
        let shared = ["page", "per_page"];
        let names = self.parameters.iter().filter_map(|parameter| {
            let reference = parameter["$ref"].as_str().and_then(|path| path.rsplit('/').next());
            let own = parameter["name"].as_str().filter(|_| parameter["in"] == "query");
            own.or(reference.filter(|name| shared.contains(name)))
        });
        names.map(str::to_owned).collect()
    }

    /// The operation as OpenAPI writes it, at an address with these parameters.
    pub(super) fn into_json(mut self, tag: &str, path: &str) -> Value {
        let placed = path_parameters(path);
        if !placed.is_empty() {
            self = self.may_be(&[404]);
        }
        let parameters: Vec<Value> = placed.into_iter().chain(self.parameters).collect();
        let answers = self.answers.into_iter();
        let answers: Map<String, Value> =
            answers.map(|(status, answer)| (status.to_string(), answer)).collect();
        let mut told = json!({
            "operationId": self.id,
            "tags": [tag],
            "summary": self.summary,
            "security": self.security,
            "responses": answers,
        });
        if !parameters.is_empty() {
            told["parameters"] = Value::Array(parameters);
        }
        for (name, value) in
            [("description", self.description.map(Value::from)), ("requestBody", self.body)]
        {
            if let Some(value) = value {
                told[name] = value;
            }
        }
        told
    }
}

fn done() -> Value {
    json!({"description": "Done.", "headers": {"X-Request-Id": header("X-Request-Id")}})
}

fn header(name: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{name}")})
}

/// The parameters that stand in braces in an address.
fn path_parameters(path: &str) -> Vec<Value> {
    let segments: Vec<&str> = path.split('/').collect();
    let named = segments.windows(2).filter_map(|pair| {
        let name = pair[1].strip_prefix('{')?.strip_suffix('}')?;
        Some(path_parameter(pair[0], name))
    });
    named.collect()
}

fn path_parameter(collection: &str, name: &str) -> Value {
    let (schema, description) = match name {
        "number" => (
            json!({"type": "integer", "minimum": 1, "maximum": REVISION_NUMBER_AT_MOST}),
            "The number of a revision.".to_owned(),
        ),
        "range" => (
            json!({"type": "string", "pattern": r"^(live|draft|[0-9]{1,9})\.\.(live|draft|[0-9]{1,9})$"}),
            "Two states, such as `3..5` or `live..draft`.".to_owned(),
        ),
        "name" => (
            json!({"type": "string", "minLength": 1, "examples": ["2001", "key:home"]}),
            format!("An id out of `{collection}`, or `key:` and a key that is unique."),
        ),
        "id" if collection == "projects" => (
            json!({"type": "string", "minLength": 1, "examples": ["1000", "key:shop"]}),
            "The id of a project, or `key:` and its key.".to_owned(),
        ),
        _ => (json!({"type": "string", "minLength": 1}), format!("An id out of `{collection}`.")),
    };
    json!({
        "name": name, "in": "path", "required": true, "schema": schema, "description": description,
    })
}
