//! Headers for the collector, as `OTEL_EXPORTER_OTLP_HEADERS` has them: `name=value,name=value`, percent-encoded.

use std::collections::HashMap;

use axum::http::{HeaderName, HeaderValue};
use percent_encoding::percent_decode_str;

use crate::failure::Failure;

/// Reads them; the exporter decodes the values. No fault quotes any of them: they are secrets.
pub(super) fn read(variable: Option<(String, String)>) -> Result<HashMap<String, String>, Failure> {
    let Some((variable, list)) = variable else { return Ok(HashMap::new()) };
    let headers = (1..).zip(list.split(',').map(str::trim)).filter(|(_, text)| !text.is_empty());
    headers
        .map(|(number, text)| {
            header(text).ok_or_else(|| {
                Failure::input(format_args!(
                    "`{variable}`: expected headers, such as `authorization=Bearer%20…,x-tenant=shop`; number {number} is none"
                ))
            })
        })
        .collect()
}

fn header(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    name.parse::<HeaderName>().ok()?;
    HeaderValue::from_str(&percent_decode_str(value).decode_utf8().ok()?).ok()?;
    Some((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn headers_have_a_name_and_a_value_that_http_knows() {
        let known = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));

        assert_eq!(
            header("authorization=Bearer%20abc=="),
            known("authorization", "Bearer%20abc==")
        );
        assert_eq!(header(" api-key = key "), known("api-key", "key"));
        for text in ["authorization", "=x", "a b=c", "a=%0a", "a=%ff"] {
            assert_eq!(header(text), None);
        }
    }
}
