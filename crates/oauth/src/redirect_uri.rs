//! Where the answer to an authorization request may go. An address is accepted only in the one spelling that every reader takes
//! the same way, so that comparing texts is enough (RFC 9700 section 4.1.3).

use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::client::ClientKind;

/// A registered redirect URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectUri(String);

/// The rule that a redirect URI breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedirectUriError {
    /// It is longer than any address in use.
    #[error("longer than {LENGTH_AT_MOST} characters")]
    TooLong,
    /// It is not an absolute address.
    #[error("not an absolute address such as `https://app.example/callback`")]
    NotAbsolute,
    /// A fragment never reaches a server (RFC 6749 section 3.1.2).
    #[error("must not have a fragment (`#`)")]
    Fragment,
    /// A name or password in front of the host misleads people about where it leads.
    #[error("must not have a user name or password")]
    UserInformation,
    /// Addresses are matched exactly, so a wildcard would never match.
    #[error("must not have a wildcard (`*`)")]
    Wildcard,
    /// A code may only travel encrypted, or within one machine.
    #[error("must be `https`, or `http` on `127.0.0.1`, `[::1]` or `localhost`")]
    Scheme,
    /// A scheme of its own belongs to a native application, which cannot keep a secret (RFC 8252 sections 7.1 and 8.5).
    #[error("only a public client, which has no secret, may use a scheme of its own")]
    NativeScheme,
    /// A scheme of its own leads to no host, but to a path of the application.
    #[error("must have a path behind its scheme, as in `com.example.app:/callback`")]
    NativePath,
    /// The answer would have the parameter twice (RFC 6749 section 3.1).
    #[error("must not have the parameter `{0}`, which the answer adds")]
    ResponseParameter(&'static str),
    /// Others may read the text in another way than we do.
    #[error("must be written as `{canonical}`")]
    NotCanonical {
        /// The spelling that we accept.
        canonical: String,
    },
}

/// What answers add (RFC 6749 sections 4.1.2 and 4.1.2.1, RFC 9207).
const RESPONSE_PARAMETERS: [&str; 6] =
    ["code", "state", "iss", "error", "error_description", "error_uri"];

/// Servers and browsers accept addresses of about this length everywhere, with room for code and state.
const LENGTH_AT_MOST: usize = 2_000;

/// Where a native app listens for its answer. It learns its port only when it starts (RFC 8252 section 7.3).
const LOOPBACK_ORIGINS: [&str; 2] = ["http://127.0.0.1", "http://[::1]"];

impl RedirectUri {
    /// Reads an address that any client may register.
    ///
    /// # Errors
    /// See [`RedirectUriError`].
    pub fn parse(text: &str) -> Result<Self, RedirectUriError> {
        Self::parse_for(ClientKind::Confidential, text)
    }

    /// Reads an address that a client of this kind wants to register.
    ///
    /// # Errors
    /// See [`RedirectUriError`].
    pub fn parse_for(kind: ClientKind, text: &str) -> Result<Self, RedirectUriError> {
        if text.len() > LENGTH_AT_MOST {
            return Err(RedirectUriError::TooLong);
        }
        let url = Url::parse(text).map_err(|_| RedirectUriError::NotAbsolute)?;
        match find_broken_rule(kind, text, &url) {
            Some(error) => Err(error),
            None => Ok(Self(text.to_owned())),
        }
    }

    /// An address that was accepted when it was registered, as it comes back from the store.
    #[must_use]
    pub const fn registered(text: String) -> Self {
        Self(text)
    }

    /// The address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scheme, if it is one that a native application has for itself.
    #[must_use]
    pub fn native_scheme(address: &str) -> Option<&str> {
        address.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_native(scheme))
    }

    /// Whether a request may name `requested`: the same text, or the same but for the port if it is a loopback address.
    #[must_use]
    pub fn matches(&self, requested: &str) -> bool {
        requested == self.0
            || LOOPBACK_ORIGINS.iter().any(|origin| {
                let registered = after_port(&self.0, origin);
                registered.is_some() && registered == after_port(requested, origin)
            })
    }
}

