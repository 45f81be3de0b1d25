//! `Idempotency-Key`: a program that does not know whether its request was done sends it again with the same key, and gets the answer
//! that it missed. What was refused may be sent again under the same key. Secrets that an answer showed are not kept, so they are not
//! shown again.

use app::App;
use app::idempotency::{forget_key, hold_key, keep_answer, take_key};
use app::roles::{Actor, Permission, require};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, LOCATION, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use domain::limits::MAX_DOCUMENT_BYTES;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use storage::{AccessGrant, KeyLease, KnownKey};
use web::{Problem, ProblemCode, RETRY_AFTER_SECONDS};

use crate::editing::project_id;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Tells an answer that is given again.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// What fits everywhere; a UUID is 36.
const KEY_LENGTH_AT_MOST: usize = 255;

/// What a project makes and shows once: the secret of a webhook, links that work for everyone who has them, and a key that may have been made
/// anew since.
const SHOWN_ONCE: [&str; 5] =
    ["webhooks", "results-links", "preview-links", "visual-editor-links", "events-key"];

/// What of an answer is given again.
const KEPT_HEADERS: [HeaderName; 4] = [CONTENT_TYPE, ETAG, LOCATION, CACHE_CONTROL];

/// An answer as it is kept.
#[derive(Serialize, Deserialize)]
struct StoredResponse {
    status: u16,
    headers: Vec<(String, String)>,
    /// `None` if it held a secret.
    body: Option<String>,
}

/// What is kept of an answer.
#[derive(Clone, Copy)]
enum Memory {
    /// All of it.
    Whole,
    /// That it was given.
    WithoutSecrets,
}

impl Memory {
    /// Outside of projects, new members, applications and API tokens are told secrets.
    fn of(path: &str) -> Self {
        let Some(of_project) = path.strip_prefix("/v1/projects") else {
            return Self::WithoutSecrets;
        };
        let made = of_project.split('/').nth(2);
        let is_shown_once = made.is_some_and(|made| SHOWN_ONCE.contains(&made));
        if is_shown_once { Self::WithoutSecrets } else { Self::Whole }
    }
}

/// The key of a request, if it has one.
pub(super) fn key_of(request: &Request) -> Result<Option<String>, Problem> {
    let mut values = request.headers().get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let key = value.to_str().ok().filter(|key| (1..=KEY_LENGTH_AT_MOST).contains(&key.len()));
    let key = key.filter(|_| values.next().is_none()).ok_or_else(|| {
        let detail = "`Idempotency-Key` is sent once: 1 to 255 ASCII characters, such as a UUID";
        Problem::new(ProblemCode::InvalidHeader, detail)
    })?;
    Ok(Some(key.to_owned()))
}

/// Does the request, or tells again what became of it.
pub(super) async fn answer_once(
    app: &App,
    grant: &AccessGrant,
    key: String,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, MAX_DOCUMENT_BYTES)
        .await
        .map_err(|_| Problem::new(ProblemCode::BodyTooLong, "the body is too long"))?;
    let key = hash(&[&grant.member.to_string(), grant.client_id.as_str(), &key], &[]);
    // What one token may do and another may not is not told to the other.
    let request = [parts.method.as_str(), &parts.uri.to_string(), &grant.scope.to_string()];
    let request_hash = hash(&request, &body);
    let lease = match take_key(app, key, request_hash).await? {
        KnownKey::New(lease) => lease,
        KnownKey::Answered(stored) => {
            check_still_reads(app, grant, parts.uri.path()).await?;
            return Ok(again(&stored));
        }
        KnownKey::InProgress => {
            let detail = "the same request is being done at this moment";
            return Err(Problem::new(ProblemCode::InProgress, detail)
                .with_header(RETRY_AFTER, RETRY_AFTER_SECONDS));
        }
        KnownKey::OtherRequest => {
            let detail = "this `Idempotency-Key` came with another request before, or with a token of other scopes";
            return Err(Problem::new(ProblemCode::KeyReused, detail));
        }
    };
    let memory = Memory::of(parts.uri.path());
    let work = async {
        let response = next.run(Request::from_parts(parts, Body::from(body))).await;
        keep(app, lease, response, memory).await
    };
    hold_key(app, lease, work).await
}

/// An answer that is given again shows a project as it was; a member who lost their role there since does not see it any more.
async fn check_still_reads(app: &App, grant: &AccessGrant, path: &str) -> Result<(), Problem> {
    let Some(of_project) = path.strip_prefix("/v1/projects") else { return Ok(()) };
    let (place, permission) = match of_project.split('/').nth(1) {
        Some(name) => {
            let actor = Actor::in_console(grant.member, None);
            let name = percent_decode_str(name).decode_utf8_lossy();
            (Some(project_id(app, &actor, &name).await?), Permission::ReadConfiguration)
        }
        None => (None, Permission::CreateProjects),
    };
    Ok(require(app, grant.member, place, permission).await?)
}

/// Keeps the answer to something that was done, and forgets what was not.
async fn keep(
    app: &App,
    lease: KeyLease,
    response: Response,
    memory: Memory,
) -> Result<Response, Problem> {
    if !response.status().is_success() {
        forget_key(app, lease).await;
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body: Bytes = to_bytes(body, usize::MAX).await.map_err(|_| Problem::internal())?;
    let headers = KEPT_HEADERS.iter().filter_map(|name| {
        let value = parts.headers.get(name)?.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    });
    let body_kept = match memory {
        Memory::Whole => String::from_utf8(body.to_vec()).ok(),
        Memory::WithoutSecrets => None,
    };
    let (status, headers) = (parts.status.as_u16(), headers.collect());
    let stored = StoredResponse { status, headers, body: body_kept };
    let stored = serde_json::to_string(&stored).expect("numbers and texts become JSON");
    keep_answer(app, lease, stored).await;
    Ok(Response::from_parts(parts, Body::from(body)))
}

fn again(stored: &str) -> Response {
    let Ok(StoredResponse { status, headers, body }) = serde_json::from_str(stored) else {
        return Problem::internal().into_response();
    };
    let Some(body) = body else {
        let detail = "this was done before; what it showed once is not shown again";
        return Problem::new(ProblemCode::AlreadyDone, detail).into_response();
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let mut response = (status, [(REPLAYED, "true")], body).into_response();
    response.headers_mut().remove(CONTENT_TYPE);
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// A hash of texts, each of which ends where the next begins, and a body.
fn hash(texts: &[&str], body: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(text);
    }
    hash.update(body);
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::Memory;

    fn is_kept(path: &str) -> bool {
        matches!(Memory::of(path), Memory::Whole)
    }

    #[test]
    fn answers_that_show_a_secret_are_not_kept() {
        for made in ["webhooks", "webhooks/7/secret", "results-links", "preview-links"] {
            assert!(!is_kept(&format!("/v1/projects/1000/{made}")), "{made}");
        }
        for made in ["visual-editor-links", "events-key"] {
            assert!(!is_kept(&format!("/v1/projects/1000/{made}")), "{made}");
        }
        for made in ["members", "applications", "applications/reports/secrets", "tokens"] {
            assert!(!is_kept(&format!("/v1/{made}")), "{made}");
        }
    }

    #[test]
    fn other_answers_of_projects_are_kept() {
        for path in ["", "/1000/campaigns", "/1000/attributes", "/1000/publish"] {
            assert!(is_kept(&format!("/v1/projects{path}")), "{path}");
        }
    }
}
