//! Logs: lines on standard error, for people or for programs. `ASSAY_LOG` sets what is shown, such as `warn`, `info` (each request too) or
//! `storage=debug`.

mod json;

use std::io::IsTerminal as _;
use std::panic::PanicHookInfo;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use storage::TRACED;
use tracing::{Level, Metadata};
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{FilterExt as _, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, Registry, fmt};

use self::json::WithTrace;
use crate::monitoring::Operations;
use crate::output;
use crate::traces::Traces;

/// The server's own acts, what becomes of its database, and errors anywhere. A fault in a member's passkey is not ours, and refusals are in the audit
/// log. A folder that was watched and is gone, as after each deployment by a link, is no fault.
const DEFAULT: &str = "warn,assay=info,storage=info,webauthn_rs_core=off,notify=error";

/// What `ASSAY_LOG` adds to.
const ERRORS: &str = "error,webauthn_rs_core=off";

/// The client for HTTP logs whole addresses, of which those of webhooks may be secrets: it never logs anything, whatever `ASSAY_LOG` says.
const SILENT: [&str; 2] = ["ureq", "ureq_proto"];

/// Ours, which log no secrets. Below `info`, libraries log what they are given: that of PostgreSQL each value that is stored, keys and
/// password hashes too.
const OWN: [&str; 14] = [
    "api", "app", "assay", "console", "decide", "domain", "events", "import", "lake", "oauth",
    "snippet", "stats", "storage", "web",
];

/// Lines that wait until they are written. Where no program reads the log, further ones are lost, and no request waits for it.
const LINES_WAITING_AT_MOST: usize = 10_000;

/// What a process that ends waits for its last lines: longer than the library waits for its thread.
const WRITTEN_WITHIN: Duration = Duration::from_secs(2);

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// One JSON object in each line.
    Json,
}

#[expect(clippy::disallowed_methods, reason = "the log begins before anything else")]
fn asked() -> Option<String> {
    std::env::var("ASSAY_LOG").ok()
}

/// What is asked for, or the default. A word that names no part of Assay would leave errors out.
fn filter(asked: Option<String>) -> EnvFilter {
    let Some(asked) = asked.filter(|asked| !asked.is_empty()) else {
        return EnvFilter::new(DEFAULT);
    };
    EnvFilter::try_new(format!("{ERRORS},{asked}")).unwrap_or_else(|error| {
        output::complain(format_args!("warning: ASSAY_LOG: {error}; `{DEFAULT}` holds"));
        EnvFilter::new(DEFAULT)
    })
}

/// These tell at `info` of each attempt that failed, and make another; what comes of it is told once, by us.
const REPEATING: [&str; 1] = ["object_store"];

/// Whether a line may be logged: libraries tell nothing below `info`, and some nothing below `warn`. Names are compared whole, since `web` also begins `webauthn_rs`.
fn is_loggable(line: &Metadata<'_>) -> bool {
    let package = line.target().split("::").next().unwrap_or_default();
    let at_least = if REPEATING.contains(&package) { Level::WARN } else { Level::INFO };
    *line.level() <= at_least || OWN.contains(&package)
}

/// The log of a process; what waits is written when this is dropped.
pub(crate) struct Log {
    lost: ErrorCounter,
    guard: Option<WorkerGuard>,
}

impl Log {
    /// The lines that no program read in time.
    pub(crate) fn lost(&self) -> ErrorCounter {
        self.lost.clone()
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let (writes, written) = mpsc::channel::<()>();
        let guard = self.guard.take();
        // The library tells standard output when too much waits, and that may be the pipe that no program reads.
        thread::spawn(move || {
            drop(guard);
            drop(writes);
        });
        let _written_or_late = written.recv_timeout(WRITTEN_WITHIN);
    }
}

