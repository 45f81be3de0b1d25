//! Proof Key for Code Exchange (RFC 7636): a client that exchanges the code must know the secret behind its authorization request. Only
//! the method `S256` is accepted; `plain` would put the verifier itself into the browser's history.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::error::OAuthError;

/// A code challenge: the SHA-256 of the verifier in base64url, always 43 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeChallenge(String);

const CHALLENGE_LENGTH: usize = 43;

/// RFC 7636 section 4.1.
const VERIFIER_LENGTHS: std::ops::RangeInclusive<usize> = 43..=128;

impl CodeChallenge {
    /// Reads a challenge as it was sent or stored; `None` if no verifier could ever match it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        let is_challenge = text.len() == CHALLENGE_LENGTH && text.bytes().all(is_base64url);
        is_challenge.then(|| Self(text.to_owned()))
    }

    /// Reads the two parameters of an authorization request (section 4.3).
    pub(crate) fn from_request(
        challenge: Option<&str>,
        method: Option<&str>,
    ) -> Result<Option<Self>, OAuthError> {
        let Some(challenge) = challenge else {
            let is_plain = method.is_none();
            return if is_plain { Ok(None) } else { Err(NO_CHALLENGE) };
        };
        // Without a method the RFC assumes `plain`.
        if method != Some("S256") {
            return Err(UNKNOWN_METHOD);
        }
        Self::parse(challenge).map(Some).ok_or(MALFORMED_CHALLENGE)
    }

    /// The challenge as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The challenge that belongs to a verifier (section 4.6); `None` if no client may use such a verifier (section 4.1).
#[must_use]
pub fn code_challenge_of(verifier: &str) -> Option<CodeChallenge> {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let is_verifier =
        VERIFIER_LENGTHS.contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
    is_verifier.then(|| CodeChallenge(URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))))
}

const NO_CHALLENGE: OAuthError =
    OAuthError::invalid_request("`code_challenge_method` needs a `code_challenge`");
const UNKNOWN_METHOD: OAuthError =
    OAuthError::invalid_request("`code_challenge_method` must be `S256`");
const MALFORMED_CHALLENGE: OAuthError =
    OAuthError::invalid_request("`code_challenge` must be a SHA-256 in base64url without padding");

#[cfg(test)]
mod tests {
    use super::{
        CodeChallenge, MALFORMED_CHALLENGE, NO_CHALLENGE, UNKNOWN_METHOD, code_challenge_of,
    };

    /// The pair of RFC 7636 appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_example_of_the_rfc_holds() {
        assert_eq!(code_challenge_of(VERIFIER), CodeChallenge::parse(CHALLENGE));
    }

    #[test]
    fn only_verifiers_of_the_grammar_have_a_challenge() {
        assert!(code_challenge_of(&"a".repeat(128)).is_some());
        for verifier in
            ["", &VERIFIER[1..], &format!("{VERIFIER}="), &format!("{VERIFIER} "), &"a".repeat(129)]
        {
            assert_eq!(code_challenge_of(verifier), None, "{verifier}");
        }
    }

    #[test]
    fn a_request_without_both_parameters_has_no_challenge() {
        assert_eq!(CodeChallenge::from_request(None, None), Ok(None));
    }

    #[test]
    fn a_method_alone_is_a_mistake() {
        assert_eq!(CodeChallenge::from_request(None, Some("S256")), Err(NO_CHALLENGE));
    }

    #[test]
    fn only_s256_is_accepted() {
        assert_eq!(
            CodeChallenge::from_request(Some(CHALLENGE), Some("S256")),
            Ok(CodeChallenge::parse(CHALLENGE))
        );
        for method in [None, Some("plain"), Some("s256"), Some("S512"), Some("none"), Some("S256 ")]
        {
            assert_eq!(CodeChallenge::from_request(Some(CHALLENGE), method), Err(UNKNOWN_METHOD));
        }
    }

    #[test]
    fn a_challenge_that_nothing_could_match_is_refused() {
        for challenge in [&CHALLENGE[1..], &format!("{CHALLENGE}="), &CHALLENGE.replace('-', "+")] {
            assert_eq!(
                CodeChallenge::from_request(Some(challenge), Some("S256")),
                Err(MALFORMED_CHALLENGE)
            );
        }
    }
}
