//! Errors as OAuth clients see them. Descriptions are fixed texts of ours: nothing that a caller sent is ever quoted.

use serde_json::json;

/// The error codes we use, as the RFCs spell them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// The request lacks something, repeats something or is malformed (RFC 6749 sections 4.1.2.1 and 5.2).
    InvalidRequest,
    /// The client did not prove who it is (section 5.2).
    InvalidClient,
    /// The code or refresh token is not good, or not for this client (section 5.2).
    InvalidGrant,
    /// The token endpoint does not know this kind of grant (section 5.2).
    UnsupportedGrantType,
    /// The authorization endpoint does not know this kind of response (section 4.1.2.1).
    UnsupportedResponseType,
    /// The scope is unknown or exceeds what was granted (section 5.2).
    InvalidScope,
    /// The member said no (section 4.1.2.1).
    AccessDenied,
    /// No page may be shown, but the member is not signed in (OIDC Core section 3.1.2.6).
    LoginRequired,
    /// No page may be shown, but the member has not consented yet (OIDC Core section 3.1.2.6).
    ConsentRequired,
}

/// An error answer: a code for the program, a description for its developer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{description}")]
pub struct OAuthError {
    /// The code.
    pub code: ErrorCode,
    /// One sentence for developers, in the characters that RFC 6749 section 5.2 allows.
    pub description: &'static str,
}

impl ErrorCode {
    /// The code as the RFCs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidScope => "invalid_scope",
            Self::AccessDenied => "access_denied",
            Self::LoginRequired => "login_required",
            Self::ConsentRequired => "consent_required",
        }
    }
}

impl OAuthError {
    /// An error with this description.
    ///
    /// # Panics
    /// When the description has a character that RFC 6749 section 5.2 does not allow; for a constant, when it is compiled.
    #[must_use]
    pub const fn new(code: ErrorCode, description: &'static str) -> Self {
        assert!(is_allowed(description), "a description is printable ASCII without `\"` and `\\`");
        Self { code, description }
    }

    pub(crate) const fn invalid_request(description: &'static str) -> Self {
        Self::new(ErrorCode::InvalidRequest, description)
    }

    pub(crate) const fn invalid_client(description: &'static str) -> Self {
        Self::new(ErrorCode::InvalidClient, description)
    }

    /// The JSON object that the token endpoint answers with (RFC 6749 section 5.2).
    #[must_use]
    pub fn to_json(&self) -> String {
        json!({"error": self.code.as_str(), "error_description": self.description}).to_string()
    }
}

const fn is_allowed(description: &str) -> bool {
    let mut rest = description.as_bytes();
    while let [first, after @ ..] = rest {
        if !matches!(*first, 0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7e) {
            return false;
        }
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{ErrorCode, OAuthError, is_allowed};

    #[test]
    fn descriptions_keep_to_the_characters_of_the_rfc() {
        assert!(is_allowed("`code` is missing (~!)"));
        for description in ["a \"quote\"", "a\\b", "a\nb", "ä"] {
            assert!(!is_allowed(description), "{description}");
        }
    }

    #[test]
    fn an_error_has_two_members() {
        let error = OAuthError::new(ErrorCode::InvalidGrant, "the code is not good");

        assert_eq!(
            error.to_json(),
            r#"{"error":"invalid_grant","error_description":"the code is not good"}"#
        );
    }
}
