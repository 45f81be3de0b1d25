//! Error answers for programs: RFC 9457 problem details. Pages for people word theirs in `console`.

use std::borrow::Cow;

use app::Overloaded;
use app::identities::ProviderError;
use app::roles::RoleError;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::{Fault, Pointer, TextPosition};
use oauth::Scope;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;
use serde_json::{Map, Value, json};
use storage::{Role, StorageError};

use crate::problem_code::ProblemCode;

/// How soon a caller may try again when we have too much to do: queues empty within milliseconds.
pub const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// The characters to escape in a pointer in a URI fragment (RFC 6901 section 6, RFC 3986 section 3.5).
const OUTSIDE_FRAGMENTS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// What makes a body unreadable as a whole, as the faults of documents call it.
const UNREADABLE: [&str; 4] =
    ["unreadable", "repeated_field", "nested_too_deep", "too_many_values"];

/// Why a request failed, in one sentence, and perhaps in members for programs.
#[derive(Debug)]
pub struct Problem {
    code: ProblemCode,
    detail: Cow<'static, str>,
    errors: Vec<WrongValue>,
    // In boxes, so that a function can answer with a problem or a value without moving much.
    members: Box<Map<String, Value>>,
    header: Option<Box<(HeaderName, HeaderValue)>>,
}

/// The fault in one value of the body, in the form of the example in RFC 9457 section 3.
#[derive(Debug, Serialize)]
struct WrongValue {
    code: &'static str,
    detail: String,
    pointer: String,
    #[serde(flatten)]
    inside: Option<TextPosition>,
}

/// The members of RFC 9457 section 3.1. With `about:blank` the title is the status phrase (section 4.2.1).
#[derive(Serialize)]
struct Document<'a> {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    detail: &'a str,
    code: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [WrongValue],
    #[serde(flatten)]
    members: &'a Map<String, Value>,
}

impl Problem {
    /// A problem with this code, which has a status; the detail helps the caller to mend the request.
    #[must_use]
    pub fn new(code: ProblemCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            detail: detail.into(),
            errors: Vec::new(),
            members: Box::default(),
            header: None,
        }
    }

    /// Why the request failed.
    #[must_use]
    pub const fn code(&self) -> ProblemCode {
        self.code
    }

    /// The body is invalid, or cannot be read at all. Each fault names its location.
    #[must_use]
    pub fn faults(faults: &[Fault]) -> Self {
        let is_readable = faults.iter().all(|fault| !UNREADABLE.contains(&fault.code));
        let code = if is_readable { ProblemCode::Invalid } else { ProblemCode::Unreadable };
        Self::new(code, "the body is not right; `errors` tells what and where").with_faults(faults)
    }

    /// Adds the faults in single values, or the obstacles.
    #[must_use]
    pub fn with_faults(self, faults: &[Fault]) -> Self {
        Self { errors: faults.iter().map(WrongValue::from).collect(), ..self }
    }

    /// Tells programs more, in a member of its own (RFC 9457 section 3.2): `allowed`, `current`, …
    #[must_use]
    pub fn with_member(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        debug_assert!(!["type", "title", "status", "detail", "code", "errors"].contains(&name));
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// Sends one more header along.
    #[must_use]
    pub fn with_header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { header: Some(Box::new((name, value))), ..self }
    }

    /// Nothing has this address.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(ProblemCode::NotFound, "nothing has this address")
    }

    /// The answer to a token that is unknown, expired or revoked.
    #[must_use]
    pub fn invalid_token() -> Self {
        Self::challenge(
            ProblemCode::InvalidToken,
            "the access token is unknown, expired or revoked",
            "Bearer realm=\"assay\", error=\"invalid_token\"",
        )
    }

    /// RFC 6750 section 3.1: the challenge names the scope that it takes.
    pub(crate) fn insufficient_scope(scope: Scope) -> Self {
        let challenge =
            format!("Bearer realm=\"assay\", error=\"insufficient_scope\", scope=\"{scope}\"");
        let challenge = HeaderValue::from_str(&challenge).expect("names of scopes are plain ASCII");
        let detail = format!("the access token does not allow this: it needs the scope `{scope}`");
        Self::new(ProblemCode::InsufficientScope, detail).with_header(WWW_AUTHENTICATE, challenge)
    }

    /// A problem that tells how to authenticate.
    pub(crate) fn challenge(
        code: ProblemCode,
        detail: &'static str,
        challenge: &'static str,
    ) -> Self {
        let challenge = HeaderValue::from_static(challenge);
        Self::new(code, detail).with_header(WWW_AUTHENTICATE, challenge)
    }

    /// There is too much to do at this moment.
    #[must_use]
    pub fn unavailable() -> Self {
        Self::later(ProblemCode::Busy, "the server is busy; try again in a second")
    }

    /// There is more heavy work to do than can be done soon.
    #[must_use]
    pub fn overloaded() -> Self {
        Self::later(ProblemCode::Overloaded, "the server is busy; try again in a second")
    }

    /// There is no room for anything new.
    #[must_use]
    pub fn disk_full() -> Self {
        let detail = "the server's disk is full; try again when there is room";
        Self::later(ProblemCode::DiskFull, detail)
    }

    /// The database takes no writes. Waiting does not help: its operator has to do something.
    #[must_use]
    pub fn read_only() -> Self {
        let detail = "the server's database is read-only; it takes no changes until its operator \
                      lets it";
        Self::new(ProblemCode::DatabaseReadOnly, detail)
    }

    /// The file of the database is not at its path any more. Waiting does not help: its operator has to do something.
    #[must_use]
    pub fn database_file_gone() -> Self {
        let detail = "the file of the server's database was moved, removed or replaced; its \
                      operator has to put it back";
        Self::new(ProblemCode::DatabaseFileGone, detail)
    }

    /// The database does not answer as it should.
    #[must_use]
    pub fn database_unavailable() -> Self {
        let detail = "the server's database does not answer as it should; try again in a second";
        Self::later(ProblemCode::DatabaseUnavailable, detail)
    }

    /// A part of the database cannot be read. Waiting does not help: its operator has to restore a backup.
    #[must_use]
    pub fn database_damaged() -> Self {
        let detail = "a part of the server's database is damaged; its operator has to restore a \
                      backup";
        Self::new(ProblemCode::DatabaseDamaged, detail)
    }

    /// Events that are in files cannot be had. Waiting does not help, either.
    #[must_use]
    pub fn event_files() -> Self {
        let detail = "the server cannot use its files of events; its log tells more under the id \
                      in `X-Request-Id`";
        Self::new(ProblemCode::EventFilesUnusable, detail)
    }

    /// The work goes on, and ends after its request.
    #[must_use]
    pub fn still_working(detail: impl Into<Cow<'static, str>>) -> Self {
        let soon = HeaderValue::from_static("10");
        Self::new(ProblemCode::StillWorking, detail).with_header(RETRY_AFTER, soon)
    }

    /// It is our fault.
    #[must_use]
    pub fn internal() -> Self {
        let detail = "the server failed; its log tells more under the id in `X-Request-Id`";
        Self::new(ProblemCode::Internal, detail)
    }

    fn later(code: ProblemCode, detail: &'static str) -> Self {
        Self::new(code, detail).with_header(RETRY_AFTER, RETRY_AFTER_SECONDS)
    }
}

