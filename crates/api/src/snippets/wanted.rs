//! What a browser wants of a snippet: which bytes it can read, and which it has already.

use std::cmp::Reverse;

use app::publishing::{DeliveredSnippet, Delta};
use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use storage::SnippetEncoding;

use super::dictionary;

pub(super) const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// A whole snippet is right for each browser that takes its coding, whatever it has. Many shared caches keep no answer that varies by more.
const VARIES_BY: HeaderValue = HeaderValue::from_static("accept-encoding");

/// What one browser can read is unreadable to another with another dictionary (RFC 9842 section 6.2).
const DELTA_VARIES_BY: HeaderValue =
    HeaderValue::from_static("accept-encoding, available-dictionary");

/// The content codings that need a dictionary (RFC 9842 section 2.1).
const DELTAS: [&str; 2] = ["dcb", "dcz"];

/// How much of a dictionary's SHA-256 is in a validator: as much as names a snippet.
const ETAG_BYTES: usize = 16;

/// How a snippet is answered.
pub(super) struct Wanted {
    etag: String,
    content_encoding: Option<&'static str>,
    /// Whether the browser takes what needs a dictionary, and so gets a delta at another time.
    takes_deltas: bool,
    /// Whether the browser has exactly these bytes already.
    pub(super) is_known: bool,
}

/// What is sent of a snippet.
pub(super) enum Sent {
    Body(Bytes),
    /// To a `HEAD` request, how long the body would be.
    Length(u32),
    /// To a browser that has it.
    Nothing,
}

/// One way to send a snippet: `what` would be sent.
struct Offer<T> {
    what: T,
    content_encoding: Option<&'static str>,
    /// Each is other bytes, so a strong validator must differ (RFC 9110 section 8.8.3.3).
    etag: String,
}

/// The answer with a snippet that is in memory.
pub(super) fn answer(
    snippet: &DeliveredSnippet,
    request: &HeaderMap,
    cache: HeaderValue,
) -> Response {
    let accepted = Accepted::by(request);
    let delta = dictionary::available(request).and_then(|name| snippet.delta(&name));
    let mut offers = delta.map(|delta| deltas(delta, &snippet.hash, &accepted)).unwrap_or_default();
    offers.extend(wholes(&snippet.hash, &accepted).map(|offer| Offer {
        what: snippet.body(offer.what),
        content_encoding: offer.content_encoding,
        etag: offer.etag,
    }));
    let (body, wanted) = choose(offers, &accepted, request);
    let sent = if wanted.is_known { Sent::Nothing } else { Sent::Body(body) };
    wanted.answered(sent, cache)
}

/// How the whole snippet with this hash is answered.
pub(super) fn wanted_whole(request: &HeaderMap, hash: &str) -> (SnippetEncoding, Wanted) {
    let accepted = Accepted::by(request);
    choose(wholes(hash, &accepted).collect(), &accepted, request)
}

/// The one that the browser has already, or else that which it prefers: of several, the first.
fn choose<T>(
    mut offers: Vec<Offer<T>>,
    accepted: &Accepted<'_>,
    request: &HeaderMap,
) -> (T, Wanted) {
    offers.sort_by_key(|offer| Reverse(accepted.weight_of(offer.content_encoding)));
    let known = offers.iter().position(|offer| knows(request, &offer.etag));
    let Offer { what, content_encoding, etag } = offers.swap_remove(known.unwrap_or_default());
    let takes_deltas = DELTAS.into_iter().any(|name| accepted.takes(name));
    (what, Wanted { etag, content_encoding, takes_deltas, is_known: known.is_some() })
}

/// What is new since a dictionary, the shortest first.
fn deltas(delta: &Delta, hash: &str, accepted: &Accepted<'_>) -> Vec<Offer<Bytes>> {
    let since = hex::encode(&delta.dictionary[..ETAG_BYTES]);
    let codings = DELTAS.into_iter().zip([&delta.brotli, &delta.zstandard]);
    let taken = codings.into_iter().filter(|(name, _)| accepted.takes(name));
    let offers = taken.filter_map(|(name, body)| {
        let etag = format!("\"{hash}-{name}-{since}\"");
        body.clone().map(|what| Offer { what, content_encoding: Some(name), etag })
    });
    let mut offers: Vec<Offer<Bytes>> = offers.collect();
    offers.sort_by_key(|offer| offer.what.len());
    offers
}

