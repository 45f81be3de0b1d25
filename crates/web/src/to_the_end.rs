//! What has begun is done: the work of a request goes on when its client hangs up.

use std::panic::resume_unwind;

use tracing::Instrument as _;

/// Does work to its end, also if nobody waits for its result any more: who hangs up leaves nothing half-done, and makes no room for more.
///
/// # Panics
/// If the work does.
pub async fn to_the_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    match tokio::spawn(work.in_current_span()).await {
        Ok(result) => result,
        Err(stopped) => resume_unwind(stopped.into_panic()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Notify;
    use tokio::sync::mpsc::unbounded_channel;

    use super::to_the_end;

    #[tokio::test]
    async fn work_goes_on_when_nobody_waits_for_it_any_more() {
        let (says, mut said) = unbounded_channel();
        let (has_begun, goes_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (begun, go_on) = (Arc::clone(&has_begun), Arc::clone(&goes_on));
        let work = async move {
            begun.notify_one();
            go_on.notified().await;
            let _is_heard = says.send("done");
        };
        tokio::select! {
            () = to_the_end(work) => {}
            () = has_begun.notified() => {}
        }

        goes_on.notify_one();

        assert_eq!(said.recv().await, Some("done"));
    }

    #[tokio::test]
    #[should_panic(expected = "mine")]
    async fn its_panic_is_the_panic_of_who_waits() {
        to_the_end(async { std::panic::panic_any("mine") }).await;
    }
}
