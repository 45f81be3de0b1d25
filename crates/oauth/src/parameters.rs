//! The parameters of a request, from its query, its form body, or both. OAuth forbids what ordinary form parsers let pass: the same
//! parameter twice (RFC 6749 sections 3.1 and 3.2). There is no `Debug` here, because parameters hold secrets.

use std::borrow::Cow;

use percent_encoding::percent_decode;

use crate::error::OAuthError;

/// Several times what the longest request needs.
const COUNT_AT_MOST: usize = 64;

/// Room for a long `state`; no other value comes close.
const VALUE_BYTES_AT_MOST: usize = 4_096;

/// The parameter that may have any length which the request itself may have: a client asks about tokens of others, which may be long, and
/// is told that they are none of ours (RFC 7009 section 2.2, RFC 7662 section 2.2).
const OF_ANY_LENGTH: &str = "token";

/// Longer than any name there is.
const NAME_BYTES_AT_MOST: usize = 256;

/// Decoded parameters, in the order in which they came.
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads the query of an address, without its question mark.
    ///
    /// # Errors
    /// `invalid_request` when it is malformed or too much.
    pub fn from_query(query: &str) -> Result<Self, OAuthError> {
        Self::from_query_and_body(query, b"")
    }

    /// Reads the query and the form body of a token request: each parameter may be in either.
    ///
    /// # Errors
    /// `invalid_request` when one of them is malformed or too much.
    pub fn from_query_and_body(query: &str, body: &[u8]) -> Result<Self, OAuthError> {
        let mut parameters = Self(Vec::new());
        for pair in [query.as_bytes(), body].into_iter().flat_map(pairs) {
            if parameters.0.len() == COUNT_AT_MOST {
                return Err(TOO_MANY);
            }
            parameters.0.push(decode_pair(pair)?);
        }
        Ok(parameters)
    }

    /// The value of a parameter, the first if it came more than once. One without a value counts as missing (RFC 6749 section
    /// 3.1).
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&str> {
        self.values(name).next().filter(|value| !value.is_empty())
    }

    /// Whether a parameter came more than once, be it with the same value, without one, or in two places.
    pub(crate) fn is_repeated(&self, name: &str) -> bool {
        self.values(name).nth(1).is_some()
    }

    /// Makes sure that no parameter came more than once, whether we know it or not.
    ///
    /// # Errors
    /// `invalid_request` when one did.
    pub fn refuse_repeated(&self) -> Result<(), OAuthError> {
        let is_repeated = self.0.iter().any(|(name, _)| self.is_repeated(name));
        if is_repeated { Err(REPEATED) } else { Ok(()) }
    }

    fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// Only `&` separates (URL Standard section 5.1); a `;` is part of the value.
fn pairs(encoded: &[u8]) -> impl Iterator<Item = &[u8]> {
    encoded.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty())
}

fn decode_pair(pair: &[u8]) -> Result<(String, String), OAuthError> {
    let mut halves = pair.splitn(2, |byte| *byte == b'=');
    let name = form_decode(halves.next().unwrap_or_default()).ok_or(MALFORMED)?;
    let value = form_decode(halves.next().unwrap_or_default()).ok_or(MALFORMED)?;
    let is_too_long = value.len() > VALUE_BYTES_AT_MOST && name != OF_ANY_LENGTH;
    if is_too_long || name.len() > NAME_BYTES_AT_MOST {
        return Err(TOO_LONG);
    }
    Ok((name, value))
}

