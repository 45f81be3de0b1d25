//! Whose traces they are: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`.

use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::TelemetryResourceDetector;
use percent_encoding::percent_decode_str;

use super::settings::Reader;

const ATTRIBUTES: &str = "OTEL_RESOURCE_ATTRIBUTES";

/// This server, and what the operator says of it, which goes before what we say.
pub(super) fn of(reader: &mut Reader<'_>) -> Resource {
    let told = reader.text(ATTRIBUTES).unwrap_or_default();
    let attributes = attributes(&told).unwrap_or_else(|| {
        reader.ignore(ATTRIBUTES, "`name=value,name=value`, percent-encoded", &told);
        Vec::new()
    });
    let resource = Resource::builder_empty()
        .with_detector(Box::new(TelemetryResourceDetector))
        .with_service_name(env!("CARGO_BIN_NAME"))
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attributes(attributes);
    match reader.text("OTEL_SERVICE_NAME") {
        Some(name) => resource.with_service_name(name).build(),
        None => resource.build(),
    }
}

/// All of them or none, as the specification wants it.
fn attributes(list: &str) -> Option<Vec<KeyValue>> {
    let pairs = list.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=')?;
            let value = percent_decode_str(value.trim()).decode_utf8().ok()?;
            Some(KeyValue::new(name.trim().to_owned(), value.into_owned()))
        })
        .collect()
}
