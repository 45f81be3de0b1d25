//! Request bodies as they arrive. The library hands on what came in one packet as a piece that keeps its whole read buffer alive, and all
//! readers collect pieces: bytes sent one by one would cost some thousand times their number. So pieces are copied together here, before
//! any reader sees them. A body has only as much time as its size explains, because a slow sender holds a connection and memory. What has arrived
//! counts in the room for bodies (`app::BodyRoom`) until the request is answered.

use std::mem;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use app::{BodyShare, Overloaded};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, sleep_until};

use crate::failure::Failure;

/// What readers get at once. Most bodies are one such piece; of longer ones the reader makes one buffer in the end.
const PIECE_BYTES: usize = 16 * 1024;

/// For the first bytes of a body, on whatever line.
const TIME_TO_BEGIN: Duration = Duration::from_secs(10);

/// Slower than any real connection of a browser or program. A form arrives long before its first ten seconds are over.
const BYTES_PER_SECOND_AT_LEAST: u64 = 8 * 1024;

/// For the longest body. The connection has two minutes for request and answer together.
const TIME_AT_MOST: Duration = Duration::from_secs(90);

/// Everything we do ourselves takes well under a second.
const TIME_TO_ANSWER: Duration = Duration::from_secs(30);

/// How much of a request's body has arrived, for the waiting handler, and its share of the room for bodies.
pub(crate) struct Arrival {
    progress: Mutex<Progress>,
    share: BodyShare,
    has_no_room: AtomicBool,
}

/// Goes with the work of a request: while any of them is there, the bytes of the body count.
#[derive(Clone)]
pub(crate) struct HeldBody {
    _arrival: Arc<Arrival>,
}

#[derive(Clone, Copy)]
enum Progress {
    /// No reader has asked for the body.
    Unread { since: Instant },
    /// A reader waits for more of it.
    Arriving { since: Instant, bytes: u64 },
    /// It has arrived, or never will.
    Over { since: Instant },
}

/// A body whose pieces are copied together.
struct ArrivingBody {
    body: Body,
    gathered: Vec<u8>,
    has_ended: bool,
    arrival: Arc<Arrival>,
}

/// Has the body of a request arrive in few pieces, as far as there is room for it.
pub(crate) fn watch(mut request: Request, share: BodyShare) -> (Request, Arc<Arrival>) {
    let since = Instant::now();
    let is_empty = request.body().is_end_stream();
    let progress = if is_empty { Progress::Over { since } } else { Progress::Unread { since } };
    let progress = Mutex::new(progress);
    let arrival = Arc::new(Arrival { progress, share, has_no_room: AtomicBool::new(false) });
    if is_empty {
        return (request, arrival);
    }
    request.extensions_mut().insert(HeldBody { _arrival: Arc::clone(&arrival) });
    let watched = Arc::clone(&arrival);
    let request = request.map(|body| {
        let gathered = Vec::new();
        Body::new(ArrivingBody { body, gathered, has_ended: false, arrival: watched })
    });
    (request, arrival)
}

impl Arrival {
    /// Waits until the body takes longer than its size explains, or the answer to it longer than it may, and tells which.
    pub(crate) async fn overdue(&self) -> Failure {
        loop {
            let progress = *self.progress();
            let deadline = progress.deadline();
            if deadline <= Instant::now() {
                return progress.missing();
            }
            // What happens meanwhile moves the deadline, in either direction.
            sleep_until(deadline.min(Instant::now() + TIME_TO_BEGIN)).await;
        }
    }

    /// Whether the reader got an error in place of the body because there was no room for it.
    pub(crate) fn has_no_room(&self) -> bool {
        self.has_no_room.load(Ordering::Relaxed)
    }

    /// Takes room for bytes that have come.
    fn take_room(&self, bytes: usize) -> Result<(), Overloaded> {
        self.share.take(bytes).inspect_err(|_| self.has_no_room.store(true, Ordering::Relaxed))
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reader asks for more, and this many bytes have come.
    fn note(&self, arrived: usize) {
        let arrived = u64::try_from(arrived).unwrap_or(u64::MAX);
        let mut progress = self.progress();
        *progress = match *progress {
            Progress::Unread { .. } => Progress::Arriving { since: Instant::now(), bytes: arrived },
            Progress::Arriving { since, bytes } => {
                Progress::Arriving { since, bytes: bytes.saturating_add(arrived) }
            }
            Progress::Over { since } => Progress::Over { since },
        };
    }

    fn is_over(&self) {
        *self.progress() = Progress::Over { since: Instant::now() };
    }
}

impl Progress {
    /// What is late once the deadline is over.
    fn missing(self) -> Failure {
        match self {
            Self::Arriving { .. } => Failure::LateRequest,
            Self::Unread { .. } | Self::Over { .. } => Failure::LateAnswer,
        }
    }

    fn deadline(self) -> Instant {
        match self {
            Self::Unread { since } | Self::Over { since } => since + TIME_TO_ANSWER,
            Self::Arriving { since, bytes } => {
                let earned = Duration::from_secs(bytes / BYTES_PER_SECOND_AT_LEAST);
                since + TIME_AT_MOST.min(TIME_TO_BEGIN + earned)
            }
        }
    }
}

impl ArrivingBody {
    fn take_gathered(&mut self) -> Frame<Bytes> {
        // A vector may have twice the memory that it needs.
        Frame::data(Bytes::from(mem::take(&mut self.gathered).into_boxed_slice()))
    }

    /// Collects the arrived bytes; returns a piece once there are enough for one, or an error.
    fn gather(
        &mut self,
        arrived: Option<Result<Frame<Bytes>, axum::Error>>,
    ) -> Option<Result<Frame<Bytes>, axum::Error>> {
        match arrived {
            Some(Ok(frame)) => {
                // No reader wants anything after a body.
                let piece = frame.into_data().ok()?;
                if let Err(overloaded) = self.arrival.take_room(piece.len()) {
                    return Some(Err(self.fail(axum::Error::new(overloaded))));
                }
                self.gathered.extend_from_slice(&piece);
                self.arrival.note(piece.len());
                (self.gathered.len() >= PIECE_BYTES).then(|| Ok(self.take_gathered()))
            }
            Some(Err(error)) => Some(Err(self.fail(error))),
            None => {
                self.end();
                None
            }
        }
    }

    fn fail(&mut self, error: axum::Error) -> axum::Error {
        self.gathered = Vec::new();
        self.end();
        error
    }

    fn end(&mut self) {
        self.has_ended = true;
        self.arrival.is_over();
    }
}

impl HttpBody for ArrivingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        while !self.has_ended {
            let Poll::Ready(arrived) = Pin::new(&mut self.body).poll_frame(context) else {
                self.arrival.note(0);
                return Poll::Pending;
            };
            if let Some(given) = self.gather(arrived) {
                return Poll::Ready(Some(given));
            }
        }
        let is_rest = !self.gathered.is_empty();
        Poll::Ready(is_rest.then(|| Ok(self.take_gathered())))
    }

    fn is_end_stream(&self) -> bool {
        self.gathered.is_empty() && (self.has_ended || self.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let gathered = u64::try_from(self.gathered.len()).unwrap_or(u64::MAX);
        let rest = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(rest.lower().saturating_add(gathered));
        if let Some(upper) = rest.upper() {
            hint.set_upper(upper.saturating_add(gathered));
        }
        hint
    }
}

/// Its reader wants no more of it.
impl Drop for ArrivingBody {
    fn drop(&mut self) {
        if !self.has_ended {
            self.arrival.is_over();
        }
    }
}

#[cfg(test)]
mod tests;
