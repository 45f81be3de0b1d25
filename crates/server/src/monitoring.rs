//! `GET /metrics` at an address of its own: what `app` counts, and how the process and its database are (docs/monitoring.md).

mod operations;
mod process;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use app::{App, BackgroundTask};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use oauth::Timestamp;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use storage::DatabaseLoad;
use tokio::net::TcpListener;
use tracing_appender::non_blocking::ErrorCounter;
use web::Ingress;

pub(crate) use self::operations::Operations;
use self::process::Process;
use crate::failure::Failure;
use crate::serving::{self, Limits, Server, Tls};

/// One Prometheus has one connection, and an operator looks at times.
const CONNECTIONS_AT_MOST: usize = 16;

/// The format that Prometheus asks for first.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The socket, before anything is served there.
pub(crate) struct Metrics {
    listener: TcpListener,
    listening: SocketAddr,
    started_at: Timestamp,
    log_lines_lost: ErrorCounter,
    operations: Operations,
}

/// Binds the address, if there is one.
pub(crate) async fn bind(
    wanted: Option<(SocketAddr, Operations)>,
    log_lines_lost: ErrorCounter,
) -> Result<Option<Metrics>, Failure> {
    let Some((address, operations)) = wanted else { return Ok(None) };
    let listener = serving::bind(address, "--metrics-address").await?;
    let listening = listener.local_addr().map_err(Failure::environment)?;
    let started_at = crate::clock::machine_time();
    Ok(Some(Metrics { listener, listening, started_at, log_lines_lost, operations }))
}

impl Metrics {
    /// What Prometheus asks for.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/metrics", self.listening)
    }

    /// Answers there as long as the process lives.
    pub(crate) fn serve(self, app: App, tls: Option<Arc<Tls>>, limits: Limits) {
        let Self { listener, started_at, log_lines_lost, operations, listening: _ } = self;
        let public_url = app.public_url().clone();
        let ingress = Ingress { public_url, trusted_proxies: Vec::new() };
        let watched = Watched { app, tls, started_at, log_lines_lost, operations };
        let routes = Router::new().route("/metrics", get(answer)).with_state(Arc::new(watched));
        let limits =
            Limits { connections: CONNECTIONS_AT_MOST, per_address: CONNECTIONS_AT_MOST, ..limits };
        tokio::spawn(Server { listener, tls: None, ingress, routes, limits }.serve_on());
    }
}

/// What is told of.
struct Watched {
    app: App,
    tls: Option<Arc<Tls>>,
    started_at: Timestamp,
    log_lines_lost: ErrorCounter,
    operations: Operations,
}

async fn answer(State(watched): State<Arc<Watched>>) -> Response {
    let mut text = String::new();
    match watched.write_to(&mut text) {
        Ok(()) => ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(fmt::Error) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

impl Watched {
    fn write_to(&self, text: &mut String) -> fmt::Result {
        for _ in 0..self.app.store().take_failed_checkpoints() {
            self.app.monitor().failed(BackgroundTask::Checkpoints);
        }
        self.app.monitor().write_to(text)?;
        self.operations.write_to(text)?;
        encode_registry(text, &self.of_this_moment())?;
        encode_eof(text)
    }

    /// What is looked up when Prometheus asks.
    fn of_this_moment(&self) -> Registry {
        let mut registry = Registry::default();
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("assay_build", "The version that runs", version);
        let DatabaseLoad { in_use, at_most, waiting } = self.app.store().load();
        for (name, help, value) in [
            ("in_use", "Connections to the database that work", in_use),
            ("limit", "Connections to the database that may work at once", at_most),
            ("waiting", "Operations that wait for a connection to the database", waiting),
        ] {
            let value = u64::try_from(value).unwrap_or(u64::MAX);
            gauge(&mut registry, &format!("assay_database_connections_{name}"), help, value);
        }
        if let Some(ends_at) = self.tls.as_deref().and_then(Tls::valid_until) {
            let name = "assay_tls_certificate_not_after_seconds";
            gauge(&mut registry, name, "When the certificate ends", unix_seconds(ends_at));
        }
        let lost = Counter::<u64, AtomicU64>::default();
        lost.inc_by(u64::try_from(self.log_lines_lost.dropped_lines()).unwrap_or(u64::MAX));
        registry.register(
            "assay_log_lines_lost",
            "Lines of the log that no program read in time",
            lost,
        );
        let ahead = self.app.now().as_milliseconds() - self.app.wall_time().as_milliseconds();
        let help = "How far time is ahead of the clock, after a clock that was ahead";
        let ahead = u64::try_from(ahead / 1_000).unwrap_or_default();
        gauge(&mut registry, "assay_clock_ahead_seconds", help, ahead);
        let (name, started_at) = ("process_start_time_seconds", unix_seconds(self.started_at));
        gauge(&mut registry, name, "When the process began", started_at);
        if let Some(process) = Process::read() {
            register(&process, &mut registry);
        }
        registry
    }
}

/// Under the names that the libraries of Prometheus use.
fn register(process: &Process, registry: &mut Registry) {
    let cpu = Counter::<f64, AtomicU64>::default();
    cpu.inc_by(process.cpu.as_secs_f64());
    registry.register("process_cpu_seconds", "Time on processors", cpu);
    for (name, help, value) in [
        ("process_threads", "Threads", process.threads),
        ("process_virtual_memory_bytes", "Addresses in use", process.virtual_bytes),
        ("process_resident_memory_bytes", "Memory in use", process.resident_bytes),
        ("process_open_fds", "Open files and connections", process.open_files),
    ] {
        gauge(registry, name, help, value);
    }
    if let Some(at_most) = process.files_at_most {
        let help = "Files and connections that may be open";
        gauge(registry, "process_max_fds", help, at_most);
    }
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: u64) {
    let gauge = Gauge::<u64, AtomicU64>::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}

fn unix_seconds(moment: Timestamp) -> u64 {
    u64::try_from(moment.as_milliseconds() / 1_000).unwrap_or_default()
}
