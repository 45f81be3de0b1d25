//! A snippet as a dictionary for the next one (RFC 9842): a browser that has an earlier revision gets only what is new. The deltas are
//! prepared when a revision goes live: `app::publishing`.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::ProjectId;

const USE_AS_DICTIONARY: HeaderName = HeaderName::from_static("use-as-dictionary");

const AVAILABLE_DICTIONARY: HeaderName = HeaderName::from_static("available-dictionary");

/// A SHA-256 as a byte sequence of Structured Fields (RFC 9651 section 3.3.5): between colons, in 44 characters of Base64.
const NAME_LENGTH: usize = 46;

/// Tells the browser that it may name this answer as its dictionary when it asks for the project's snippet again, at either address. The
/// script of another project whose number begins alike has a longer pattern of its own, which browsers prefer.
pub(super) fn offer(id: ProjectId, mut response: Response) -> Response {
    let value = HeaderValue::try_from(format!("match=\"/js/{id}*\"")).expect("an id is digits");
    response.headers_mut().insert(USE_AS_DICTIONARY, value);
    response
}

/// The SHA-256 of the dictionary that the browser has; `None` if it names none, several, or something else.
pub(super) fn available(request: &HeaderMap) -> Option<[u8; 32]> {
    let mut named = request.get_all(AVAILABLE_DICTIONARY).iter();
    let (name, None) = (named.next()?.as_bytes(), named.next()) else { return None };
    if name.len() != NAME_LENGTH {
        return None;
    }
    let digits = name.strip_prefix(b":")?.strip_suffix(b":")?;
    STANDARD.decode(digits).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naming(values: &[&str]) -> HeaderMap {
        let values = values.iter().map(|value| HeaderValue::from_str(value).unwrap());
        values.map(|value| (AVAILABLE_DICTIONARY, value)).collect()
    }

    #[test]
    fn a_dictionary_is_named_by_a_hash_between_colons() {
        let name = format!(":{}:", STANDARD.encode([7; 32]));

        assert_eq!(available(&naming(&[&name])), Some([7; 32]));
        assert_eq!(available(&naming(&[])), None);
        assert_eq!(available(&naming(&[&name, &name])), None);
        let long = "A".repeat(60_000);
        for bad in ["", ":", "::", &name[1..], &STANDARD.encode([7; 32]), ":AAAA:", &long] {
            assert_eq!(available(&naming(&[bad])), None, "{bad}");
        }
        assert_eq!(available(&naming(&[&name.replace('=', "!")])), None);
    }
}
