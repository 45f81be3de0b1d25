//! What HTTP asks of every request, and the library that reads requests lets pass. Two programs on the way that read such a request
//! differently could be played off against each other.

use axum::extract::Request;
use axum::http::header::{HOST, TRANSFER_ENCODING};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Version};

/// Whether a request does not name its host as it should (RFC 9112 section 3.2), or its body is encoded in a way that we do not
/// undo, or more than once (section 6.1).
pub(crate) fn is_malformed(request: &Request) -> bool {
    !has_proper_host(request) || has_unknown_coding(request.headers())
}

/// Only HTTP/1.1 needs a host; no version takes two, or what is none. HTTP/2 has the host in the address, without a name in front, and a field
/// that says another is malformed (RFC 9113 section 8.3.1). In HTTP/1.1 the address wins (RFC 9112 section 3.2.2).
fn has_proper_host(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (field, second) = (hosts.next(), hosts.next());
    let authority = request.uri().authority();
    let is_same = |field: &HeaderValue, authority: &Authority| {
        field.as_bytes().eq_ignore_ascii_case(authority.as_str().as_bytes())
    };
    let is_proper = match (field, authority) {
        (None, None) => request.version() != Version::HTTP_11,
        (None, Some(authority)) => request.version() != Version::HTTP_11 && is_host(authority),
        (Some(field), None) => is_host_or_empty(field),
        (Some(field), Some(authority)) => {
            let is_one = request.version() < Version::HTTP_2 || is_same(field, authority);
            is_host_or_empty(field) && is_host(authority) && is_one
        }
    };
    is_proper && second.is_none()
}

/// An address without an authority has an empty host. A name in front of the host, a port that is none or two hosts in one field would make
/// readers differ about which part is the host.
fn is_host_or_empty(field: &HeaderValue) -> bool {
    field.is_empty() || Authority::try_from(field.as_bytes()).is_ok_and(|host| is_host(&host))
}

fn is_host(authority: &Authority) -> bool {
    let (text, host) = (authority.as_str(), authority.host());
    let port = text.strip_prefix(host).unwrap_or("?");
    let is_port = port.is_empty() || port.starts_with(':') && is_digits(&port[1..]);
    let in_brackets = host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
    is_port && !in_brackets.unwrap_or(host).contains(['@', ',', '[', ']'])
}

fn is_digits(port: &str) -> bool {
    port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Two headers are one list (RFC 9110 section 5.3), and nothing is to be chunked twice (RFC 9112 section 6.1).
fn has_unknown_coding(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    let is_chunked = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"chunked");
    codings.next().is_some_and(|coding| !is_chunked(coding)) || codings.next().is_some()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::Version;

    use super::is_malformed;

    fn request(version: Version, headers: &[(&str, &str)]) -> Request {
        let request = Request::builder().version(version);
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(Body::empty()).unwrap()
    }

    #[test]
    fn the_host_is_named_once() {
        assert!(!is_malformed(&request(Version::HTTP_11, &[("host", "a")])));
        assert!(!is_malformed(&request(Version::HTTP_10, &[])));
        assert!(is_malformed(&request(Version::HTTP_11, &[])));
        for version in [Version::HTTP_10, Version::HTTP_11] {
            assert!(is_malformed(&request(version, &[("host", "a"), ("host", "a")])));
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_perhaps_with_a_port() {
        for version in [Version::HTTP_10, Version::HTTP_11] {
            for host in ["", "a", "a_b.example:8080", "192.0.2.1", "[2001:db8::1]:8080", "a:"] {
                assert!(!is_malformed(&request(version, &[("host", host)])), "{host}");
            }
            for host in [
                "a b/@x", "a b", "a/x", "a@b", "a:1@b", "a?x", "a#x", "http://a", "[::1", "a:b",
                "a:99999x", "x[::1]y", "a,b", "a:+80",
            ] {
                assert!(is_malformed(&request(version, &[("host", host)])), "{host}");
            }
        }
    }

    #[test]
    fn an_address_with_a_host_has_no_name_before_it_and_agrees_in_http_2() {
        let told = |version, address: &str, host: Option<&str>| {
            let request = Request::builder().version(version).uri(address);
            let request = host.iter().fold(request, |request, host| request.header("host", *host));
            is_malformed(&request.body(Body::empty()).unwrap())
        };

        assert!(!told(Version::HTTP_2, "https://a.example:8443/", None));
        assert!(!told(Version::HTTP_2, "https://a.example/", Some("A.example")));
        assert!(told(Version::HTTP_2, "https://a.example/", Some("b.example")));
        assert!(told(Version::HTTP_2, "https://me@a.example/", None));
        assert!(told(Version::HTTP_11, "http://me@a.example/", Some("a.example")));
        assert!(!told(Version::HTTP_11, "http://a.example/", Some("b.example")));
    }

    #[test]
    fn no_transfer_coding_but_chunked_is_known() {
        let coded = |coding| request(Version::HTTP_10, &[("transfer-encoding", coding)]);

        assert!(!is_malformed(&coded("Chunked")));
        assert!(is_malformed(&coded("gzip, chunked")));
        assert!(is_malformed(&coded("identity")));
    }

    #[test]
    fn a_body_is_chunked_once() {
        let chunked = ("transfer-encoding", "chunked");

        assert!(is_malformed(&request(Version::HTTP_10, &[chunked, chunked])));
        assert!(is_malformed(&request(
            Version::HTTP_10,
            &[("transfer-encoding", "chunked, chunked")]
        )));
    }
}
