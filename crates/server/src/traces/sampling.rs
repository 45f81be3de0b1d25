//! Which traces are kept: `OTEL_TRACES_SAMPLER`.

use opentelemetry_sdk::trace::Sampler;

use super::settings::Reader;

const NAME: &str = "OTEL_TRACES_SAMPLER";
const SHARE: &str = "OTEL_TRACES_SAMPLER_ARG";

const KNOWN: &str =
    "`always_on`, `always_off`, `traceidratio`, or one of these after `parentbased_`";

/// The sampler; without one, or with one that is not known, that of the specification: all traces, but those of which the caller says that they are not kept.
pub(super) fn sampler(reader: &mut Reader<'_>) -> Sampler {
    let found = reader.word(NAME);
    let name = found.as_deref().unwrap_or("parentbased_always_on");
    let (root, is_parent_asked) = match name.strip_prefix("parentbased_") {
        Some(root) => (root, true),
        None => (name, false),
    };
    let sampler = match root {
        "always_on" => Sampler::AlwaysOn,
        "always_off" => Sampler::AlwaysOff,
        "traceidratio" => Sampler::TraceIdRatioBased(share(reader)),
        _ => {
            reader.ignore(NAME, KNOWN, name);
            return Sampler::ParentBased(Box::new(Sampler::AlwaysOn));
        }
    };
    if is_parent_asked { Sampler::ParentBased(Box::new(sampler)) } else { sampler }
}

/// From 0 to 1, and all without one.
fn share(reader: &mut Reader<'_>) -> f64 {
    let Some(text) = reader.text(SHARE) else { return 1.0 };
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    if share.is_none() {
        reader.ignore(SHARE, "a share from 0 to 1, such as `0.05`", &text);
    }
    share.unwrap_or(1.0)
}
