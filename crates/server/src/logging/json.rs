//! Lines of the log for programs: what happened as one JSON object, with the trace that it is part of.

use std::fmt;

use opentelemetry::Context;
use opentelemetry::trace::TraceContextExt as _;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{Format, Json, JsonFields, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent};
use tracing_subscriber::registry::LookupSpan;

/// Adds `trace_id` and `span_id` to the line of what happens in a trace, where OpenTelemetry's conventions for JSON want them.
pub(super) struct WithTrace(pub(super) Format<Json>);

impl<S> FormatEvent<S, JsonFields> for WithTrace
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let current = Context::current();
        let span = current.span().span_context().clone();
        if !span.is_valid() {
            return self.0.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.0.format_event(context, Writer::new(&mut line), event)?;
        let Some(fields) = line.strip_suffix("}\n") else { return writer.write_str(&line) };
        let (trace, span) = (span.trace_id(), span.span_id());
        writeln!(writer, "{fields},\"trace_id\":\"{trace}\",\"span_id\":\"{span}\"}}")
    }
}
