//! Slow and hostile clients, on a clock that advances as soon as all tasks wait.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use app::PublicUrl;
use axum::Router;
use axum::routing::{get, post};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use web::{Ingress, Protection};

use super::Connection;
use crate::serving::connection_limit::{ConnectionLimit, PeerKind};
use crate::serving::limits::Limits;
use crate::serving::tls::Protocol;

const LIMITS: Limits = Limits {
    connections: 1,
    per_address: 1,
    handshake: Duration::from_secs(1),
    head: Duration::from_secs(10),
    idle: Duration::from_secs(100),
    answer: Duration::from_secs(1_000),
    drain: Duration::ZERO,
    grace: Duration::from_secs(5),
    pause: Duration::from_secs(1),
};

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/// Far more than fits between the two ends of a connection.
const LARGE: usize = 1 << 20;

/// The caller's end of a connection.
struct Line {
    stream: DuplexStream,
    server: JoinHandle<()>,
    stop: CancellationToken,
    connected: Instant,
}

impl Line {
    async fn connect(router: Router, protocol: Protocol) -> Self {
        let (stream, other_end) = duplex(1_000);
        let stop = CancellationToken::new();
        let limit = ConnectionLimit::for_connections(1, 1);
        let permit = limit.take_permit(limit.free_place().await, PeerKind::Proxy, &stop).unwrap();
        let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        let public_url = PublicUrl::parse("http://localhost").unwrap();
        let ingress = Arc::new(Ingress { public_url, trusted_proxies: Vec::new() });
        let drain = CancellationToken::new();
        let connection =
            Connection { peer, permit, ingress, routes: router, limits: LIMITS, drain };
        let server = tokio::spawn(connection.talk(other_end, Protection::None, protocol));
        Self { stream, server, stop, connected: Instant::now() }
    }

