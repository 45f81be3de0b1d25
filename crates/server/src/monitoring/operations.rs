//! How long operations take: those of the store, and computations. They are the spans that traces are made of, timed whether or not there are traces, and
//! also where no request waits for them.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use crate::traces::{ROOT, is_traced};

/// There are some hundred operations: few steps tell whether one has become slow.
const SECONDS: [f64; 5] = [0.001, 0.01, 0.1, 1.0, 10.0];

/// The durations of operations in this process.
#[derive(Clone)]
pub(crate) struct Operations {
    durations: Family<Labels, Histogram>,
    registry: Arc<Registry>,
}

/// Both come from the code: what is asked for changes neither.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    operation: String,
    result: &'static str,
}

impl Default for Operations {
    fn default() -> Self {
        let durations = Family::new_with_constructor((|| Histogram::new(SECONDS)) as fn() -> _);
        let mut registry = Registry::with_prefix("assay");
        registry.register_with_unit(
            "operation_duration",
            "Time of operations of the store and of computations",
            Unit::Seconds,
            durations.clone(),
        );
        Self { durations, registry: Arc::new(registry) }
    }
}

impl Operations {
    /// Times the spans of operations.
    pub(crate) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        Timing(self.clone()).with_filter(filter_fn(is_operation))
    }

    /// Writes them in the text format of Prometheus, without its end.
    pub(super) fn write_to(&self, writer: &mut impl fmt::Write) -> fmt::Result {
        encode_registry(writer, &self.registry)
    }
}

/// A request has metrics of its own.
fn is_operation(of: &Metadata<'_>) -> bool {
    is_traced(of) && of.name() != ROOT
}

struct Timing(Operations);

/// An operation that is going on.
struct Begun {
    at: Instant,
    told: Told,
}

/// What a span tells of its operation.
#[derive(Default)]
struct Told {
    name: String,
    has_failed: bool,
}

impl Visit for Told {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "otel.name" => value.clone_into(&mut self.name),
            "error.type" => self.has_failed = true,
            _ => {}
        }
    }

    fn record_debug(&mut self, _field: &Field, _value: &dyn fmt::Debug) {}
}

impl<S> Layer<S> for Timing
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut told = Told::default();
        attributes.record(&mut told);
        span.extensions_mut().insert(Begun { at: Instant::now(), told });
    }

    fn on_record(&self, id: &Id, record: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(begun) = span.extensions_mut().get_mut::<Begun>() {
            record.record(&mut begun.told);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let begun = context.span(&id).and_then(|span| span.extensions_mut().remove::<Begun>());
        let Some(Begun { at, told: Told { name, has_failed } }) = begun else { return };
        let result = if has_failed { "failed" } else { "ok" };
        let labels = Labels { operation: name, result };
        self.0.durations.get_or_create(&labels).observe(at.elapsed().as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use storage::TRACED;
    use tracing::field::Empty;
    use tracing::info_span;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::Operations;

    #[test]
    fn an_operation_is_counted_by_its_name_and_by_what_came_of_it() {
        let operations = Operations::default();
        let subscriber = tracing_subscriber::registry().with(operations.layer());

        tracing::subscriber::with_default(subscriber, || {
            let span = || {
                let name = "find_project";
                info_span!(target: TRACED, "storage", otel.name = name, error.type = Empty)
            };
            drop((span(), span()));
            span().record("error.type", "busy");
            drop(info_span!(target: TRACED, "request", otel.name = "GET /v1/projects"));
            drop(info_span!("a line of the log", otel.name = "line"));
        });

        let mut text = String::new();
        operations.write_to(&mut text).unwrap();
        let counts: Vec<_> = text.lines().filter(|line| line.contains("_count")).collect();
        for (result, count) in [("ok", 2), ("failed", 1)] {
            let labels = format!(r#"{{operation="find_project",result="{result}"}}"#);
            let line = format!("assay_operation_duration_seconds_count{labels} {count}");
            assert!(counts.contains(&line.as_str()), "{text}");
        }
        assert_eq!(counts.len(), 2, "{text}");
    }
}
