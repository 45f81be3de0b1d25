//! Work that takes milliseconds of a core: it stays off the async threads, and is a span in the trace of the request that waits for it (docs/monitoring.md).

use std::thread;

use storage::TRACED;
use tokio::sync::oneshot;
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

/// Has a thread of the background give way to all others (`nice`): it still gets a tenth of a busy core. Where it is refused, the work is as important as
/// any other.
#[cfg(target_os = "linux")]
fn give_way() {
    // To Linux this is the thread alone.
    let _refused = rustix::process::setpriority_process(None, 10);
}

/// Elsewhere it would be the whole process.
#[cfg(not(target_os = "linux"))]
fn give_way() {}

/// Does what no request waits for, on a thread of its own that gets the cores when others leave them. Without one, nothing is done and this is `None`,
/// as if the work panics.
pub(crate) async fn compute_in_background<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (tell, told) = oneshot::channel();
    let begun = thread::Builder::new().name("background".to_owned()).spawn(move || {
        give_way();
        let _asker_gone = tell.send(work());
    });
    begun.ok()?;
    told.instrument(traced(name)).await.ok()
}
