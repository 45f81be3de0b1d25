//! Traces of requests in the form of OpenTelemetry (docs/monitoring.md). The spans come from `web` (the request), `app` and `storage` (what it waits
//! for), with the target [`TRACED`]; here they become parts of a trace and go to a collector. The operator turns that on by the variables
//! that OpenTelemetry names (`traces/settings.rs`).

mod collector;
mod headers;
mod parent;
mod resource;
mod sampling;
mod settings;

use std::time::Duration;

use app::App;
use axum::Router;
use axum::middleware::from_fn;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{
    ExporterBuildError, Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::trace::{BatchSpanProcessor, SdkTracerProvider};
use storage::TRACED;
use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::registry::LookupSpan;

use self::collector::Collector;
use self::settings::Settings;
use crate::failure::Failure;

/// How long a process that stops waits for a collector that does not answer. Service managers kill after a minute or more.
const FLUSHED_WITHIN: Duration = Duration::from_secs(5);

/// The span with which a trace begins in this process. Work in the background has none, and no trace.
pub(crate) const ROOT: &str = "request";

/// Where spans become traces.
pub(crate) struct Traces {
    provider: SdkTracerProvider,
    collector: Collector,
    is_continued: bool,
    ignored: Vec<String>,
}

impl Traces {
    /// Traces as the environment wants them; `None` unless it asks for traces.
    pub(crate) fn by_environment() -> Result<Option<Self>, Failure> {
        let Some(settings) = Settings::read(&variable)? else { return Ok(None) };
        let collector = Collector::new(&settings);
        let exporter = exporter(&settings, collector.clone()).map_err(Failure::environment)?;
        let batches = BatchSpanProcessor::builder(exporter).with_batch_config(settings.batches);
        let provider = SdkTracerProvider::builder()
            .with_sampler(settings.sampler)
            .with_resource(settings.resource)
            .with_span_processor(batches.build())
            .build();
        let Settings { is_continued, ignored, .. } = settings;
        Ok(Some(Self { provider, collector, is_continued, ignored }))
    }

    /// Makes traces of spans. Their events, the lines of the log, stay out.
    pub(crate) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let filter = dynamic_filter_fn(|of: &Metadata<'_>, within| {
            is_traced(of) && (of.name() == ROOT || within.lookup_current().is_some())
        });
        let filter = filter.with_max_level_hint(LevelFilter::INFO).with_callsite_filter(|of| {
            if is_traced(of) { Interest::sometimes() } else { Interest::never() }
        });
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer(env!("CARGO_BIN_NAME")))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_filter(filter)
    }

    /// Logs which variables have no effect, and why.
    pub(crate) fn tell_what_is_ignored(&self) {
        for ignored in &self.ignored {
            tracing::warn!("{ignored}");
        }
    }

    /// Counts what the collector does not take.
    pub(crate) fn count_failures(&self, app: App) {
        self.collector.count_failures(app);
    }

    /// Lets requests continue the trace of their caller.
    pub(crate) fn continued(&self, routes: Router) -> Router {
        if self.is_continued { routes.layer(from_fn(parent::continue_trace)) } else { routes }
    }

    /// Sends what has not been sent. Waits for that, so that no async thread may call it.
    pub(crate) fn flush(self) {
        // What the collector does not take has been logged.
        let _sent = self.provider.shutdown_with_timeout(FLUSHED_WITHIN);
    }
}

/// Whether something is a span that traces are made of.
pub(crate) fn is_traced(of: &Metadata<'_>) -> bool {
    of.is_span() && of.target() == TRACED
}

fn exporter(settings: &Settings, collector: Collector) -> Result<SpanExporter, ExporterBuildError> {
    SpanExporter::builder()
        .with_http()
        .with_http_client(collector)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(settings.endpoint.as_str())
        .with_headers(settings.headers.clone())
        .with_timeout(settings.timeout)
        .build()
}

/// A variable of the environment; an empty one counts as absent, by OpenTelemetry's rules.
#[expect(clippy::disallowed_methods, reason = "OpenTelemetry names the variables")]
fn variable(name: &str) -> Option<String> {
    let value = std::env::var(name).ok()?;
    let value = value.trim();
    (!value.is_empty()).then(|| value.to_owned())
}
