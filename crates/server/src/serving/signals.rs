//! Signals to the process: SIGINT and SIGTERM to stop, SIGHUP to reload the certificate.

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Tls;
use crate::failure::Failure;

/// What was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    ToStop,
    ToReload,
}

/// Listens for signals from the moment it is made.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Option<Signal>,
}

impl Signals {
    /// Without a certificate there is nothing to reload, and SIGHUP means what it always does: the terminal has gone.
    pub(crate) fn listen(tls: Option<&Tls>) -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(Failure::environment);
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: tls.map(|_| listen(SignalKind::hangup())).transpose()?,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) -> Told {
        let hung_up = async {
            match &mut self.hang_up {
                Some(hang_up) => hang_up.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => Told::ToStop,
            _ = self.terminate.recv() => Told::ToStop,
            _ = hung_up => Told::ToReload,
        }
    }
}
