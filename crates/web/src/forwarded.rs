//! What a proxy says of a request that it passes on: `X-Forwarded-For` and `X-Forwarded-Proto`, or `Forwarded` (RFC 7239) where
//! neither of them is there. Whether to believe it is `ingress.rs`'s to say.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const FORWARDED: HeaderName = HeaderName::from_static("forwarded");

/// Enough to see what proxies do. An answer that tells more could have a head that they refuse.
const NEAREST_HOPS: usize = 8;

/// What the proxies on the way said, the nearest one last.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Forwarded {
    /// The client of each hop; nothing if it is no address.
    hops: Vec<Option<IpAddr>>,
    /// By which protocol each was asked.
    protocols: Vec<String>,
}

impl Forwarded {
    pub(crate) fn read(headers: &HeaderMap) -> Self {
        if headers.contains_key(X_FORWARDED_FOR) || headers.contains_key(X_FORWARDED_PROTO) {
            return Self {
                hops: parts(headers, &X_FORWARDED_FOR).map(address).collect(),
                protocols: parts(headers, &X_FORWARDED_PROTO).map(str::to_lowercase).collect(),
            };
        }
        let mut forwarded = Self::default();
        for hop in parts(headers, &FORWARDED) {
            forwarded.hops.push(parameter(hop, "for").and_then(address));
            forwarded.protocols.extend(parameter(hop, "proto").map(str::to_lowercase));
        }
        forwarded
    }

    /// The clients of the nearest hops, the nearest one last; nothing if it is no address.
    pub(crate) fn nearest_hops(&self) -> Vec<Option<IpAddr>> {
        self.hops[self.hops.len().saturating_sub(NEAREST_HOPS)..].to_vec()
    }

    /// Whether it names at least one hop, and says of each that it was encrypted.
    pub(crate) fn is_https(&self) -> bool {
        !self.protocols.is_empty() && !self.has_plain_way()
    }

    /// Whether it names a hop on which others could read the request.
    pub(crate) fn has_plain_way(&self) -> bool {
        self.protocols.iter().any(|protocol| protocol != "https")
    }

    /// Who asked the peer: the last address that is not one of the proxies'. Everything before it is what the caller wrote.
    pub(crate) fn caller(&self, peer: IpAddr, is_proxy: impl Fn(IpAddr) -> bool) -> IpAddr {
        let mut caller = peer;
        for hop in self.hops.iter().rev() {
            match hop {
                Some(hop) if is_proxy(caller) => caller = hop.to_canonical(),
                _ => break,
            }
        }
        caller
    }
}

/// The parts of a list that may go over several lines. A part that is not text is not understood.
fn parts<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    let lines = headers.get_all(name).iter().map(|line| line.to_str().unwrap_or("?"));
    lines.flat_map(|line| line.split(',')).map(str::trim)
}

fn parameter<'h>(hop: &'h str, name: &str) -> Option<&'h str> {
    hop.split(';').find_map(|pair| {
        let (found, value) = pair.trim().split_once('=')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim_matches('"'))
    })
}

/// An address with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    bare.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use axum::http::{HeaderMap, HeaderName, HeaderValue};

    use super::Forwarded;

    fn read(lines: &[(&'static str, &'static str)]) -> Forwarded {
        let lines = lines.iter().map(|(name, value)| {
            (HeaderName::from_static(name), HeaderValue::from_bytes(value.as_bytes()).unwrap())
        });
        let mut headers = HeaderMap::new();
        lines.for_each(|(name, value)| {
            headers.append(name, value);
        });
        Forwarded::read(&headers)
    }

    /// Who asked, where 10.0.0.0/8 are the proxies.
    fn caller(lines: &[(&'static str, &'static str)]) -> String {
        let is_proxy = |address: IpAddr| address.to_string().starts_with("10.");
        read(lines).caller([10, 0, 0, 1].into(), is_proxy).to_string()
    }

    #[test]
    fn the_caller_is_the_last_address_that_is_no_proxy() {
        assert_eq!(caller(&[]), "10.0.0.1");
        assert_eq!(caller(&[("x-forwarded-for", "192.0.2.1")]), "192.0.2.1");
        assert_eq!(caller(&[("x-forwarded-for", "192.0.2.9, 192.0.2.1, 10.0.0.2")]), "192.0.2.1");
        assert_eq!(
            caller(&[("x-forwarded-for", "192.0.2.9"), ("x-forwarded-for", "192.0.2.1")]),
            "192.0.2.1"
        );
        assert_eq!(caller(&[("x-forwarded-for", "10.0.0.3,10.0.0.2")]), "10.0.0.3");
    }

    #[test]
    fn an_invalid_address_hides_the_addresses_before_it() {
        for hidden in
            ["192.0.2.9, unknown", "192.0.2.9,", "192.0.2.9, _hidden", "192.0.2.9, \u{e9}"]
        {
            assert_eq!(caller(&[("x-forwarded-for", hidden)]), "10.0.0.1", "{hidden}");
        }
    }

    #[test]
    fn addresses_are_written_in_many_ways() {
        for (written, read) in [
            ("192.0.2.1:4711", "192.0.2.1"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:DB8::1", "2001:db8::1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
        ] {
            assert_eq!(caller(&[("x-forwarded-for", written)]), read);
        }
    }

    #[test]
    fn the_standard_header_counts_where_the_usual_ones_are_missing() {
        let standard =
            ("forwarded", "for=192.0.2.9, For=\"[2001:db8::1]:80\";proto=HTTPS;by=_p;host=evil");

        assert_eq!(caller(&[standard]), "2001:db8::1");
        assert!(read(&[standard]).is_https());
        assert_eq!(caller(&[standard, ("x-forwarded-for", "192.0.2.1")]), "192.0.2.1");
        assert!(!read(&[standard, ("x-forwarded-for", "192.0.2.1")]).is_https());
    }

    #[test]
    fn one_plain_way_is_enough_to_read_along() {
        for (said, is_https, has_plain_way) in [
            ("https", true, false),
            ("HTTPS, https", true, false),
            ("http", false, true),
            ("http, https", false, true),
            ("https, http", false, true),
            ("", false, true),
        ] {
            let forwarded = read(&[("x-forwarded-proto", said)]);
            assert_eq!(
                (forwarded.is_https(), forwarded.has_plain_way()),
                (is_https, has_plain_way)
            );
        }
        assert!(!read(&[]).is_https() && !read(&[]).has_plain_way());
    }
}