/// Decodes `application/x-www-form-urlencoded` text; `None` where lenient decoders would guess: at a `%` without two digits, and
/// at bytes that are not UTF-8.
pub(crate) fn form_decode(encoded: &[u8]) -> Option<String> {
    let mut after_percents = encoded.split(|byte| *byte == b'%').skip(1);
    let starts_with_digits =
        |text: &[u8]| matches!(text, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
    if !after_percents.all(starts_with_digits) {
        return None;
    }
    let spaced: Vec<u8> =
        encoded.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decode(&spaced).decode_utf8().ok().map(Cow::into_owned)
}

const TOO_MANY: OAuthError = OAuthError::invalid_request("too many parameters");
const TOO_LONG: OAuthError = OAuthError::invalid_request("a parameter is too long");
const MALFORMED: OAuthError =
    OAuthError::invalid_request("the parameters are not form-urlencoded UTF-8");
const REPEATED: OAuthError = OAuthError::invalid_request("a parameter was sent more than once");

#[cfg(test)]
mod tests {
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
    use proptest::prelude::*;

    use super::{
        COUNT_AT_MOST, MALFORMED, Parameters, REPEATED, TOO_LONG, TOO_MANY, VALUE_BYTES_AT_MOST,
    };
    use crate::error::OAuthError;

    fn read(query: &str, body: &[u8]) -> Parameters {
        Parameters::from_query_and_body(query, body).ok().unwrap()
    }

    fn refusal(query: &str, body: &[u8]) -> Option<OAuthError> {
        Parameters::from_query_and_body(query, body).err()
    }

    #[test]
    fn query_and_body_are_one() {
        let parameters =
            read("code=a%2Fb+c", b"redirect_uri=https%3a%2f%2fapp.example%2f&&state=%E2%82%AC");

        assert_eq!(parameters.find("code"), Some("a/b c"));
        assert_eq!(parameters.find("redirect_uri"), Some("https://app.example/"));
        assert_eq!(parameters.find("state"), Some("€"));
        assert_eq!(parameters.find("scope"), None);
    }

    #[test]
    fn without_a_value_is_missing() {
        let parameters = read("code=&state", b"=x");

        assert_eq!(parameters.find("code"), None);
        assert_eq!(parameters.find("state"), None);
    }

    #[test]
    fn names_and_separators_are_taken_literally() {
        let parameters = read("grant_type[]=x&code=a;client_id=b=c&__proto__=1", b"");

        assert_eq!(parameters.find("grant_type"), None);
        assert_eq!(parameters.find("code"), Some("a;client_id=b=c"));
        assert_eq!(parameters.find("client_id"), None);
    }

    #[test]
    fn malformed_text_is_refused() {
        for text in ["%", "a=%", "a=%z", "a=%zz", "a=%2", "%f=1", "a=%ff%fe", "a=%+1", "%C3=1"] {
            assert_eq!(refusal(text, b""), Some(MALFORMED), "{text}");
            assert_eq!(refusal("", text.as_bytes()), Some(MALFORMED), "{text}");
        }
        assert_eq!(refusal("", &[0x00, 0xff]), Some(MALFORMED));
    }

    #[test]
    fn the_same_parameter_twice_is_noticed() {
        for (query, body) in [
            ("code=a&code=a", ""),
            ("code=a&code=b", ""),
            ("code=&code=a", ""),
            ("code&state=x&code", ""),
            ("code=a", "code=a"),
            ("code=a", "%63ode=a"),
            ("", "unknown=1&unknown=2"),
        ] {
            assert_eq!(
                read(query, body.as_bytes()).refuse_repeated(),
                Err(REPEATED),
                "{query} {body}"
            );
        }
        assert!(read("code=a&Code=a", b"").refuse_repeated().is_ok());
    }

    #[test]
    fn there_are_limits() {
        let many = "a=1&".repeat(COUNT_AT_MOST);
        let long = format!("a={}", "x".repeat(VALUE_BYTES_AT_MOST));

        assert_eq!(refusal(&many, b""), None);
        assert_eq!(refusal(&many, b"b=1"), Some(TOO_MANY));
        assert_eq!(refusal(&long, b""), None);
        assert_eq!(refusal(&format!("{long}x"), b""), Some(TOO_LONG));
        assert_eq!(refusal(&"x".repeat(VALUE_BYTES_AT_MOST), b""), Some(TOO_LONG));
        assert_eq!(refusal(&format!("{long}x"), b""), Some(TOO_LONG));
        assert_eq!(refusal(&format!("token={}", "x".repeat(60_000)), b""), None);
    }

    proptest! {
        #[test]
        fn reading_never_panics(query in "\\PC{0,80}", body: Vec<u8>) {
            let _either = Parameters::from_query_and_body(&query, &body);
        }

        #[test]
        fn near_misses_never_panic(query in "[%=&+;a-f0-9]{0,40}") {
            let _either = Parameters::from_query(&query);
        }

        #[test]
        fn every_value_arrives_unchanged(value in ".{1,60}") {
            let encoded = utf8_percent_encode(&value, NON_ALPHANUMERIC);
            let parameters = read(&format!("before=1&state={encoded}&after=2"), b"");

            prop_assert_eq!(parameters.find("state"), Some(value.as_str()));
        }

        #[test]
        fn a_repetition_is_noticed_wherever_it_is(
            names in prop::collection::hash_set("[a-z]{1,8}", 1..8),
            repeated: prop::sample::Index,
            place: prop::sample::Index,
        ) {
            let mut pairs: Vec<String> = names.into_iter().map(|name| format!("{name}=1")).collect();
            let body_starts = place.index(pairs.len());
            let (query, body) = pairs.split_at(body_starts);
            prop_assert!(read(&query.join("&"), body.join("&").as_bytes()).refuse_repeated().is_ok());

            pairs.insert(place.index(pairs.len()), pairs[repeated.index(pairs.len())].clone());
            let (query, body) = pairs.split_at(body_starts);
            prop_assert!(read(&query.join("&"), body.join("&").as_bytes()).refuse_repeated().is_err());
        }
    }
}
