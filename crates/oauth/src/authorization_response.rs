//! The answer to an authorization request: an address to which the browser is sent (RFC 6749 sections 4.1.2 and 4.1.2.1, with
//! the issuer of RFC 9207).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret as _, SecretString};

use crate::error::OAuthError;

/// The characters that a query needs not escape (RFC 3986 section 2.3). A space becomes `%20`, which every parser reads as a space, while
/// some take a `+` for a plus.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The destination of an answer: a verified redirect URI of the client, and the `state` to return unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyTo {
    /// The redirect URI as the request named it.
    pub redirect_uri: String,
    /// What the client sent to recognise the answer by.
    pub state: Option<String>,
}

impl ReplyTo {
    /// The address that brings `code` to the client.
    #[must_use]
    pub fn code_address(&self, code: &SecretString, issuer: &str) -> SecretString {
        SecretString::from(self.address(&[("code", code.expose_secret())], issuer))
    }

    /// The address that tells the client why there is no code.
    #[must_use]
    pub fn error_address(&self, error: &OAuthError, issuer: &str) -> String {
        self.address(
            &[("error", error.code.as_str()), ("error_description", error.description)],
            issuer,
        )
    }

    /// Adds to the query that the redirect URI has already (section 3.1.2).
    fn address(&self, answer: &[(&str, &str)], issuer: &str) -> String {
        let mut address = self.redirect_uri.clone();
        let mut separator = if address.contains('?') { '&' } else { '?' };
        let state = self.state.as_deref().map(|state| ("state", state));
        for (name, value) in answer.iter().copied().chain(state).chain([("iss", issuer)]) {
            address.push(separator);
            address.push_str(name);
            address.push('=');
            address.extend(utf8_percent_encode(value, RESERVED));
            separator = '&';
        }
        address
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use secrecy::{ExposeSecret as _, SecretString};

    use super::ReplyTo;
    use crate::error::{ErrorCode, OAuthError};
    use crate::parameters::Parameters;

    const ISSUER: &str = "https://assay.example";

    fn reply_to(redirect_uri: &str, state: Option<&str>) -> ReplyTo {
        ReplyTo { redirect_uri: redirect_uri.to_owned(), state: state.map(str::to_owned) }
    }

    #[test]
    fn a_code_travels_with_state_and_issuer() {
        let address = reply_to("https://app.example/cb", Some("x y&z"))
            .code_address(&SecretString::from("c"), ISSUER);

        assert_eq!(
            address.expose_secret(),
            "https://app.example/cb?code=c&state=x%20y%26z&iss=https%3A%2F%2Fassay.example"
        );
    }

    #[test]
    fn a_registered_query_stays() {
        let address = reply_to("https://app.example/cb?from=assay", None)
            .code_address(&SecretString::from("c"), ISSUER);

        assert_eq!(
            address.expose_secret(),
            "https://app.example/cb?from=assay&code=c&iss=https%3A%2F%2Fassay.example"
        );
    }

    #[test]
    fn an_error_travels_the_same_way() {
        let error = OAuthError::new(ErrorCode::AccessDenied, "the member said no");

        assert_eq!(
            reply_to("http://127.0.0.1:3000/", Some("s")).error_address(&error, ISSUER),
            "http://127.0.0.1:3000/?error=access_denied&error_description=the%20member%20said%20no&state=s\
             &iss=https%3A%2F%2Fassay.example"
        );
    }

    proptest! {
        #[test]
        fn every_state_comes_back_unchanged(state in ".{1,200}") {
            let address = reply_to("https://app.example/cb", Some(&state)).code_address(&SecretString::from("c"), ISSUER);
            let (_, query) = address.expose_secret().split_once('?').unwrap();
            let parameters = Parameters::from_query(query).ok().unwrap();

            prop_assert_eq!(parameters.find("state"), Some(state.as_str()));
            prop_assert_eq!(parameters.find("code"), Some("c"));
            prop_assert_eq!(parameters.find("iss"), Some(ISSUER));
        }
    }
}
