//! The span of a request in a trace, by OpenTelemetry's conventions for HTTP servers. Names and values come from this code and from the operator: neither
//! the path nor the query stands there, no header, and nothing of the caller.

use app::PublicUrl;
use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode, Version};
use storage::TRACED;
use tracing::field::Empty;
use tracing::{Span, info_span};

/// Begins the span. `server` decides whether there is one, and which trace it continues.
pub(crate) fn begin(request: &Request, public_url: &PublicUrl) -> Span {
    let (method, route) = (request.method(), route_of(request));
    info_span!(
        target: TRACED,
        "request",
        otel.name = name(method, route),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = known(method).unwrap_or("_OTHER"),
        http.route = route,
        http.response.status_code = Empty,
        url.scheme = if public_url.is_https() { "https" } else { "http" },
        server.address = public_url.host(),
        server.port = i64::from(public_url.port()),
        network.protocol.version = version(request.version()),
        error.type = Empty,
    )
}

/// Notes what came of it. Only a failure of ours is an error: a caller that is refused is told so, and that is no fault of the server.
pub(crate) fn answered(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR").record("error.type", status.as_str());
    }
}

/// The pattern that the path matched: of paths there are as many as strangers make up.
pub(crate) fn route_of(request: &Request) -> Option<&str> {
    request.extensions().get::<MatchedPath>().map(MatchedPath::as_str)
}

fn name(method: &Method, route: Option<&str>) -> String {
    let method = known(method).unwrap_or("HTTP");
    route.map_or_else(|| method.to_owned(), |route| format!("{method} {route}"))
}

/// The methods of RFC 9110 and RFC 5789. Others are as many as strangers make up.
fn known(method: &Method) -> Option<&str> {
    let is_known = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
        Method::CONNECT,
    ]
    .contains(method);
    is_known.then(|| method.as_str())
}

fn version(version: Version) -> &'static str {
    match version {
        Version::HTTP_10 => "1.0",
        Version::HTTP_2 => "2",
        _ => "1.1",
    }
}
