//! Bodies that come in the most expensive way, and as slowly as their senders please.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::mem;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use app::{BodyRoom, BodyShare, Overloaded};
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use http_body_util::BodyExt as _;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

use super::{PIECE_BYTES, watch};
use crate::failure::Failure;
use crate::run_to_completion::RequestContext;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::BROADCAST);

/// A read buffer that a reader still holds.
struct Buffer(Vec<u8>, Arc<AtomicUsize>);

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.1.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sends single bytes, each in a buffer of its own, and counts how many buffers exist at once.
struct OneByOne {
    left: usize,
    held: Arc<AtomicUsize>,
    held_at_most: Arc<AtomicUsize>,
}

impl HttpBody for OneByOne {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.left -= 1;
        let held = self.held.fetch_add(1, Ordering::Relaxed) + 1;
        self.held_at_most.fetch_max(held, Ordering::Relaxed);
        let buffer = Buffer(vec![b'a'; 8_192], Arc::clone(&self.held));
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_owner(buffer).slice(..1)))))
    }
}

/// Of a room that nothing else is in.
fn share() -> BodyShare {
    Arc::<BodyRoom>::default().share(HERE)
}

/// Sends this many bytes, each piece after a pause; then nothing more, ever.
struct Slow {
    pieces: VecDeque<usize>,
    pause: Duration,
    until_next: Pin<Box<Sleep>>,
}

impl Slow {
    fn body(pieces: impl IntoIterator<Item = usize>, pause_seconds: u64) -> Body {
        let pause = Duration::from_secs(pause_seconds);
        let pieces = pieces.into_iter().collect();
        Body::new(Self { pieces, pause, until_next: Box::pin(sleep(pause)) })
    }
}

impl HttpBody for Slow {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.until_next.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        let Some(length) = self.pieces.pop_front() else { return Poll::Pending };
        self.until_next = Box::pin(sleep(self.pause));
        Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![0; length])))))
    }
}

fn one_by_one(left: usize) -> (Body, Arc<AtomicUsize>) {
    let held_at_most = Arc::<AtomicUsize>::default();
    let body = OneByOne { left, held: Arc::default(), held_at_most: Arc::clone(&held_at_most) };
    (Body::new(body), held_at_most)
}

#[tokio::test]
async fn no_piece_of_a_body_keeps_the_buffer_that_it_came_in() {
    const BYTES: usize = 3 * PIECE_BYTES + 5;
    let (body, held_at_most) = one_by_one(BYTES);
    let (request, _) = watch(Request::new(body), share());
    let mut body = request.into_body();
    let mut pieces = Vec::new();

    while let Some(frame) = body.frame().await {
        pieces.push(frame.unwrap().into_data().unwrap());
    }

    let lengths: Vec<usize> = pieces.iter().map(Bytes::len).collect();
    assert_eq!(lengths, [PIECE_BYTES, PIECE_BYTES, PIECE_BYTES, 5]);
    assert!(pieces.iter().flatten().all(|byte| *byte == b'a'));
    assert_eq!(held_at_most.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_body_that_is_there_is_told_with_its_length() {
    let (request, _) = watch(Request::new(Body::from("abc")), share());
    let body = request.into_body();

    assert_eq!((HttpBody::size_hint(&body).exact(), body.is_end_stream()), (Some(3), false));
    assert_eq!(to_bytes(body, 3).await.unwrap(), "abc");

    let (request, _) = watch(Request::new(Body::empty()), share());
    assert_eq!(request.body().size_hint().exact(), SizeHint::with_exact(0).exact());
    assert!(request.body().is_end_stream());
}

#[tokio::test]
async fn what_has_arrived_takes_room_until_the_request_is_answered() {
    const LONG: usize = 5 << 20;
    let room = Arc::<BodyRoom>::default();
    let long = || watch(Request::new(Body::from(vec![0; LONG])), room.share(HERE));
    let (mut request, arrival) = long();
    let work = RequestContext::of(request.extensions());
    assert_eq!(room.share(HERE).take(LONG), Ok(()), "nothing of it was read");
    to_bytes(mem::take(request.body_mut()), LONG).await.unwrap();
    drop(request);

    let (second, of_second) = long();
    assert!(to_bytes(second.into_body(), LONG).await.is_err());
    assert!(of_second.has_no_room() && !arrival.has_no_room());
    assert_eq!(room.share(ELSEWHERE).take(LONG), Ok(()));

    drop((arrival, of_second));
    assert_eq!(room.share(HERE).take(LONG), Err(Overloaded), "its work goes on");
    drop(work);
    let (third, of_third) = long();
    assert!(to_bytes(third.into_body(), LONG).await.is_ok() && !of_third.has_no_room());
}

/// After how many seconds a reader of this body gets the error that it takes too long.
async fn overdue_after(body: Body) -> u64 {
    let (began, (request, arrival)) = (Instant::now(), watch(Request::new(body), share()));
    tokio::select! {
        read = to_bytes(request.into_body(), usize::MAX) => panic!("{read:?}"),
        late = arrival.overdue() => {
            assert_eq!(late, Failure::LateRequest);
            began.elapsed().as_secs()
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_has_ten_seconds_and_what_its_size_explains() {
    let (byte_a_second, nothing) = (Slow::body([1; 100], 1), Slow::body([], 1));
    assert_eq!((overdue_after(byte_a_second).await, overdue_after(nothing).await), (10, 10));

    let a_short_one = Slow::body([40 * 1024], 1);
    assert_eq!(overdue_after(a_short_one).await, 15);

    let as_fast_as_must_be = Slow::body([8 * 1024; 200], 1);
    assert_eq!(overdue_after(as_fast_as_must_be).await, 90);
}

#[tokio::test(start_paused = true)]
async fn an_unread_or_complete_body_leaves_time_for_the_answer() {
    let began = Instant::now();
    let (_unread, arrival) = watch(Request::new(Slow::body([1], 1)), share());
    assert_eq!(arrival.overdue().await, Failure::LateAnswer);
    assert_eq!(began.elapsed().as_secs(), 30);

    let began = Instant::now();
    let (request, arrival) = watch(Request::new(Body::from("there")), share());
    tokio::time::advance(Duration::from_secs(5)).await;
    to_bytes(request.into_body(), 5).await.unwrap();
    assert_eq!(arrival.overdue().await, Failure::LateAnswer);
    assert_eq!(began.elapsed().as_secs(), 35);
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_gives_up_is_not_kept_waiting_for_the_body() {
    let (request, arrival) = watch(Request::new(Slow::body([1], 1)), share());
    let mut body = request.into_body();
    let began =
        poll_fn(|context| Poll::Ready(Pin::new(&mut body).poll_frame(context).is_pending()));
    assert!(began.await);
    let began = Instant::now();

    drop(body);
    arrival.overdue().await;

    assert_eq!(began.elapsed().as_secs(), 30);
}
