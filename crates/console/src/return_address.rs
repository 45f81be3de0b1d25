//! Where a member goes after signing in: always a path of our own, or an attacker could send members anywhere from our address.

use std::fmt::Write as _;

use axum::http::Uri;

/// Long enough for any authorization request we accept, short enough for every browser.
const LENGTH_AT_MOST: usize = 16 * 1024;

/// The parameters of an authorization request. Any other means nothing here, and may be a secret that was sent to the wrong place.
const OF_AUTHORIZATION: [&str; 10] = [
    "response_type",
    "response_mode",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
    "prompt",
    "login_hint",
];

/// A path of this server, possibly with a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnAddress(String);

impl ReturnAddress {
    /// The member's projects.
    pub(crate) fn home() -> Self {
        Self("/".to_owned())
    }

    /// An authorization request that continues after sign-in; `None` if it is too long for that.
    pub(crate) fn authorization(query: &str) -> Option<Self> {
        let known: Vec<_> = query.split('&').filter(|pair| is_of_authorization(pair)).collect();
        Self::parse(&format!("{}?{}", crate::AUTHORIZE_PATH, plain(&known.join("&"))))
    }

    /// The page that was asked for.
    pub(crate) fn of(uri: &Uri) -> Self {
        uri.path_and_query().and_then(|page| Self::parse(page.as_str())).unwrap_or_else(Self::home)
    }

    /// Reads an address that came back in a form. `//host` and `/\host` lead elsewhere (browsers read
    /// both as another host), and characters that a browser would drop could hide one of these.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_elsewhere = text.starts_with("//") || text.starts_with("/\\");
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_path = text.starts_with('/') && !is_elsewhere && is_plain;
        (is_path && text.len() <= LENGTH_AT_MOST).then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The address that leads here by way of the provider.
    pub(crate) fn at_provider(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let query = query.append_pair("return_to", &self.0).finish();
        format!("{}?{query}", crate::PROVIDER_SIGN_IN_PATH)
    }

    /// The query of the authorization request that this address continues, if it is one.
    pub(crate) fn authorization_query(&self) -> Option<&str> {
        self.0.strip_prefix(crate::AUTHORIZE_PATH)?.strip_prefix('?')
    }
}

fn is_of_authorization(pair: &str) -> bool {
    let name = form_urlencoded::parse(pair.as_bytes()).next().map(|(name, _)| name);
    name.is_some_and(|name| OF_AUTHORIZATION.contains(&&*name))
}

/// The same query where lenient programs left characters that an address cannot have.
fn plain(query: &str) -> String {
    query.bytes().fold(String::with_capacity(query.len()), |mut plain, byte| {
        if byte.is_ascii_graphic() {
            plain.push(char::from(byte));
        } else {
            write!(plain, "%{byte:02X}").expect("writing to memory does not fail");
        }
        plain
    })
}

/// The page of a form with this address.
pub(crate) fn page_of(path: &str) -> &str {
    let page = path.rsplit_once('/').map(|(page, _act)| page);
    page.filter(|page| !page.is_empty()).unwrap_or("/")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::{LENGTH_AT_MOST, ReturnAddress};

    /// Where a browser goes that is on a page of ours.
    fn opened(address: &str) -> Url {
        Url::parse("https://assay.example/sign-in").unwrap().join(address).unwrap()
    }

    proptest! {
        #[test]
        fn no_browser_is_ever_led_elsewhere(text in r"[/\\.:@?#%a\t\n\r é0-]{0,12}") {
            if let Some(address) = ReturnAddress::parse(&text) {
                let opened = opened(address.as_str());
                prop_assert_eq!(opened.origin(), self::opened("/").origin(), "{}", opened);
            }
        }

        #[test]
        fn the_request_after_sign_in_is_the_original_one(state in "\\PC{0,20}", other in "[a-z_]{1,8}") {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("state", &state).append_pair(&format!("x{other}"), "secret");

            let address = ReturnAddress::authorization(&query.finish()).unwrap();

            let pairs: Vec<_> = opened(address.as_str()).query_pairs().into_owned().collect();
            prop_assert_eq!(pairs, [("state".to_owned(), state)]);
        }
    }

    #[test]
    fn only_paths_of_our_own_are_returned_to() {
        for text in ["/", "/oauth2/authorize?client_id=a&state=%26%0D", "/x//y"] {
            assert_eq!(ReturnAddress::parse(text).unwrap().as_str(), text);
        }
        for text in [
            "",
            "x",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "https://evil.example",
            "/é",
        ] {
            assert_eq!(ReturnAddress::parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_authorization_request_survives_sign_in() {
        let address = ReturnAddress::authorization("client_id=a&state=%2F\\é").unwrap();

        assert_eq!(address.as_str(), "/oauth2/authorize?client_id=a&state=%2F\\%C3%A9");
        assert_eq!(address.authorization_query(), Some("client_id=a&state=%2F\\%C3%A9"));
        assert_eq!(ReturnAddress::home().authorization_query(), None);
        let too_long = format!("state={}", "x".repeat(LENGTH_AT_MOST));
        assert_eq!(ReturnAddress::authorization(&too_long), None);
    }

    #[test]
    fn unknown_parameters_of_an_authorization_request_are_dropped() {
        let query = "client_id=a&client_secret=b&&code=c&state=1&st%61te=2&unknown";
        let address = ReturnAddress::authorization(query).unwrap();

        assert_eq!(address.as_str(), "/oauth2/authorize?client_id=a&state=1&st%61te=2");
    }
}
