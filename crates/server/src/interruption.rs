//! Ends a command that is interrupted, and removes what it leaves unfinished first. A container's first process hears of no signal that it does
//! not wait for.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// What a shell adds to the number of the signal that ended a process.
const ENDED_BY_SIGNAL: i32 = 128;

/// Those that end a process unless it does something else about them.
const ENDING: [SignalKind; 3] =
    [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];

/// Files that are not whole yet.
#[derive(Clone, Default)]
pub(crate) struct Unfinished(Arc<Mutex<Vec<PathBuf>>>);

impl Unfinished {
    /// A signal that ends this process removes this file first, if it is there under this name.
    pub(crate) fn add(&self, path: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
    }

    fn remove(&self) {
        for path in &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            let _is_not_there = fs::remove_file(path);
        }
    }
}

/// From now on, a signal that ends this process removes first what is unfinished.
pub(crate) fn end_cleanly() -> Result<Unfinished, Failure> {
    let unfinished = Unfinished::default();
    let left = unfinished.clone();
    let runtime = runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.map_err(Failure::environment)?;
    let entered = runtime.enter();
    let ignored = ignored();
    let heard = ENDING.into_iter().filter(|kind| ignored & (1 << (kind.as_raw_value() - 1)) == 0);
    let signals = heard.map(|kind| Ok((kind, signal(kind)?))).collect::<std::io::Result<Vec<_>>>();
    let signals = signals.map_err(Failure::environment)?;
    drop(entered);
    if signals.is_empty() {
        return Ok(unfinished);
    }
    thread::spawn(move || {
        let kind = runtime.block_on(first(signals));
        left.remove();
        std::process::exit(ENDED_BY_SIGNAL + kind.as_raw_value());
    });
    Ok(unfinished)
}

async fn first(signals: Vec<(SignalKind, Signal)>) -> SignalKind {
    let waiting = signals.into_iter().map(|(kind, mut signal)| {
        Box::pin(async move {
            signal.recv().await;
            kind
        })
    });
    futures_util::future::select_all(waiting).await.0
}

/// The signals that this process was started to ignore, as by `nohup`, a bit for each. Only Linux tells.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
