//! What surrounds every request that changes something: how much one writer may (the fields `RateLimit` and `RateLimit-Policy` of the
//! HTTP working group's draft, 429 of RFC 6585), and that what is repeated under an `Idempotency-Key` is done once.

mod idempotency;

use app::{App, Quota};
use axum::body::Body;
use axum::extract::{FromRequestParts as _, Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use storage::AccessGrant;
use web::{Bearer, Problem};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Lets a change through, once, if its writer has not made too many.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let grant = match grant_of(&app, &mut parts).await {
        Ok(grant) => grant,
        Err(problem) => return problem.into_response(),
    };
    let quota = app.count_write(grant.member, &grant.client_id);
    let mut response = if quota.remaining.is_none() {
        too_many(&quota).into_response()
    } else {
        answer(&app, &grant, Request::from_parts(parts, body), next).await
    };
    let Quota { per_minute, remaining, resets_in_seconds } = quota;
    let remaining = remaining.unwrap_or(0);
    let headers = response.headers_mut();
    headers.insert(RATE_LIMIT_POLICY, plain(&format!("\"writes\";q={per_minute};w=60")));
    headers.insert(RATE_LIMIT, plain(&format!("\"writes\";r={remaining};t={resets_in_seconds}")));
    response
}

async fn grant_of(app: &App, parts: &mut Parts) -> Result<AccessGrant, Problem> {
    Bearer::from_request_parts(parts, &()).await?.grant(app).await
}

async fn answer(app: &App, grant: &AccessGrant, request: Request<Body>, next: Next) -> Response {
    let key = match idempotency::key_of(&request) {
        Ok(Some(key)) if request.method() == Method::POST => key,
        Ok(_) => return next.run(request).await,
        Err(problem) => return problem.into_response(),
    };
    // It goes on when whoever asked hangs up: the next request with this key has to find what became of it.
    let (app, grant) = (app.clone(), grant.clone());
    let work = async move { idempotency::answer_once(&app, &grant, key, request, next).await };
    match tokio::spawn(work).await {
        Ok(Ok(response)) => response,
        Ok(Err(problem)) => problem.into_response(),
        Err(_panic) => Problem::internal().into_response(),
    }
}

fn too_many(quota: &Quota) -> Problem {
    let detail = format!(
        "there are {} changes a minute for each application and member; try again in {} seconds",
        quota.per_minute, quota.resets_in_seconds
    );
    Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
        .with_member("code", "too_many_writes")
        .with_header(RETRY_AFTER, HeaderValue::from(quota.resets_in_seconds))
}

fn plain(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("numbers and words are plain ASCII")
}
