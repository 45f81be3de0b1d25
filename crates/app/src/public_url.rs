//! The address under which the outside world reaches this server. Issuer, links and redirects are made from it, never from the
//! `Host` header (RFC 9700 section 4.11: what a caller sends must not decide where secrets go).

use url::Url;

/// An origin such as `https://assay.example`: scheme, host and port, no path. It is the issuer of RFC 8414 to the byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
    scheme: Scheme,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
}

/// What is wrong with a public URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublicUrlError {
    /// It cannot be read as an absolute address.
    #[error("expected an address such as `https://assay.example`")]
    NotAnAddress,
    /// It is neither http nor https.
    #[error("expected the scheme `https` or `http`")]
    Scheme,
    /// It has a path, a query, a fragment or credentials.
    #[error("expected only scheme, host and port")]
    MoreThanOrigin,
}

impl PublicUrl {
    /// Reads an origin; a single trailing slash is taken off.
    ///
    /// # Errors
    /// When the text is more or less than an http or https origin.
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
        Ok(Self { origin: url.origin().ascii_serialization(), scheme })
    }

    /// The origin without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.origin
    }

    /// Whether browsers reach us over TLS, so that cookies may be `Secure`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.scheme == Scheme::Https
    }

    /// The absolute address of one of our own paths.
    #[must_use]
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }
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