fn find_broken_rule(kind: ClientKind, text: &str, url: &Url) -> Option<RedirectUriError> {
    if url.fragment().is_some() {
        return Some(RedirectUriError::Fragment);
    }
    if is_native(url.scheme()) {
        if kind == ClientKind::Confidential {
            return Some(RedirectUriError::NativeScheme);
        }
        if url.cannot_be_a_base() {
            return Some(RedirectUriError::NativePath);
        }
    } else if !is_allowed_scheme(url) {
        return Some(RedirectUriError::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Some(RedirectUriError::UserInformation);
    }
    if text.contains('*') {
        return Some(RedirectUriError::Wildcard);
    }
    let is_there = |known: &&str| url.query_pairs().any(|(name, _)| name == **known);
    if let Some(known) = RESPONSE_PARAMETERS.into_iter().find(is_there) {
        return Some(RedirectUriError::ResponseParameter(known));
    }
    // The parser adds the slash of an empty path; both spellings are common and mean the same.
    let is_canonical = url.as_str() == text || url.as_str().strip_suffix('/') == Some(text);
    (!is_canonical).then(|| RedirectUriError::NotCanonical { canonical: url.to_string() })
}

/// Whether this is a reversed domain name, which belongs to one native application (RFC 8252 section 7.1). Any application may claim
/// other names, such as `myapp`.
fn is_native(scheme: &str) -> bool {
    let is_label = |label: &str| {
        let is_allowed =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_allowed)
    };
    scheme.contains('.') && scheme.split('.').all(is_label)
}

fn is_allowed_scheme(url: &Url) -> bool {
    let is_local = match url.host() {
        Some(Host::Domain(domain)) => domain == "localhost",
        Some(Host::Ipv4(address)) => address == Ipv4Addr::LOCALHOST,
        Some(Host::Ipv6(address)) => address == Ipv6Addr::LOCALHOST,
        None => return false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_local)
}

