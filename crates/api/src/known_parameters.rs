//! What a query may name: the parameters that the address describes. A misspelt one would otherwise be left out without a word, and the
//! answer be about something else than what the client asks for.

use axum::extract::{Query, Request};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use domain::{Fault, Pointer};
use web::Problem;

/// `web::Bearer` refuses a token that stands there, in words of its own.
const TOKEN: &str = "access_token";

/// Refuses a request whose query names a parameter that is none of these. A client that sends no token is told of that first.
pub(crate) async fn guard(known: &[String], request: Request, next: Next) -> Response {
    let asks = request.headers().contains_key(AUTHORIZATION);
    match unknown(known, &request).filter(|_| asks) {
        Some(name) => problem(known, &name).into_response(),
        None => next.run(request).await,
    }
}

fn unknown(known: &[String], request: &Request) -> Option<String> {
    // A query that is not readable is for its handler to refuse.
    let Query(sent) = Query::<Vec<(String, String)>>::try_from_uri(request.uri()).ok()?;
    let mut names = sent.into_iter().map(|(name, _)| name);
    names.find(|name| name != TOKEN && !known.contains(name))
}

fn problem(known: &[String], name: &str) -> Problem {
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
    Problem::faults_with(StatusCode::BAD_REQUEST, message, &[fault])
        .with_member("code", "unknown_parameter")
}
