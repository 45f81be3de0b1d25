//! Decodes the integrations with the site's analytics tools.

use super::fields::{Fields, list};
use super::reader::{At, Decoded, Reader};
use super::scalars::{content, fitting, one_of};
use crate::Integration;
use crate::limits::MAX_SHORT_LIST;

/// The tool of an integration, before its options are read.
#[derive(Clone, Copy)]
pub(super) enum IntegrationType {
    Ga4Gtag,
    Ga4Gtm,
    Segment,
    Amplitude,
    Matomo,
    Plausible,
    Callback,
}

/// The document's words for them.
pub(super) const INTEGRATION_TYPES: [(&str, IntegrationType); 7] = [
    ("ga4_gtag", IntegrationType::Ga4Gtag),
    ("ga4_gtm", IntegrationType::Ga4Gtm),
    ("segment", IntegrationType::Segment),
    ("amplitude", IntegrationType::Amplitude),
    ("matomo", IntegrationType::Matomo),
    ("plausible", IntegrationType::Plausible),
    ("callback", IntegrationType::Callback),
];

/// The array's name in Google's instructions.
const DATA_LAYER: &str = "dataLayer";

/// Decodes the project's integrations.
pub(super) fn integrations(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Integration>> {
    let integrations = list(reader, at, MAX_SHORT_LIST, integration)?;
    refuse_repeated(reader, at, &integrations)?;
    Ok(integrations)
}

/// A tool listed twice would get every report twice. Code may do several things.
fn refuse_repeated(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    integrations: &[Integration],
) -> Decoded<()> {
    for (place, integration) in integrations.iter().enumerate() {
        let is_code = matches!(integration, Integration::Callback { .. });
        let mut before = integrations[..place].iter();
        if !is_code && before.any(|other| other.word() == integration.word()) {
            let message = format!("there is another `{}`, too", integration.word());
            let at = at.element(place);
            return reader.refuse(&at, at.error("repeated_integration", message));
        }
    }
    Ok(())
}

fn integration(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Integration> {
    let mut fields = Fields::of(reader, at)?;
    let kind =
        fields.required("type", |reader, at| one_of(reader, at, INTEGRATION_TYPES.into_iter()))?;
    let integration = with_options(&mut fields, kind);
    fields.finish();
    integration
}

fn with_options(fields: &mut Fields<'_, '_, '_>, kind: IntegrationType) -> Decoded<Integration> {
    match kind {
        IntegrationType::Ga4Gtag => {
            let data_layer = fields.or("data_layer", DATA_LAYER.to_owned(), global_name);
            let send_to = fields.optional("send_to", target);
            Ok(Integration::Ga4Gtag { data_layer: data_layer?, send_to: send_to? })
        }
        IntegrationType::Ga4Gtm => {
            let data_layer = fields.or("data_layer", DATA_LAYER.to_owned(), global_name);
            Ok(Integration::Ga4Gtm { data_layer: data_layer? })
        }
        IntegrationType::Segment => Ok(Integration::Segment),
        IntegrationType::Amplitude => Ok(Integration::Amplitude),
        IntegrationType::Matomo => Ok(Integration::Matomo),
        IntegrationType::Plausible => Ok(Integration::Plausible),
        IntegrationType::Callback => {
            Ok(Integration::Callback { code: fields.required("code", content)? })
        }
    }
}

fn global_name(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    fitting(reader, at, "the name of a global variable, such as `dataLayer`", |name| {
        name.bytes().all(is_allowed) && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}

fn target(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    fitting(reader, at, "a measurement id such as `G-ABC123`, or a group", |name| {
        name.bytes().all(is_allowed)
    })
}
