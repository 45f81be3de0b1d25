//! Signals to the process: SIGINT and SIGTERM to stop, SIGHUP to read its files again.

use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// What a signal asks of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalAction {
    Stop,
    Reload,
}

/// Listens for signals from the moment it is made. SIGHUP never ends the process, with or without files to read again:
/// scripts that rotate certificates and logs send it to every server.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    pub(crate) fn listen() -> Result<Self, Failure> {
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: hang_up()?,
        })
    }

    /// Waits until one asks the process to stop.
    pub(crate) async fn stop(&mut self) {
        while self.next().await != SignalAction::Stop {}
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) -> SignalAction {
        tokio::select! {
            _ = self.interrupt.recv() => SignalAction::Stop,
            _ = self.terminate.recv() => SignalAction::Stop,
            _ = self.hang_up.recv() => SignalAction::Reload,
        }
    }
}

/// Each SIGHUP from now on.
pub(crate) fn hang_up() -> Result<Signal, Failure> {
    listen(SignalKind::hangup())
}

/// From now on, SIGHUP does not end this process. What it asks for before a server listens for it, the start does anyway: it reads all files.
pub(crate) fn outlive_hang_ups() {
    let runtime = runtime::Builder::new_current_thread().enable_io().build();
    let Ok(runtime) = runtime else { return };
    let _entered = runtime.enter();
    // The process keeps the handler. Why there is none, `Signals::listen` says.
    let _heard = signal(SignalKind::hangup());
}

fn listen(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(Failure::environment)
}
