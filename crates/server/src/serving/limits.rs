//! What a connection may cost. Tests hand in smaller limits.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// How many connections there may be, and how long each may do what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// At once. Above that, those that have been idle for longest make room.
    pub(crate) connections: usize,
    /// Of one address (of an IPv6 address: its network) that is no trusted proxy.
    pub(crate) per_address: usize,
    /// From the first byte to the end of the TLS handshake.
    pub(crate) handshake: Duration,
    /// From the first byte of a request to the end of its head.
    pub(crate) head: Duration,
    /// Between two requests.
    pub(crate) idle: Duration,
    /// From the head of a request to the last byte of its answer. The edges give up on a request much earlier; the rest is for
    /// clients that read slowly.
    pub(crate) answer: Duration,
    /// From the signal to stop, for balancers to send requests elsewhere.
    pub(crate) drain: Duration,
    /// For running requests when a connection must end.
    pub(crate) grace: Duration,
    /// Before we try again if the machine cannot accept a connection.
    pub(crate) pause: Duration,
}

/// Some 30 kB each, 300 MB if all are there. A site under load has hundreds; proxies share theirs.
const CONNECTIONS_AT_MOST: u64 = 10_000;

/// A tenth of all. A browser has six; a whole office behind one address has hundreds, most of which are idle and can be closed.
pub(crate) const CONNECTIONS_PER_ADDRESS: usize = 1_000;

/// Unless an operator says otherwise. Longer than common proxies keep a connection that they may use again (two minutes), so that none is closed
/// at the moment in which they do.
pub(crate) const IDLE_SECONDS: u32 = 130;

/// What the process opens beside connections: the database, the project file's folder, standard streams.
const OTHER_FILES: u64 = 128;

impl Limits {
    /// Those of a server whose operator says nothing else.
    pub(crate) fn of_this_machine() -> Self {
        let connections = files_at_most().saturating_sub(OTHER_FILES).clamp(1, CONNECTIONS_AT_MOST);
        Self {
            connections: usize::try_from(connections).unwrap_or(usize::MAX),
            per_address: CONNECTIONS_PER_ADDRESS,
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(15),
            idle: Duration::from_secs(IDLE_SECONDS.into()),
            answer: Duration::from_mins(2),
            drain: Duration::ZERO,
            grace: Duration::from_secs(10),
            pause: Duration::from_millis(100),
        }
    }
}

/// How many files the process may open, after asking for as many as it may ask for: the usual limit is meant for programs that wait for
/// all of them at once with `select`.
fn files_at_most() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let allowed = if raised.is_ok() { maximum } else { current };
    allowed.unwrap_or(u64::MAX)
}