/// The whole snippet in each encoding that the browser takes, the shortest first.
fn wholes(hash: &str, accepted: &Accepted<'_>) -> impl Iterator<Item = Offer<SnippetEncoding>> {
    let compressed =
        [("br", "-br", SnippetEncoding::Brotli), ("gzip", "-gz", SnippetEncoding::Gzip)];
    let taken = compressed.into_iter().filter(|(name, ..)| accepted.takes(name));
    let offers = taken.map(|(name, suffix, encoding)| (Some(name), suffix, encoding));
    offers.chain([(None, "", SnippetEncoding::Identity)]).map(
        move |(content_encoding, suffix, what)| Offer {
            what,
            content_encoding,
            etag: format!("\"{hash}{suffix}\""),
        },
    )
}

impl Wanted {
    pub(super) fn answered(&self, sent: Sent, cache: HeaderValue) -> Response {
        let mut response = match sent {
            Sent::Nothing => StatusCode::NOT_MODIFIED.into_response(),
            Sent::Body(body) => body.into_response(),
            Sent::Length(length) => ([(CONTENT_LENGTH, length)], Body::empty()).into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(ETAG, HeaderValue::from_str(&self.etag).expect("a hash is ASCII"));
        headers.insert(CACHE_CONTROL, self.kept(cache));
        headers.insert(VARY, if self.is_delta() { DELTA_VARIES_BY } else { VARIES_BY });
        // Any page may load it, also with `crossorigin` and subresource integrity, and under cross-origin isolation.
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
        if self.is_known {
            return response;
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
        if let Some(name) = self.content_encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        response
    }

    fn is_delta(&self) -> bool {
        self.content_encoding.is_some_and(|name| DELTAS.contains(&name))
    }

    /// A delta is for one browser's cache alone: many shared caches do not keep answers apart by all that `Vary` names. So is the whole snippet
    /// of the address that changes, if the browser takes deltas: a shared cache would keep it for those alone, and ask in their name
    /// whether it is still right; the answer is a delta, which it cannot keep, and goes on with what is out of date.
    fn kept(&self, cache: HeaderValue) -> HeaderValue {
        let text = cache.to_str().unwrap_or_default();
        let is_private = self.is_delta() || self.takes_deltas && !text.contains("immutable");
        match text.strip_prefix("public").filter(|_| is_private) {
            Some(rest) => HeaderValue::from_str(&format!("private{rest}"))
                .expect("a header with another word is one"),
            None => cache,
        }
    }
}

/// The content codings that the browser takes, with their weights.
struct Accepted<'r>(Vec<(&'r str, Weight)>);

/// How much a coding is preferred, in thousandths; that of weight zero is not taken (RFC 9110 section 12.4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Weight(u16);

impl<'r> Accepted<'r> {
    fn by(request: &'r HeaderMap) -> Self {
        let lists = request.get_all(ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
        Self(lists.flat_map(|list| list.split(',')).map(weighted_coding).collect())
    }

    fn takes(&self, name: &str) -> bool {
        self.weight_of(Some(name)) > Weight::NONE
    }

    /// The weight of a coding; `None` is the snippet as it is. A browser can read that in any case, and prefers it if it says so.
    fn weight_of(&self, name: Option<&str>) -> Weight {
        let name = name.unwrap_or("identity");
        let codings = self.0.iter().filter(|(coding, _)| coding.eq_ignore_ascii_case(name));
        codings.map(|(_, weight)| *weight).max().unwrap_or(Weight::NONE)
    }
}

impl Weight {
    const NONE: Self = Self(0);
    const FULL: Self = Self(1_000);

