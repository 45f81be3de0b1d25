//! What has begun is done: the work of a request goes on when its client hangs up.

use app::finished;
use axum::http::Extensions;
use tracing::{Instrument as _, Span};

use crate::arriving::HeldBody;

/// What of a request goes with its work into another task: its spans, and the room that its body takes.
pub struct RequestContext {
    spans: RequestSpans,
    body: Option<HeldBody>,
}

/// The spans of a request. Both have to be entered: the one of its trace is for layers that do not know the other, and the other way round.
#[derive(Clone)]
pub(crate) struct RequestSpans {
    pub(crate) of_trace: Span,
    pub(crate) of_log: Span,
}

impl RequestContext {
    /// That of the request that has these extensions.
    #[must_use]
    pub fn of(extensions: &Extensions) -> Self {
        let none = || RequestSpans { of_trace: Span::none(), of_log: Span::none() };
        Self {
            spans: extensions.get().cloned().unwrap_or_else(none),
            body: extensions.get().cloned(),
        }
    }
}

/// Does the work of a request to its end, also if its client no longer waits for the result: a client that hangs up leaves nothing
/// half-done, and makes no room for more.
///
/// # Panics
/// If the work does.
pub async fn run_to_completion<T: Send + 'static>(
    RequestContext { spans, body }: RequestContext,
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    let RequestSpans { of_trace, of_log } = spans;
    let work = async move {
        let _body = body;
        work.await
    };
    finished(tokio::spawn(work.instrument(of_log).instrument(of_trace))).await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::http::Extensions;
    use tokio::sync::Notify;
    use tokio::sync::mpsc::unbounded_channel;

    use super::{RequestContext, run_to_completion};

    #[tokio::test]
    async fn work_goes_on_when_its_caller_has_gone() {
        let (says, mut said) = unbounded_channel();
        let (has_begun, goes_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (begun, go_on) = (Arc::clone(&has_begun), Arc::clone(&goes_on));
        let work = async move {
            begun.notify_one();
            go_on.notified().await;
            let _is_heard = says.send("done");
        };
        tokio::select! {
            () = run_to_completion(RequestContext::of(&Extensions::new()), work) => {}
            () = has_begun.notified() => {}
        }

        goes_on.notify_one();

        assert_eq!(said.recv().await, Some("done"));
    }

    #[tokio::test]
    async fn its_panic_is_that_of_the_request() {
        let context = RequestContext::of(&Extensions::new());
        let request = run_to_completion(context, async { std::panic::panic_any("mine") });

        let stopped = tokio::spawn(request).await.unwrap_err();

        assert_eq!(stopped.into_panic().downcast_ref(), Some(&"mine"));
    }
}
