//! What surrounds every request that changes something: how much one writer may, and that what is repeated under an `Idempotency-Key` is done
//! once.

mod idempotency;

use app::App;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use domain::limits::MAX_DOCUMENT_BYTES;
use http_body_util::LengthLimitError;
use storage::AccessGrant;
use web::{Problem, ProblemCode, RequestContext, run_to_completion};

use crate::quota_fields::{Policy, grant_of};

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
        Policy::WRITES.too_many(&quota).into_response()
    } else {
        let request = Request::from_parts(parts, body);
        answer(&app, grant, request, next).await.unwrap_or_else(Problem::into_response)
    };
    Policy::WRITES.tell(&quota, response.headers_mut());
    response
}

async fn answer(
    app: &App,
    grant: AccessGrant,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let key = idempotency::key_of(&request)?.filter(|_| request.method() == Method::POST);
    let (parts, body) = request.into_parts();
    let body = whole(body).await?;
    let context = RequestContext::of(&parts.extensions);
    let request = Request::from_parts(parts, Body::from(body));
    // When the client hangs up, the next request with this key finds what became of it.
    let app = app.clone();
    let work = async move {
        match key {
            Some(key) => idempotency::answer_once(&app, &grant, key, request, next).await,
            None => Ok(next.run(request).await),
        }
    };
    run_to_completion(context, work).await
}

/// The whole body. Addresses that take less than a document say so themselves.
async fn whole(body: Body) -> Result<Bytes, Problem> {
    to_bytes(body, MAX_DOCUMENT_BYTES).await.map_err(|error| {
        if error.into_inner().is::<LengthLimitError>() {
            let detail = format!("a body has {MAX_DOCUMENT_BYTES} bytes at most");
            return Problem::new(ProblemCode::BodyTooLong, detail);
        }
        Problem::new(ProblemCode::BodyIncomplete, "the body did not arrive whole")
    })
}
