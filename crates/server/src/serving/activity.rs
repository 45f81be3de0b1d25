//! The activity of a connection, and since when.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, sleep_until};

use super::limits::Limits;

/// The activity of one connection.
#[derive(Debug)]
pub(crate) struct Activity(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Requests that have arrived and are not answered to the last byte.
    in_flight: usize,
    /// When the newest of them began, or the last one ended.
    since: Instant,
    /// When the first byte of a request arrived that has not begun yet.
    head_began: Option<Instant>,
    /// Since when written bytes wait for the client to read them.
    blocked_since: Option<Instant>,
}

/// Why a connection must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overdue {
    /// No request needs it.
    Idle,
    /// The client sends or reads more slowly than an honest one.
    Slow,
}

impl Activity {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(State {
            in_flight: 0,
            since: Instant::now(),
            head_began: None,
            blocked_since: None,
        }))
    }

    /// Bytes have arrived that belong to the head of a request unless one is in flight.
    pub(crate) fn note_bytes(&self) {
        let mut state = self.state();
        if state.in_flight == 0 {
            state.head_began.get_or_insert_with(Instant::now);
        }
    }

    /// The client does not read what we write. The library has buffered the rest of an answer, and is done with its body.
    pub(crate) fn note_blocked(&self) {
        self.state().blocked_since.get_or_insert_with(Instant::now);
    }

    /// The client has read everything.
    pub(crate) fn note_flushed(&self) {
        self.state().blocked_since = None;
    }

    /// A request has begun. It ends when what is returned is dropped.
    pub(crate) fn begin_request(self: &Arc<Self>) -> InFlight {
        let mut state = self.state();
        state.in_flight += 1;
        state.since = Instant::now();
        state.head_began = None;
        InFlight(Arc::clone(self))
    }

    /// Since when the connection has been idle, if it is.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.in_flight == 0 && state.blocked_since.is_none()).then_some(state.since)
    }

    /// Waits until one of the limits is exceeded.
    pub(crate) async fn overdue(&self, limits: &Limits) -> Overdue {
        loop {
            let (deadline, overdue) = self.deadline(limits);
            if deadline <= Instant::now() {
                return overdue;
            }
            // A request's head has the shortest limit, so it is checked more often.
            sleep_until(deadline.min(Instant::now() + limits.head)).await;
        }
    }

    fn deadline(&self, limits: &Limits) -> (Instant, Overdue) {
        let state = self.state();
        match (state.in_flight, state.blocked_since, state.head_began) {
            (0, Some(blocked), _) => (blocked + limits.answer, Overdue::Slow),
            (0, None, Some(began)) => (began + limits.head, Overdue::Slow),
            (0, None, None) => (state.since + limits.idle, Overdue::Idle),
            (_, _, _) => (state.since + limits.answer, Overdue::Slow),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(crate) struct InFlight(Arc<Activity>);

impl InFlight {
    /// The body of its answer, with whose last byte it ends.
    pub(crate) fn until_sent(self, body: Body) -> AnswerBody {
        AnswerBody { body, _in_flight: self }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.in_flight -= 1;
        state.since = Instant::now();
    }
}

/// The body of an answer.
pub(crate) struct AnswerBody {
    body: Body,
    _in_flight: InFlight,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
