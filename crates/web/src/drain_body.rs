//! Reads a refused body for a while longer and discards it. Otherwise the client would find the connection broken while it still
//! sends, and many programs then never read the answer.

use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::EXPECT;
use hyper::body::{Frame, SizeHint};
use tokio::runtime::Handle;

/// Several times what a client sends by mistake. Anything beyond is cut off.
const BYTES_AT_MOST: usize = 16 << 20;

/// An honest client is done long before.
const TIME_AT_MOST: Duration = Duration::from_secs(5);

/// A request's body, of which the rest is read and discarded if the handler does not read it.
struct DrainBody {
    body: Body,
    has_ended: bool,
}

/// Lets the body of a request linger. Who asked whether to send it at all (`Expect`) waits for the answer, and sends nothing.
pub(crate) fn linger(request: Request) -> Request {
    if request.headers().contains_key(EXPECT) {
        return request;
    }
    request.map(|body| Body::new(DrainBody { body, has_ended: false }))
}

impl HttpBody for DrainBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.has_ended |= matches!(polled, Poll::Ready(None | Some(Err(_))));
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for DrainBody {
    fn drop(&mut self) {
        if self.has_ended || self.body.is_end_stream() {
            return;
        }
        let rest = mem::take(&mut self.body);
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(tokio::time::timeout(TIME_AT_MOST, discard(rest)));
        }
    }
}

async fn discard(mut body: Body) {
    let mut discarded = 0;
    while discarded < BYTES_AT_MOST {
        let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(Ok(frame)) = frame else { return };
        discarded += frame.data_ref().map_or(0, Bytes::len);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll};

    use axum::body::{Body, Bytes, HttpBody};
    use axum::extract::Request;
    use hyper::body::Frame;

    use super::{BYTES_AT_MOST, linger};

    const CHUNK: usize = 1 << 20;

    /// Sends without end, and counts.
    struct Endless(Arc<AtomicUsize>);

    impl HttpBody for Endless {
        type Data = Bytes;
        type Error = axum::Error;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
            self.0.fetch_add(CHUNK, Ordering::Relaxed);
            Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![0; CHUNK])))))
        }
    }

    fn endless(header: &str) -> (Request, Arc<AtomicUsize>) {
        let sent = Arc::new(AtomicUsize::new(0));
        let body = Body::new(Endless(Arc::clone(&sent)));
        (Request::builder().header(header, "100-continue").body(body).unwrap(), sent)
    }

    #[tokio::test]
    async fn an_unread_body_is_discarded_up_to_a_limit() {
        let (request, sent) = endless("x-other");

        drop(linger(request));
        tokio::task::yield_now().await;

        assert_eq!(sent.load(Ordering::Relaxed), BYTES_AT_MOST);
    }

    #[tokio::test]
    async fn a_client_that_expects_100_continue_is_not_made_to_send() {
        let (request, sent) = endless("expect");

        drop(linger(request));
        tokio::task::yield_now().await;

        assert_eq!(sent.load(Ordering::Relaxed), 0);
    }
}
