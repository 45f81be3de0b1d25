//! The address at which the outside world reaches this server. Issuer, links and redirects are made from it, never from the `Host` header
//! (RFC 9700 section 4.11: what a caller sends must not decide where secrets go).

use url::{Host, Url};

/// An origin such as `https://assay.example`: scheme, host and port, no path. It equals the issuer of RFC 8414 byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
    host: String,
    scheme: Scheme,
    reach: Reach,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    ThisMachine,
    Network,
}

/// What is wrong with a public URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublicUrlError {
    /// It is not an absolute address.
    #[error("expected an address such as `https://assay.example`")]
    NotAnAddress,
    /// It is neither http nor https.
    #[error("expected the scheme `https` or `http`")]
    Scheme,
    /// It has a path, a query, a fragment or credentials.
    #[error("expected only scheme, host and port")]
    MoreThanOrigin,
    /// Plain http would let others read what is sent.
    #[error(
        "expected `https`; `http` is for this machine alone (`localhost`, `127.0.0.1`, `[::1]`)"
    )]
    InsecureTransport,
}

impl PublicUrl {
    /// Parses an origin; removes a single trailing slash.
    ///
    /// # Errors
    /// When the text is not exactly an origin, or uses http for another machine.
    pub fn parse(text: &str) -> Result<Self, PublicUrlError> {
        let url = Url::parse(text).map_err(|_| PublicUrlError::NotAnAddress)?;
        let scheme = match url.scheme() {
            "https" => Scheme::Https,
            "http" => Scheme::Http,
            _ => return Err(PublicUrlError::Scheme),
        };
        let is_more = url.path() != "/" || url.query().is_some() || url.fragment().is_some();
        if is_more || !url.username().is_empty() || url.password().is_some() {
            return Err(PublicUrlError::MoreThanOrigin);
        }
        let host = url.host().ok_or(PublicUrlError::NotAnAddress)?;
        let reach = reach(&host);
        if scheme == Scheme::Http && reach == Reach::Network {
            return Err(PublicUrlError::InsecureTransport);
        }
        // The host of an IPv6 address has no brackets.
        let host = match host {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        };
        Ok(Self { origin: url.origin().ascii_serialization(), host, scheme, reach })
    }

    /// The origin without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.origin
    }

    /// The name or address of the host.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, which is the scheme's own unless the address names another.
    #[must_use]
    pub fn port(&self) -> u16 {
        let named = self.origin.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        named.unwrap_or(if self.is_https() { 443 } else { 80 })
    }

    /// Whether only programs on this machine reach the server.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.reach == Reach::ThisMachine
    }

    /// Whether browsers reach the server over TLS, so that cookies may be `Secure`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.scheme == Scheme::Https
    }

    /// The absolute address of one of our paths.
    #[must_use]
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }
}

/// Names below `localhost` always mean this machine (RFC 6761 section 6.3).
fn reach(host: &Host<&str>) -> Reach {
    let is_loopback = match host {
        Host::Domain(name) => *name == "localhost" || name.ends_with(".localhost"),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    };
    if is_loopback { Reach::ThisMachine } else { Reach::Network }
}

impl std::fmt::Display for PublicUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::{PublicUrl, PublicUrlError};

    #[test]
    fn a_trailing_slash_and_a_default_port_are_not_part_of_the_origin() {
        let url = PublicUrl::parse("https://Assay.example:443/").unwrap();

        assert_eq!(url.as_str(), "https://assay.example");
        assert!(url.is_https());
        assert_eq!(url.join("/oauth2/token"), "https://assay.example/oauth2/token");
    }

    #[test]
    fn plain_http_stays_on_this_machine() {
        for text in
            ["http://localhost:8080", "http://a.localhost", "http://127.0.0.2", "http://[::1]:1"]
        {
            assert!(PublicUrl::parse(text).unwrap().is_loopback(), "{text}");
        }
        for text in
            ["http://assay.example", "http://10.0.0.1", "http://localhost.example", "http://[::2]"]
        {
            assert_eq!(PublicUrl::parse(text), Err(PublicUrlError::InsecureTransport), "{text}");
        }
        assert!(!PublicUrl::parse("https://assay.example").unwrap().is_loopback());
    }

    #[test]
    fn the_host_is_told_as_certificates_have_it() {
        let host = |text| PublicUrl::parse(text).unwrap().host().to_owned();

        assert_eq!(host("https://Assay.example:8443"), "assay.example");
        assert_eq!(host("https://[2001:DB8::1]:8443"), "2001:db8::1");
    }

    #[test]
    fn the_port_is_the_schemes_own_unless_another_is_named() {
        let port = |text| PublicUrl::parse(text).unwrap().port();

        assert_eq!(
            (port("https://assay.example"), port("https://assay.example:8443")),
            (443, 8443)
        );
        assert_eq!((port("http://[::1]"), port("http://[::1]:8080")), (80, 8080));
    }

    #[test]
    fn anything_but_an_origin_is_refused() {
        assert_eq!(PublicUrl::parse("assay.example"), Err(PublicUrlError::NotAnAddress));
        assert_eq!(PublicUrl::parse("ftp://assay.example"), Err(PublicUrlError::Scheme));
        for text in [
            "https://a.example/x",
            "https://a.example?x",
            "https://a.example#x",
            "https://u:p@a.example",
        ] {
            assert_eq!(PublicUrl::parse(text), Err(PublicUrlError::MoreThanOrigin), "{text}");
        }
    }
}
