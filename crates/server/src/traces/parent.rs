//! The trace that a request is part of: that of its caller, if its `traceparent` names one (W3C Trace Context).

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName};
use axum::middleware::Next;
use axum::response::Response;
use opentelemetry::Context;
use opentelemetry::context::FutureExt as _;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry_sdk::propagation::TraceContextPropagator;

/// As much of `tracestate` as the standard wants passed on. Each span has a copy, so that a caller who sends more gets none.
const HEADER_BYTES: usize = 512;

/// Answers the request within that trace.
pub(super) async fn continue_trace(request: Request, next: Next) -> Response {
    let headers = Headers(request.headers());
    let caller = TraceContextPropagator::new().extract_with_context(&Context::new(), &headers);
    next.run(request).with_context(caller).await
}

/// Headers, as far as they may be carried along.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.get(name)?.to_str().ok()?;
        (value.len() <= HEADER_BYTES).then_some(value)
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}
