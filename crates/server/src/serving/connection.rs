//! One connection, from its first byte to its last: with TLS or without, HTTP/1.1 or HTTP/2, and never for longer than its limits
//! allow.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Request, StatusCode, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use web::{Ingress, Peer, Protection};

use super::activity::{Activity, Overdue};
use super::connection_limit::ConnectionPermit;
use super::limits::Limits;
use super::tls::{Protocol, Tls};

/// Streams that one connection may have open. Browsers need a hundred at most.
const STREAMS_AT_MOST: u32 = 100;

/// The head of a request. A browser with many cookies sends 16 kB, and our own longest addresses are as long.
const HEAD_BYTES_AT_MOST: u16 = 32 * 1024;

/// The library's limit for HTTP/1. Browsers send twenty headers, proxies add ten.
const HEADERS_AT_MOST: usize = 100;

/// How much an HTTP/2 stream may send before it is read: as much as any form has; other bodies are read at once.
const UNREAD_BYTES_AT_MOST: u32 = 64 * 1024;

/// How much all streams of a connection may send together before it is read.
const UNREAD_BYTES_OF_ALL_STREAMS_AT_MOST: u32 = 4 * UNREAD_BYTES_AT_MOST;

/// An accepted connection.
pub(crate) struct Connection {
    pub(crate) peer: SocketAddr,
    pub(crate) permit: ConnectionPermit,
    pub(crate) ingress: Arc<Ingress>,
    pub(crate) routes: Router,
    pub(crate) limits: Limits,
    /// Cancelled once others are to send their requests elsewhere.
    pub(crate) drain: CancellationToken,
}

impl Connection {
    /// Answers all requests on it.
    pub(crate) async fn serve(self, stream: TcpStream, tls: Option<Arc<Tls>>) {
        // An answer is written at once; waiting for more to send with it only makes it late. A socket that refuses is closed.
        let _may_be_closed = stream.set_nodelay(true);
        let Some(tls) = tls else {
            return self.talk(stream, Protection::None, Protocol::Http1).await;
        };
        let handshake = tokio::time::timeout(self.limits.handshake, tls.accept(stream));
        let shaken = self.permit.leave.run_until_cancelled(handshake).await;
        if let Some(Ok(Some((stream, protocol)))) = shaken {
            self.talk(stream, Protection::Tls, protocol).await;
        }
    }

    /// Speaks a protocol on a stream that is ready for it.
    async fn talk<S>(self, stream: S, protection: Protection, protocol: Protocol)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Self { peer, permit, ingress, routes, limits, drain } = self;
        let peer = Peer { address: peer.ip(), protection };
        let activity = Arc::clone(&permit.activity);
        let service = service_fn(move |request: Request<Incoming>| {
            let in_flight = activity.begin_request();
            let (ingress, routes, drain) = (Arc::clone(&ingress), routes.clone(), drain.clone());
            async move {
                let answer = answer((&ingress, &drain), routes, peer, request).await;
                Ok::<_, Infallible>(answer.map(|body| in_flight.until_sent(body)))
            }
        });
        match protocol {
            Protocol::Http1 => {
                let stream = Watched { stream, activity: Arc::clone(&permit.activity) };
                let http = http1().serve_connection(TokioIo::new(stream), service);
                until_over(http, http1::Connection::graceful_shutdown, &permit, &limits).await;
            }
            Protocol::Http2 => {
                let http = http2().serve_connection(TokioIo::new(stream), service);
                until_over(http, http2::Connection::graceful_shutdown, &permit, &limits).await;
            }
        }
    }
}

async fn answer(
    (ingress, drain): (&Ingress, &CancellationToken),
    routes: Router,
    peer: Peer,
    request: Request<Incoming>,
) -> Response {
    if !drain.is_cancelled() {
        return usual_answer(ingress, routes, peer, request).await;
    }
    let is_http1 = request.version() <= Version::HTTP_11;
    let mut answer = if request.uri().path() == "/readyz" {
        (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response()
    } else {
        usual_answer(ingress, routes, peer, request).await
    };
    // The last one on its connection, so that a balancer opens the next elsewhere. HTTP/2 has no such header (RFC 9113 section 8.2.2).
    if is_http1 {
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    answer
}

async fn usual_answer(
    ingress: &Ingress,
    routes: Router,
    peer: Peer,
    request: Request<Incoming>,
) -> Response {
    if request.headers().len() > HEADERS_AT_MOST {
        return StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response();
    }
    ingress.answer(routes, peer, request).await
}

/// Our own time limits (`activity.rs`) apply to both protocols alike.
fn http1() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(None).half_close(false);
    builder.max_buf_size(HEAD_BYTES_AT_MOST.into()).max_header_size(HEAD_BYTES_AT_MOST.into());
    builder
}

/// The library's default limits disconnect a client that opens streams only to reset them.
fn http2() -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder.timer(TokioTimer::new());
    builder.max_concurrent_streams(STREAMS_AT_MOST).max_header_list_size(HEAD_BYTES_AT_MOST.into());
    builder.initial_stream_window_size(UNREAD_BYTES_AT_MOST);
    builder.initial_connection_window_size(UNREAD_BYTES_OF_ALL_STREAMS_AT_MOST);
    builder
}

/// Runs a connection until it ends, must end, or has taken too long.
async fn until_over<C: Future>(
    connection: C,
    end_gracefully: impl FnOnce(Pin<&mut C>),
    permit: &ConnectionPermit,
    limits: &Limits,
) {
    let mut connection = pin!(connection);
    tokio::select! {
        // How it ended is up to the client: most just disconnect.
        _ended = connection.as_mut() => return,
        overdue = permit.activity.overdue(limits) => if overdue == Overdue::Slow { return },
        () = permit.leave.cancelled() => {}
    }
    end_gracefully(connection.as_mut());
    let _cut_off = tokio::time::timeout(limits.grace, connection).await;
}

/// A stream that tells when bytes arrive, and when the other end takes none.
struct Watched<S> {
    stream: S,
    activity: Arc<Activity>,
}

impl<S> Watched<S> {
    fn tell_if_blocked<T>(&self, written: Poll<T>) -> Poll<T> {
        if written.is_pending() {
            self.activity.note_blocked();
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.activity.note_bytes();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.tell_if_blocked(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.tell_if_blocked(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if flushed.is_ready() {
            self.activity.note_flushed();
        }
        flushed
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests;