impl From<&Fault> for WrongValue {
    fn from(fault: &Fault) -> Self {
        let expected = fault.expected.as_ref().map(|expected| format!(", expected {expected}"));
        let place = fault.place.as_ref();
        let place = place.map(|place| format!(" (line {}, column {})", place.line, place.column));
        let inside = fault.inside.filter(|_| place.is_none());
        let inside = inside.map(|inside| format!(", in {inside}"));
        let hint = fault.hint.as_ref().map(|hint| format!("; {hint}"));
        let parts = [Some(fault.message.clone()), expected, inside, place, hint];
        let detail = parts.into_iter().flatten().collect();
        Self { code: fault.code, detail, pointer: fragment(&fault.pointer), inside: fault.inside }
    }
}

fn fragment(pointer: &Pointer) -> String {
    format!("#{}", utf8_percent_encode(pointer.as_str(), OUTSIDE_FRAGMENTS))
}

/// Logs what the store said. The edge does so once for each failed request; the request's id is in the log line's span.
pub fn log_storage_error(error: &StorageError) {
    if error.is_logged() {
        return;
    }
    let words = if matches!(error, StorageError::Stopped(_)) {
        "the server failed"
    } else {
        "the store failed"
    };
    tracing::error!(%error, "{words}");
}

/// Logs what a provider at which members sign in said, or did not say. It contains no secret.
pub fn log_provider_error(error: &ProviderError) {
    tracing::warn!(%error, "a sign-in at the provider failed");
}

impl From<StorageError> for Problem {
    fn from(error: StorageError) -> Self {
        if !matches!(
            error,
            StorageError::KeyTaken | StorageError::NoSuchProject | StorageError::SignedOut
        ) {
            log_storage_error(&error);
        }
        match error {
            StorageError::Busy => Self::unavailable(),
            StorageError::ReadOnly => Self::read_only(),
            StorageError::FileGone => Self::database_file_gone(),
            StorageError::Unavailable(_) => Self::database_unavailable(),
            StorageError::EventFiles(_) => Self::event_files(),
            StorageError::Document(why) => Self::new(ProblemCode::DocumentUnreadable, why),
            StorageError::KeyTaken => Self::new(ProblemCode::Taken, "another project has this key"),
            StorageError::NoSuchProject => Self::not_found(),
            StorageError::SignedOut => Self::invalid_token(),
            StorageError::Full => Self::disk_full(),
            StorageError::Damaged(_) => Self::database_damaged(),
            StorageError::Conflict | StorageError::Corrupt(_) | StorageError::Stopped(_) => {
                Self::internal()
            }
        }
    }
}