    async fn say(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Everything that is answered until the connection ends.
    async fn hear(&mut self) -> String {
        let mut heard = String::new();
        self.stream.read_to_string(&mut heard).await.unwrap();
        heard
    }

    /// The next answer, whose body is `ok`.
    async fn hear_ok(&mut self) {
        let mut heard = Vec::new();
        while !heard.ends_with(b"\r\n\r\nok") {
            heard.push(self.stream.read_u8().await.unwrap());
        }
    }

    /// After how many seconds the server was done with it.
    async fn ended_after(self) -> u64 {
        self.server.await.unwrap();
        self.connected.elapsed().as_secs()
    }
}

fn routes() -> Router {
    Router::new()
        .route("/", get(async || "ok"))
        .route("/large", get(async || "a".repeat(LARGE)))
        .route("/body", post(async |body: String| body))
}

async fn line() -> Line {
    Line::connect(routes(), Protocol::Http1).await
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_a_request_is_closed_after_a_while() {
    let mut line = line().await;

    assert_eq!(line.hear().await, "");
    assert_eq!(line.ended_after().await, 100);
}

#[tokio::test(start_paused = true)]
async fn a_head_that_trickles_in_is_cut_off_as_soon_as_one_that_stops() {
    let mut stopping = line().await;
    stopping.say(&GET[..20]).await;
    let mut trickling = line().await;
    for byte in GET[..10].chunks(1) {
        trickling.say(byte).await;
        tokio::time::advance(Duration::from_millis(900)).await;
    }

    assert_eq!((stopping.hear().await, trickling.hear().await), (String::new(), String::new()));
    assert_eq!((stopping.ended_after().await, trickling.ended_after().await), (10, 10));
}

#[tokio::test(start_paused = true)]
async fn the_head_of_a_second_request_has_no_more_time_than_the_first() {
    let mut line = line().await;
    line.say(GET).await;
    line.hear_ok().await;
    tokio::time::advance(Duration::from_secs(50)).await;

    line.say(&GET[..20]).await;

    assert_eq!(line.hear().await, "");
    assert_eq!(line.ended_after().await, 60);
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_is_kept_for_a_while_after_each_answer() {
    let mut line = line().await;
    for _ in 0..3 {
        line.say(GET).await;
        line.hear_ok().await;
        tokio::time::advance(Duration::from_secs(99)).await;
    }

    assert_eq!(line.hear().await, "");
    assert_eq!(line.ended_after().await, 2 * 99 + 100);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_does_not_keep_a_connection() {
    let mut line = line().await;

    line.say(b"POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
        .await;

    assert_eq!(line.hear().await, "");
    assert_eq!(line.ended_after().await, 1_000);
}

#[tokio::test(start_paused = true)]
async fn an_unread_answer_does_not_keep_a_connection() {
    let mut line = line().await;

    line.say(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n").await;

    assert_eq!(line.ended_after().await, 1_000);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_read_slowly_arrives_whole() {
    let mut line = line().await;
    line.say(b"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    let mut heard = 0;
    let mut piece = [0; 2_000];

    while let Ok(length @ 1..) = line.stream.read(&mut piece).await {
        heard += length;
        tokio::time::advance(Duration::from_millis(500)).await;
    }

    assert!(heard > LARGE, "{heard}");
}

#[tokio::test(start_paused = true)]
async fn a_request_under_way_is_finished_when_the_server_stops() {
    let (reached, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let handler = {
        let (reached, go_on) = (Arc::clone(&reached), Arc::clone(&go_on));
        async move || {
            reached.notify_one();
            go_on.notified().await;
            "ok"
        }
    };
    let routes = Router::new().route("/", get(handler));
    let mut line = Line::connect(routes, Protocol::Http1).await;
    line.say(GET).await;
    reached.notified().await;

    line.stop.cancel();
    tokio::task::yield_now().await;
    go_on.notify_one();

    let heard = line.hear().await;
    assert!(heard.starts_with("HTTP/1.1 200 OK\r\n") && heard.ends_with("ok"), "{heard}");
    assert!(heard.contains("connection: close\r\n"), "{heard}");
    assert_eq!(line.ended_after().await, 0);
}

#[tokio::test(start_paused = true)]
async fn a_request_beyond_the_grace_period_is_cut_off_when_the_server_stops() {
    let mut busy = line().await;
    busy.say(b"POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na").await;
    let mut idle = line().await;
    idle.say(GET).await;
    idle.hear_ok().await;

    idle.stop.cancel();
    assert_eq!((idle.hear().await.as_str(), idle.ended_after().await), ("", 0));
    busy.stop.cancel();
    assert_eq!((busy.hear().await.as_str(), busy.ended_after().await), ("", 5));
}

#[tokio::test(start_paused = true)]
async fn a_connection_of_http2_has_the_same_time() {
    let line = Line::connect(routes(), Protocol::Http2).await;
    let Line { stream, server, connected, stop: _running } = line;
    let executor = TokioExecutor::new();
    let (mut requests, talk) =
        hyper::client::conn::http2::handshake(executor, TokioIo::new(stream)).await.unwrap();
    let talk = tokio::spawn(talk);

    let request = hyper::Request::get("http://a/").body(axum::body::Body::empty()).unwrap();
    assert_eq!(requests.send_request(request).await.unwrap().status(), 200);

    talk.await.unwrap().unwrap();
    server.await.unwrap();
    assert_eq!(connected.elapsed().as_secs(), 100);
}

/// A frame of HTTP/2 (RFC 9113 section 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

#[tokio::test(start_paused = true)]
async fn a_client_that_rapidly_resets_http2_streams_is_disconnected() {
    let line = Line::connect(routes(), Protocol::Http2).await;
    let (mut heard, mut voice) = tokio::io::split(line.stream);
    let talk = tokio::spawn(async move {
        let hello = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &frame(4, 0, 0, &[])[..]].concat();
        voice.write_all(&hello).await?;
        for stream in (1..20_000).step_by(2) {
            // `GET http://a/`, then `RST_STREAM` with the code for a change of mind.
            let opened = frame(1, 0b101, stream, &[0x82, 0x84, 0x86, 0x41, 1, b'a']);
            let reset = frame(3, 0, stream, &8_u32.to_be_bytes());
            voice.write_all(&[opened, reset].concat()).await?;
        }
        std::io::Result::Ok(())
    });
    let mut said = Vec::new();

    heard.read_to_end(&mut said).await.unwrap();

    assert!(talk.await.unwrap().is_err(), "not all was taken");
    // `GOAWAY` with the code for too much.
    let is_calm_down = |bytes: &[u8]| bytes[3] == 7 && bytes[13..17] == 0xb_u32.to_be_bytes();
    assert!(said.windows(17).any(is_calm_down), "{said:?}");
    line.server.await.unwrap();
    assert_eq!(line.connected.elapsed().as_secs(), 0);
}
