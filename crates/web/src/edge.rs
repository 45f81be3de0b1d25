//! What surrounds every request of both edges: its id, one log line, its place in the counts, its span in a trace, a time limit, and an answer even when
//! a handler panics.

use std::any::Any;
use std::time::{Duration, Instant};

use app::{Answered, App};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::Response;
use tower::ServiceExt as _;
use tower_http::catch_panic::{CatchPanic, ResponseForPanic};
use tracing::Instrument as _;

use crate::address::CallerAddress;
use crate::arriving;
use crate::drain_body::linger;
use crate::failure::Failure;
use crate::framing::is_malformed;
use crate::ingress::InsecureTransport;
use crate::request_id::{self, RequestId};
use crate::run_to_completion::RequestSpans;
use crate::traced;

/// How an edge words the failures that its handlers could not: as a page or as a problem.
pub type AnswerFailure = fn(Failure, &RequestId) -> Response;

/// Wraps an edge's routes and hands them the application.
pub fn edge(routes: Router<App>, app: App, answer_failure: AnswerFailure) -> Router {
    routes
        .layer(middleware::from_fn_with_state((app.clone(), answer_failure), guard))
        .layer(middleware::from_fn_with_state(app.clone(), observe))
        .layer(middleware::from_fn_with_state(app.clone(), request_id::identify))
        .with_state(app)
}

async fn guard(
    State((app, answer_failure)): State<(App, AnswerFailure)>,
    id: RequestId,
    CallerAddress(address): CallerAddress,
    request: Request,
    next: Next,
) -> Response {
    if request.extensions().get::<InsecureTransport>().is_some() {
        return answer_failure(Failure::InsecureTransport, &id);
    }
    if is_malformed(&request) {
        // Where one request ends and the next begins is not certain any more.
        let mut answer = answer_failure(Failure::Malformed, &id);
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return answer;
    }
    // What is only discarded takes no room.
    let (request, arrival) = arriving::watch(linger(request), app.body_room().share(address));
    let guarded = CatchPanic::custom(next, Panicked { answer_failure, id: id.clone() });
    tokio::select! {
        biased;
        Ok(response) = guarded.oneshot(request) => {
            // The handler took it for a body that broke off.
            if arrival.has_no_room() {
                return answer_failure(Failure::Overloaded, &id);
            }
            response.map(Body::new)
        }
        late = arrival.overdue() => answer_failure(late, &id),
    }
}

/// Answers for a handler that panicked.
#[derive(Clone)]
struct Panicked {
    answer_failure: AnswerFailure,
    id: RequestId,
}

impl ResponseForPanic for Panicked {
    type ResponseBody = Body;

    /// The payload may quote the request, so only the fact is logged.
    fn response_for_panic(&mut self, _payload: Box<dyn Any + Send>) -> Response {
        tracing::error!("a handler panicked");
        (self.answer_failure)(Failure::Panicked, &self.id)
    }
}

/// Counts the request, gives it its span in a trace, and logs it if such lines are wanted.
async fn observe(
    State(app): State<App>,
    id: RequestId,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let traced = traced::begin(&request, app.public_url());
    let route = traced::route_of(&request).unwrap_or("unmatched").to_owned();
    let span = traced.in_scope(|| tracing::error_span!("request", id = id.as_str(), route));
    let is_logged = tracing::enabled!(tracing::Level::INFO);
    let path = is_logged.then(|| loggable_path(request.uri()).to_owned());
    let spans = RequestSpans { of_trace: traced.clone(), of_log: span.clone() };
    request.extensions_mut().insert(spans);
    let response = next.run(request).instrument(span.clone()).instrument(traced.clone()).await;
    let (status, elapsed) = (response.status(), started.elapsed());
    if let Some(path) = path {
        traced.in_scope(|| span.in_scope(|| log_answer(&method, &path, status, elapsed)));
    }
    traced::answered(&traced, status);
    let answered = Answered { route, method: method_name(&method), status: class_of(status) };
    app.monitor().answered(answered, elapsed);
    response
}

/// The method, or `other`: of methods, too, there are as many as strangers make up.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn class_of(status: StatusCode) -> &'static str {
    match status.as_u16() {
        ..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    }
}

fn log_answer(method: &Method, path: &str, status: StatusCode, elapsed: Duration) {
    let milliseconds = (elapsed.as_secs_f64() * 100_000.0).round() / 100.0;
    tracing::info!(%method, path, status = status.as_u16(), milliseconds, "answered");
}

/// What nothing of ours has in its path: the encoded question mark of a query in disguise, and the beginning of a credential that
/// a client put into the wrong place.
const NEVER_LOGGED: [&str; 2] = ["%", "assay_"];

/// What the id of a visitor follows, by which the site knows a person.
const BEFORE_A_VISITOR: &str = "/visitors/";

/// The path as far as it may be logged. The query is left out: codes and secrets travel there.
fn loggable_path(uri: &Uri) -> &str {
    let path = uri.path();
    let visitor = path.find(BEFORE_A_VISITOR).map(|place| place + BEFORE_A_VISITOR.len());
    NEVER_LOGGED.iter().fold(&path[..visitor.unwrap_or(path.len())], |path, words| {
        path.split_once(words).map_or(path, |(plain, _)| plain)
    })
}

#[cfg(test)]
mod tests {
    use axum::http::Uri;

    use super::loggable_path;

    #[test]
    fn neither_a_query_nor_a_disguised_one_is_logged() {
        let logged = |uri: &'static str| loggable_path(&Uri::from_static(uri)).to_owned();

        assert_eq!(logged("/oauth2/token?code=c&client_secret=s"), "/oauth2/token");
        assert_eq!(logged("/oauth2/token%3Fcode=c"), "/oauth2/token");
        assert_eq!(logged("/v1/projects/1000"), "/v1/projects/1000");
    }

    #[test]
    fn the_id_of_a_visitor_is_not_logged() {
        let uri = Uri::from_static("/v1/projects/1000/visitors/ada@shop.example?by=number");

        assert_eq!(loggable_path(&uri), "/v1/projects/1000/visitors/");
    }

    #[test]
    fn a_credential_in_the_path_is_not_logged() {
        let uri = Uri::from_static("/v1/projects/assay_at_jiDcGTYy/publish");

        assert_eq!(loggable_path(&uri), "/v1/projects/");
    }
}
