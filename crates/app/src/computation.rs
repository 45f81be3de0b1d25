//! Work that takes milliseconds of a core: it stays off the async threads, and is a span in the trace of the request that waits for it (docs/monitoring.md).

use std::future::pending;
use std::panic::resume_unwind;
use std::thread;

use storage::{StorageError, TRACED};
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle, spawn_blocking};
use tracing::{Instrument as _, Span, info_span};

/// A computation that ended without a result. That says nothing against what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Stopped {
    /// It panicked, which is a bug.
    #[error("the computation `{0}` panicked")]
    Panicked(&'static str),
    /// The process ends, or has no thread for it.
    #[error("the computation `{0}` was not done")]
    NotDone(&'static str),
}

impl From<Stopped> for StorageError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped.to_string())
    }
}

/// Does this away from the async threads. `name` says in traces what is done, as a verb and an object.
///
/// # Errors
/// If the work panics, or is not done.
pub(crate) async fn compute<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stopped> {
    let stopped = |error: JoinError| {
        if error.is_panic() { Stopped::Panicked(name) } else { Stopped::NotDone(name) }
    };
    spawn_blocking(work).instrument(traced(name)).await.map_err(stopped)
}

/// What a task of this process gives. If it panics, so does this. If the end of the runtime cancels it, this waits until it is cancelled as well.
///
/// # Panics
/// If the task does.
pub async fn finished<T>(task: JoinHandle<T>) -> T {
    match task.await.map_err(JoinError::try_into_panic) {
        Ok(done) => done,
        Err(Ok(panic)) => resume_unwind(panic),
        Err(Err(_cancelled)) => pending().await,
    }
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

/// Does what no request waits for, on a thread of its own that gets the cores when others leave them.
///
/// # Errors
/// If the work panics, or there is no thread for it.
pub(crate) async fn compute_in_background<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stopped> {
    let (tell, told) = oneshot::channel();
    let begun = thread::Builder::new().name("background".to_owned()).spawn(move || {
        give_way();
        let _asker_gone = tell.send(work());
    });
    begun.map_err(|_| Stopped::NotDone(name))?;
    told.instrument(traced(name)).await.map_err(|_| Stopped::Panicked(name))
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use storage::StorageError;
    use tokio::runtime::Builder;

    use super::{Stopped, compute, compute_in_background, finished};

    #[tokio::test]
    async fn a_computation_that_panics_says_so_and_blames_no_stored_data() {
        let panicked = compute("compute_results", || panic!("with a secret")).await;
        let behind = compute_in_background("make_files", || panic!("with a secret")).await;

        assert_eq!(panicked, Err::<(), _>(Stopped::Panicked("compute_results")));
        assert_eq!(behind, Err::<(), _>(Stopped::Panicked("make_files")));
        let told = StorageError::from(panicked.unwrap_err()).to_string();
        assert_eq!(told, "the computation `compute_results` panicked");
    }

    #[test]
    fn a_task_that_the_end_of_the_runtime_cancels_panics_nowhere() {
        let runtime = Builder::new_current_thread().build().unwrap();
        let task = runtime.spawn(pending::<()>());
        drop(runtime);

        let mut waiter = pin!(finished(task));

        assert!(waiter.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
}