/// Starts logging for the process, and traces and metrics of operations if there are any.
pub(crate) fn start(
    format: LogFormat,
    traces: Option<&Traces>,
    operations: Option<&Operations>,
) -> Log {
    let filter = filter(asked());
    // Spans are for the collector and the metrics alone.
    let filter = SILENT.iter().chain([&TRACED]).fold(filter, |filter, silent| {
        filter.add_directive(format!("{silent}=off").parse().expect("a constant directive"))
    });
    let (writer, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(LINES_WAITING_AT_MOST)
        .thread_name("log")
        .finish(std::io::stderr());
    let lost = writer.error_counter();
    let lines = fmt::layer::<Registry>()
        // If the log cannot be written, as on a full disk, the complaint would go to the same place, and panic.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(writer);
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_span_list(false);
            lines.map_event_format(WithTrace).boxed()
        }
    };
    let lines = lines.with_filter(filter.and(filter_fn(is_loggable)));
    // A second start (there is none but in tests) keeps the first subscriber.
    let _already_started = tracing_subscriber::registry()
        .with(lines)
        .with(traces.map(Traces::layer))
        .with(operations.map(Operations::layer))
        .try_init();
    std::panic::set_hook(Box::new(tell_of_panic));
    Log { lost, guard: Some(guard) }
}

/// The location of a panic without its message, which may contain a request with its secrets.
fn tell_of_panic(panic: &PanicHookInfo<'_>) {
    if let Some(place) = panic.location() {
        tracing::error!("panicked at {place}");
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::panic::catch_unwind;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::Layer as _;
    use tracing_subscriber::filter::{FilterExt as _, filter_fn};
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::{filter, is_loggable, tell_of_panic};

    /// Keeps what is written.
    #[derive(Clone, Default)]
    struct LogBuffer(Arc<Mutex<Vec<u8>>>);

    impl Write for LogBuffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_word_that_names_nothing_leaves_errors_in_the_log() {
        let has = |asked: &str, level: &str| {
            filter(Some(asked.to_owned())).to_string().split(',').any(|one| one == level)
        };

        assert!(has("inof", "error"));
        for level in ["warn", "off"] {
            assert!(has(level, level) && !has(level, "error"), "{level} is what was asked for");
        }
    }

    #[test]
    fn an_unreadable_log_filter_falls_back_to_the_default() {
        let default = filter(None).to_string();

        for asked in ["assay=loud", ""] {
            assert_eq!(filter(Some(asked.to_owned())).to_string(), default, "{asked}");
        }
    }

    #[test]
    fn libraries_tell_nothing_below_info() {
        let buffer = LogBuffer::default();
        let writer = buffer.clone();
        let lines = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
        let all = filter(Some("trace".to_owned())).and(filter_fn(is_loggable));
        let subscriber = tracing_subscriber::registry().with(lines.with_filter(all));

        tracing::subscriber::with_default(subscriber, || {
            tracing::debug!(target: "tokio_postgres::query", "parameters: [secret]");
            tracing::debug!(target: "webauthn_rs::core", "challenge: secret");
            tracing::info!(target: "tokio_postgres", "a notice");
            tracing::info!(target: "object_store::client::retry", "one more attempt");
            tracing::warn!(target: "object_store::client::retry", "a warning");
            tracing::debug!(target: "storage::postgres", "our own");
        });

        let told = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
        assert!(told.contains("a notice") && told.contains("our own"), "{told}");
        assert!(told.contains("a warning") && !told.contains("one more attempt"), "{told}");
        assert!(!told.contains("secret"), "{told}");
    }

    #[test]
    fn a_panic_is_told_by_its_place_and_not_by_what_was_at_hand() {
        let buffer = LogBuffer::default();
        let writer = buffer.clone();
        let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(tell_of_panic));

        let panicked = tracing::subscriber::with_default(subscriber, || {
            catch_unwind(|| panic!("/oauth2/token?client_secret={}", "assay_cs_1"))
        });

        std::panic::set_hook(hook);
        assert!(panicked.is_err());
        let told = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
        assert!(told.contains("panicked at crates/server/src/logging.rs"), "{told}");
        assert!(!told.contains("client_secret") && !told.contains("assay_cs_1"), "{told}");
    }
}