/// What follows host and port, if `uri` starts with `origin` and its port, if any, is a number that a port can have.
fn after_port<'a>(uri: &'a str, origin: &str) -> Option<&'a str> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['/', '?']);
    let rest = uri.strip_prefix(origin)?;
    let Some(port_and_rest) = rest.strip_prefix(':') else { return ends(rest).then_some(rest) };
    let digits = port_and_rest.bytes().take_while(u8::is_ascii_digit).count();
    let (port, rest) = port_and_rest.split_at(digits);
    let is_port = !port.starts_with('0') && port.parse::<u16>().is_ok();
    (is_port && ends(rest)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ClientKind, LENGTH_AT_MOST, RedirectUri, RedirectUriError};

    fn registered(text: &str) -> RedirectUri {
        RedirectUri::parse(text).unwrap()
    }

    #[test]
    fn encrypted_and_local_addresses_can_be_registered() {
        for text in [
            "https://app.example/callback",
            "https://app.example",
            "https://app.example:8443/a/b?from=assay&x=%2F",
            "https://192.0.2.1/cb",
            "http://localhost:3000/callback",
            "http://127.0.0.1:3000/callback",
            "http://127.0.0.1/callback",
            "http://[::1]:3000/callback",
        ] {
            assert_eq!(registered(text).as_str(), text);
        }
    }

    #[test]
    fn each_rule_is_told_when_it_is_broken() {
        use RedirectUriError::{
            Fragment, NotAbsolute, ResponseParameter, Scheme, TooLong, UserInformation, Wildcard,
        };
        for (text, expected) in [
            ("", NotAbsolute),
            ("/callback", NotAbsolute),
            ("//app.example/callback", NotAbsolute),
            ("app.example/callback", NotAbsolute),
            ("https://", NotAbsolute),
            ("https://app.example/callback#top", Fragment),
            ("https://app.example/callback#", Fragment),
            ("http://app.example/callback", Scheme),
            ("http://127.0.0.2/callback", Scheme),
            ("http://localhost.example/callback", Scheme),
            ("javascript:alert(1)", Scheme),
            ("data:text/html,x", Scheme),
            ("ftp://app.example/", Scheme),
            ("https://user@app.example/", UserInformation),
            ("https://app.example@evil.example/", UserInformation),
            ("https://app.example/*", Wildcard),
            ("https://app.example/cb?code=1", ResponseParameter("code")),
            ("https://app.example/cb?a=b&st%61te", ResponseParameter("state")),
            ("https://app.example/cb?iss=https://evil.example", ResponseParameter("iss")),
            (&format!("https://app.example/{}", "a".repeat(LENGTH_AT_MOST)), TooLong),
        ] {
            assert_eq!(RedirectUri::parse(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn a_native_application_has_a_scheme_of_its_own() {
        let public = |text: &str| RedirectUri::parse_for(ClientKind::Public, text).map(drop);
        for text in [
            "com.example.app:/callback",
            "com.example.app:/oauth2redirect/assay",
            "com.example.app:/",
            "com.example.app://callback",
            "com.example-shop.app2:/cb?from=assay",
        ] {
            assert_eq!(public(text), Ok(()), "{text}");
            assert_eq!(RedirectUri::parse(text), Err(RedirectUriError::NativeScheme), "{text}");
            assert!(registered_native(text).matches(text));
            assert!(!registered_native(text).matches(&format!("{text}x")));
        }
        for (text, expected) in [
            ("myapp:/callback", RedirectUriError::Scheme),
            ("myapp://callback", RedirectUriError::Scheme),
            ("javascript:/alert", RedirectUriError::Scheme),
            ("com.:/callback", RedirectUriError::Scheme),
            ("com..app:/callback", RedirectUriError::Scheme),
            ("com.a+b:/callback", RedirectUriError::Scheme),
            ("com.example.app:callback", RedirectUriError::NativePath),
            ("com.example.app:/callback#x", RedirectUriError::Fragment),
            ("com.example.app:/*", RedirectUriError::Wildcard),
            ("com.example.app://user@callback", RedirectUriError::UserInformation),
            (".app:/callback", RedirectUriError::NotAbsolute),
        ] {
            assert_eq!(public(text), Err(expected), "{text}");
        }
        let canonical = "com.example.app:/callback".to_owned();
        let not_canonical = Err(RedirectUriError::NotCanonical { canonical });
        assert_eq!(public("COM.example.app:/callback"), not_canonical);
    }

    fn registered_native(text: &str) -> RedirectUri {
        RedirectUri::parse_for(ClientKind::Public, text).unwrap()
    }

    #[test]
    fn other_spellings_are_refused_with_the_right_one() {
        for (text, canonical) in [
            ("HTTPS://app.example/", "https://app.example/"),
            ("https://APP.example/", "https://app.example/"),
            ("https://app.example:443/", "https://app.example/"),
            ("https://app.example/a/../b", "https://app.example/b"),
            ("https://app.example/a/%2e%2e/b", "https://app.example/b"),
            ("https://app.example\\b", "https://app.example/b"),
            ("https:app.example/b", "https://app.example/b"),
            ("https://app.example/a b", "https://app.example/a%20b"),
            ("https://app.example/a\tb", "https://app.example/ab"),
            (" https://app.example/", "https://app.example/"),
            ("https://app．example/", "https://app.example/"),
            ("https://app.example/é", "https://app.example/%C3%A9"),
        ] {
            let canonical = canonical.to_owned();
            assert_eq!(
                RedirectUri::parse(text),
                Err(RedirectUriError::NotCanonical { canonical }),
                "{text}"
            );
        }
    }

    #[test]
    fn nothing_but_the_same_text_matches() {
        let uri = registered("https://app.example/callback?from=assay");
        assert!(uri.matches("https://app.example/callback?from=assay"));
        for other in [
            "",
            "https://app.example/callback",
            "https://app.example/callback?from=assay&x=1",
            "https://app.example/callback/?from=assay",
            "https://app.example/callback?from=assay#x",
            "https://app.example:443/callback?from=assay",
            "https://app.example/Callback?from=assay",
            "https://app.example/x/../callback?from=assay",
            "https://app.example/callback%3Ffrom=assay",
            "https://user@app.example/callback?from=assay",
            "https://app.example.evil.example/callback?from=assay",
            "http://app.example/callback?from=assay",
            "https://app.example/callback?from=assay\r\n",
        ] {
            assert!(!uri.matches(other), "{other}");
        }
    }

    #[test]
    fn the_port_of_a_loopback_address_is_free() {
        for host in ["127.0.0.1", "[::1]"] {
            for port in ["", ":3000"] {
                let uri = registered(&format!("http://{host}{port}/callback"));
                assert!(uri.matches(&format!("http://{host}/callback")));
                assert!(uri.matches(&format!("http://{host}:1/callback")));
                assert!(uri.matches(&format!("http://{host}:65535/callback")));
            }
        }
    }

    #[test]
    fn the_port_is_free_where_no_path_follows_either() {
        for registration in ["http://127.0.0.1", "http://127.0.0.1:3000"] {
            let uri = registered(registration);

            assert!(uri.matches("http://127.0.0.1") && uri.matches("http://127.0.0.1:5000"));
            for other in [
                "http://127.0.0.1:5000/",
                "http://127.0.0.1:5000/callback",
                "http://127.0.0.1:80@evil.example",
                "http://127.0.0.1:80@evil/",
                "http://127.0.0.1.evil",
                "http://127.0.0.1:",
                "http://127.0.0.1:0",
            ] {
                assert!(!uri.matches(other), "{other}");
            }
        }
    }

    #[test]
    fn nothing_else_of_a_loopback_address_is_free() {
        let uri = registered("http://127.0.0.1:3000/callback");
        for other in [
            "http://127.0.0.1:3000/other",
            "http://127.0.0.1:3000",
            "http://127.0.0.1:0/callback",
            "http://127.0.0.1:65536/callback",
            "http://127.0.0.1:03000/callback",
            "http://127.0.0.1:+1/callback",
            "http://127.0.0.1:/callback",
            "http://127.0.0.1:80@evil.example/callback",
            "http://127.0.0.1.evil.example/callback",
            "http://[::1]:3000/callback",
            "http://localhost:3000/callback",
            "https://127.0.0.1:3000/callback",
        ] {
            assert!(!uri.matches(other), "{other}");
        }
    }

    #[test]
    fn the_port_of_localhost_is_not_free() {
        assert!(!registered("http://localhost:3000/cb").matches("http://localhost:3001/cb"));
    }

    proptest! {
        #[test]
        fn a_registered_redirect_uri_matches_only_itself(path in "[a-z0-9/._-]{0,12}", other in "[a-z0-9/._?=-]{0,12}") {
            let text = format!("https://app.example/{path}");
            let other = format!("https://app.example/{other}");
            if let Ok(uri) = RedirectUri::parse(&text) {
                prop_assert!(uri.matches(&text));
                prop_assert_eq!(uri.matches(&other), text == other);
            }
        }

        #[test]
        fn a_loopback_match_leads_to_loopback(requested in "http://127\\.0\\.0\\.1[:@0-9a-z.\\\\/?#]{0,20}") {
            if registered("http://127.0.0.1/cb").matches(&requested) {
                let url = url::Url::parse(&requested).unwrap();

                prop_assert_eq!(url.host_str(), Some("127.0.0.1"));
                prop_assert_eq!(url.path(), "/cb");
            }
        }

        #[test]
        fn reading_never_panics(text in "\\PC{0,60}") {
            let _either = RedirectUri::parse(&text);
        }
    }
}
