//! What a query may name: the parameters that the address describes. A misspelt one would otherwise be left out without a word, and the
//! answer be about something else than what the client asks for.

use axum::extract::Request;
use axum::http::Uri;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use domain::{Fault, Pointer};
use web::{Problem, ProblemCode};

use crate::address::Query;

/// `web::Bearer` refuses a token that stands there, in words of its own.
const TOKEN: &str = "access_token";

/// Refuses a request whose query is not readable, or names a parameter that is none of these. A client that sends no token is told of that
/// first.
pub(crate) async fn guard(known: &[String], request: Request, next: Next) -> Response {
    if !request.headers().contains_key(AUTHORIZATION) {
        return next.run(request).await;
    }
    match check(known, request.uri()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn check(known: &[String], uri: &Uri) -> Result<(), Problem> {
    let query = Query::of(uri)?;
    let is_known = |name: &str| name == TOKEN || known.iter().any(|known| known == name);
    query.names().find(|name| !is_known(name)).map_or(Ok(()), |name| Err(unknown(known, name)))
}

fn unknown(known: &[String], name: &str) -> Problem {
    let message = format!("unknown query parameter `{name}`");
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let expected = match known.as_slice() {
        [] => "no query".to_owned(),
        known => {
            let words: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            format!("one of {}", words.join(", "))
        }
    };
    let fault = Fault::error("unknown_parameter", Pointer::root(), message.clone());
    let fault = fault.expected(expected).did_you_mean(name, known);
    Problem::new(ProblemCode::UnknownParameter, message).with_faults(&[fault])
}
