//! What has begun is done: the work of a request goes on when its client hangs up.

use std::panic::resume_unwind;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
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

/// Lets a request through. One that may change something is answered to the end.
pub async fn finish_changes(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    to_the_end(next.run(request)).await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::Router;
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::Method;
    use axum::middleware::from_fn;
    use axum::routing::any;
    use tokio::sync::Notify;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
    use tower::ServiceExt as _;

    use super::finish_changes;

    /// Sends a request whose handler waits, hangs up, and lets the handler go on. What it says when it is done, or that it was dropped.
    async fn hang_up(method: Method) -> UnboundedReceiver<&'static str> {
        let (says, said) = unbounded_channel();
        let (has_begun, goes_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (begun, go_on) = (Arc::clone(&has_begun), Arc::clone(&goes_on));
        let handler = async move || {
            begun.notify_one();
            go_on.notified().await;
            let _is_heard = says.send("done");
        };
        let site = Router::new().route("/", any(handler)).layer(from_fn(finish_changes));
        let request = Request::builder().method(method).uri("/").body(Body::empty()).unwrap();
        tokio::select! {
            _ = site.oneshot(request) => {}
            () = has_begun.notified() => {}
        }
        goes_on.notify_one();
        said
    }

    #[tokio::test]
    async fn a_change_is_done_though_its_client_hangs_up_and_a_read_is_not() {
        assert_eq!(hang_up(Method::POST).await.recv().await, Some("done"));
        assert_eq!(hang_up(Method::GET).await.recv().await, None);
    }
}
