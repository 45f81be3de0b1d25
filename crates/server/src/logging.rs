//! Logs: lines on standard error. `ASSAY_LOG` sets what is shown, such as `warn`, `info` (each request too) or `storage=debug`.

use std::io::IsTerminal as _;
use std::panic::PanicHookInfo;

use tracing_subscriber::EnvFilter;

/// What the server itself does, and what goes wrong anywhere.
const DEFAULT: &str = "warn,assay=info";

/// Starts logging for the process.
pub(crate) fn start() {
    let filter = EnvFilter::try_from_env("ASSAY_LOG").unwrap_or_else(|_| EnvFilter::new(DEFAULT));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    // A second start (there is none but in tests) keeps the first subscriber.
    let _already_started = subscriber.try_init();
    std::panic::set_hook(Box::new(tell_of_panic));
}

/// Where it happened, and nothing of what was at hand there: that may be a request with its secrets.
fn tell_of_panic(panic: &PanicHookInfo<'_>) {
    if let Some(place) = panic.location() {
        tracing::error!("panicked at {place}");
    }
}