    /// `0.5`; digits behind the third do not count. What is no weight is as if it were not there.
    fn read(text: &str) -> Self {
        let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
        let digits = fraction.bytes().chain(*b"000").take(3);
        let thousandths =
            digits.map(|digit| digit.is_ascii_digit().then(|| u16::from(digit - b'0')));
        let thousandths = thousandths.reduce(|sum, digit| Some(sum? * 10 + digit?)).flatten();
        if whole == "0" { thousandths.map_or(Self::FULL, Self) } else { Self::FULL }
    }
}

/// A coding's name and weight.
fn weighted_coding(item: &str) -> (&str, Weight) {
    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
    let mut parameters = parameters.split(';').map(str::trim);
    let weight = parameters.find_map(|parameter| {
        parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="))
    });
    (name.trim(), weight.map_or(Weight::FULL, Weight::read))
}

/// Whether the browser has exactly these bytes (RFC 9110 section 13.1.2).
fn knows(request: &HeaderMap, etag: &str) -> bool {
    let known = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|value| value.split(','));
    known.any(|candidate| {
        matches!(candidate.trim(), "*") || candidate.trim().trim_start_matches("W/") == etag
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    fn encoding(request: &HeaderMap) -> SnippetEncoding {
        wanted_whole(request, "a").0
    }

    #[test]
    fn browser_gets_the_best_encoding_it_takes() {
        assert_eq!(encoding(&accepting("gzip, deflate, br, zstd")), SnippetEncoding::Brotli);
        for without in ["gzip;q=1.0, br;q=0", "gzip, br; Q=0.000"] {
            assert_eq!(encoding(&accepting(without)), SnippetEncoding::Gzip, "{without}");
        }
        assert_eq!(encoding(&accepting("identity")), SnippetEncoding::Identity);
        assert_eq!(encoding(&HeaderMap::new()), SnippetEncoding::Identity);
    }

    #[test]
    fn a_browser_gets_what_it_prefers_and_of_equals_the_shortest() {
        use SnippetEncoding::{Brotli, Gzip, Identity};
        for (accepted, expected) in [
            ("gzip, br", Brotli),
            ("gzip, br;q=0.1", Gzip),
            ("gzip;q=0.1, br;q=0.2", Brotli),
            ("gzip;q=0.5, br;q=0.5", Brotli),
            ("gzip;q=0.999, br;q=0.998", Gzip),
            ("GZIP, BR; Q=0.1", Gzip),
            ("gzip;q=0.2, br;level=4;q=0.1", Gzip),
            ("br;q=0", Identity),
            ("br;q=0.001", Brotli),
            ("br;q=0.0004", Identity),
            ("gzip, br;q=1.000", Brotli),
            ("gzip;q=0.25, br;q=0.3", Brotli),
            ("gzip;q=0.0, br;q=0.000", Identity),
            ("br;q=0.1, br;q=0", Brotli),
            ("identity, gzip;q=0.5", Identity),
            ("identity;q=0.5, gzip;q=0.5", Gzip),
            ("identity;q=0, gzip;q=0.1", Gzip),
            ("identity;q=0", Identity),
            ("gzip, br;q=2", Brotli),
            ("gzip, br;q=much", Brotli),
            ("gzip, br;q=-0.1", Brotli),
            ("gzip, br;q=0.1x", Brotli),
            ("", Identity),
            ("*", Identity),
        ] {
            assert_eq!(encoding(&accepting(accepted)), expected, "{accepted}");
        }
    }

    #[test]
    fn a_delta_is_preferred_to_the_whole_unless_the_browser_says_otherwise() {
        let bodies = [&b"shortest"[..], &b"a bit longer"[..]].map(|body| Some(body.into()));
        let [zstandard, brotli] = bodies;
        let delta = Delta { dictionary: [7; 32], brotli, zstandard };
        let chosen = |value: &'static str| {
            let request = accepting(value);
            let accepted = Accepted::by(&request);
            let mut offers = deltas(&delta, "a", &accepted);
            offers.extend(wholes("a", &accepted).map(|offer| Offer {
                what: Bytes::new(),
                content_encoding: offer.content_encoding,
                etag: offer.etag,
            }));
            choose(offers, &accepted, &request).1.content_encoding
        };

        for (accepted, expected) in [
            ("gzip, deflate, br, zstd, dcb, dcz", Some("dcz")),
            ("br, dcb", Some("dcb")),
            ("br, dcb, dcz;q=0.9", Some("dcb")),
            ("br;q=0.5, dcb;q=0.5, dcz;q=0.5", Some("dcz")),
            ("br, dcb;q=0.5, dcz;q=0.5", Some("br")),
            ("gzip;q=0.1, dcb;q=0, dcz;q=0", Some("gzip")),
            ("identity, dcb;q=0.9", None),
        ] {
            assert_eq!(chosen(accepted), expected, "{accepted}");
        }
    }

    #[test]
    fn known_validator_is_found_among_several() {
        let request =
            HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static("\"a\", W/\"b-br\""))]);

        assert!(knows(&request, "\"b-br\""));
        assert!(!knows(&request, "\"b\""));
    }

    #[test]
    fn a_browser_that_has_it_in_another_encoding_that_it_takes_has_it() {
        let mut request = accepting("gzip, br");
        request.insert(IF_NONE_MATCH, HeaderValue::from_static("\"a-gz\""));

        let (encoding, wanted) = wanted_whole(&request, "a");

        assert_eq!((encoding, wanted.is_known), (SnippetEncoding::Gzip, true));
        request.insert(ACCEPT_ENCODING, HeaderValue::from_static("br"));
        assert!(!wanted_whole(&request, "a").1.is_known, "it cannot read that one any more");
    }
}