impl From<Overloaded> for Problem {
    fn from(_: Overloaded) -> Self {
        Self::overloaded()
    }
}

/// `needed` is the required role, `role` the member's, for programs.
impl From<RoleError> for Problem {
    fn from(error: RoleError) -> Self {
        let words = error.to_string();
        match error {
            RoleError::Insufficient { needed, has } => Self::new(ProblemCode::RoleRequired, words)
                .with_member(
                    "needed",
                    json!({
                        "role": needed.role.as_str(),
                        "code": needed.is_with_code,
                        "whole_server": needed.is_for_whole_server,
                    }),
                )
                .with_member("role", has.map(Role::as_str)),
            RoleError::Scope(scope) => Self::insufficient_scope(scope),
            RoleError::Storage(error) => Self::from(error),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.code.status();
        let document = Document {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: &self.detail,
            code: self.code.word(),
            errors: &self.errors,
            members: &self.members,
        };
        let body = serde_json::to_vec(&document).expect("a problem becomes JSON");
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("application/problem+json")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        let mut response = (status, headers, body).into_response();
        response.headers_mut().extend(self.header.map(|header| *header));
        response
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;
    use domain::{Fault, Pointer, TextPosition};
    use http_body_util::BodyExt as _;
    use serde_json::{Value, json};
    use storage::StorageError;

    use super::{Problem, ProblemCode, WrongValue, fragment};

    #[test]
    fn a_pointer_is_a_fragment_of_plain_characters() {
        let pointer = Pointer::root().field("cookies").field("a b%/é");

        assert_eq!(fragment(&Pointer::root()), "#");
        assert_eq!(fragment(&pointer), "#/cookies/a%20b%25~1%C3%A9");
    }

    #[test]
    fn a_fault_is_told_with_what_was_expected_and_the_hint() {
        let fault = Fault::error("wrong_type", Pointer::root(), "this is a number");

        let told = WrongValue::from(&fault.expected("a text").hint("put it in quotes"));

        assert_eq!(told.detail, "this is a number, expected a text; put it in quotes");
    }

    #[test]
    fn a_fault_inside_a_text_has_its_line_and_column() {
        let fault = Fault::error("code", Pointer::root().field("value"), "unexpected token");

        let told = WrongValue::from(&fault.inside(TextPosition { line: 3, column: 7 }));

        let expected = json!({
            "code": "code", "detail": "unexpected token, in line 3, column 7",
            "pointer": "#/value", "line": 3, "column": 7,
        });
        assert_eq!(serde_json::to_value(told).unwrap(), expected);
    }

    #[test]
    fn a_failure_of_the_store_is_told_as_what_it_is_without_what_it_says() {
        let secret = || "s3cret".to_owned();
        let cases = [
            (StorageError::Busy, "busy", true),
            (StorageError::Full, "disk_full", true),
            (StorageError::Unavailable(secret()), "database_unavailable", true),
            (StorageError::ReadOnly, "database_read_only", false),
            (StorageError::FileGone, "database_file_gone", false),
            (StorageError::EventFiles(secret()), "event_files_unusable", false),
            (StorageError::Corrupt(secret()), "internal", false),
            (StorageError::Damaged(secret()), "database_damaged", false),
        ];

        for (error, code, helps_to_wait) in cases {
            let problem = Problem::from(error);

            assert_eq!(problem.code.word(), code);
            assert_eq!(problem.header.is_some(), helps_to_wait, "{code}");
            let told = problem.detail;
            assert_eq!(
                told.contains("in a second"),
                helps_to_wait && code != "disk_full",
                "{told}"
            );
            assert!(!told.contains("s3cret"), "{told}");
        }
    }

    #[tokio::test]
    async fn a_problem_has_fields_for_programs_beside_its_text() {
        let problem = Problem::new(ProblemCode::InvalidTransition, format!("it is {}", "paused"));

        let answer = problem.with_member("allowed", json!(["resume"])).into_response();

        let body = answer.into_body().collect().await.unwrap().to_bytes();
        let told: Value = serde_json::from_slice(&body).unwrap();
        let expected = json!({
            "type": "about:blank", "title": "Conflict", "status": 409, "detail": "it is paused",
            "code": "invalid_transition", "allowed": ["resume"],
        });
        assert_eq!(told, expected);
    }
}
