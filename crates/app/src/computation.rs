//! Work that takes milliseconds of a core: it stays off the async threads, and is a span in the trace of the request that waits for it (docs/monitoring.md).

use storage::TRACED;
use tokio::task::{JoinError, spawn_blocking};
use tracing::{Instrument as _, Span, info_span};

/// Does this away from the async threads. `name` says in traces what is done, as a verb and an object.
///
/// # Errors
/// If the work panics.
pub(crate) async fn compute<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    spawn_blocking(work).instrument(traced(name)).await
}

/// The span of what a request waits for inside the process.
pub(crate) fn traced(name: &'static str) -> Span {
    info_span!(target: TRACED, "computation", otel.name = name)
}
