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

/// What the process opens beside connections: some 30 while it is idle, and more to read the database and files of events.
const OTHER_FILES: u64 = 128;

/// With fewer, connections are few, and reads may find no file left.
const FILES_ADVISED: u64 = 256;

/// What to do about few files.
pub(crate) const MORE_FILES: &str = "raise `LimitNOFILE=` of the service, or `ulimit -n`";

impl Limits {
    /// Those of a server whose operator says nothing else.
    pub(crate) fn of_this_machine() -> Self {
        let files = files_at_most();
        if let Some(told) = few_files(files) {
            tracing::warn!("{told}; hint: {MORE_FILES}");
        }
        Self {
            connections: usize::try_from(connections_with(files)).unwrap_or(usize::MAX),
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

/// Where there are few files, a part of them is for connections all the same.
fn connections_with(files: u64) -> u64 {
    let others = OTHER_FILES.min(files / 3 * 2);
    files.saturating_sub(others).clamp(1, CONNECTIONS_AT_MOST)
}

/// What is wrong with so many files for a process; `None` if they are enough.
pub(crate) fn few_files(files: u64) -> Option<String> {
    (files < FILES_ADVISED).then(|| {
        let connections = connections_with(files);
        format!("the process may open {files} files, which leaves {connections} connections")
    })
}

/// How many files a server that is started in the same way may open.
pub(crate) fn files_allowed() -> u64 {
    getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX)
}

/// How many files the process may open, after asking for as many as it may ask for: the usual limit is meant for programs that wait for
/// all of them at once with `select`.
fn files_at_most() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let allowed = if raised.is_ok() { maximum } else { current };
    allowed.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{connections_with, few_files};

    #[test]
    fn a_third_of_few_files_is_for_connections() {
        let connections = [64, 100, 255, 1_024, u64::MAX].map(connections_with);

        assert_eq!(connections, [22, 34, 127, 896, 10_000]);
        let told = few_files(64).unwrap();
        assert_eq!(told, "the process may open 64 files, which leaves 22 connections");
        assert_eq!(few_files(256), None);
    }
}
