//! The token request (RFC 6749 sections 4.1.3 and 6), read after the client has proved who it is, so that only a client learns what
//! else is wrong. Reading spends nothing: a code is still good after a request that could not be read.

use secrecy::SecretString;

use crate::error::{ErrorCode, OAuthError};
use crate::parameters::Parameters;
use crate::pkce::{CodeChallenge, code_challenge_of};
use crate::scope::ScopeSet;

/// What a client hands in for an access token.
#[derive(Debug)]
pub enum TokenRequest {
    /// A code that came with a redirect.
    AuthorizationCode {
        /// The code.
        code: SecretString,
        /// The redirect URI of the authorization request.
        redirect_uri: String,
        /// What the verifier, if one was sent, is the answer to.
        code_challenge: Option<CodeChallenge>,
    },
    /// A refresh token from an earlier response.
    RefreshToken {
        /// The refresh token.
        refresh_token: SecretString,
        /// What the new access token is to allow, if less than was granted.
        scope: Option<ScopeSet>,
    },
}

impl TokenRequest {
    /// Reads a token request whose parameters are known to come once each (see [`Parameters::refuse_repeated`]). Parameters that
    /// do not belong to the grant are ignored.
    ///
    /// # Errors
    /// `unsupported_grant_type`, `invalid_scope`, `invalid_request` when something is missing, and `invalid_grant` for a verifier
    /// that cannot be right.
    pub fn parse(parameters: &Parameters) -> Result<Self, OAuthError> {
        match parameters.find("grant_type").ok_or(NO_GRANT_TYPE)? {
            "authorization_code" => authorization_code(parameters),
            "refresh_token" => refresh_token(parameters),
            _ => Err(UNSUPPORTED_GRANT_TYPE),
        }
    }
}

fn authorization_code(parameters: &Parameters) -> Result<TokenRequest, OAuthError> {
    let code = parameters.find("code").ok_or(NO_CODE)?;
    let redirect_uri = parameters.find("redirect_uri").ok_or(NO_REDIRECT_URI)?;
    let code_challenge = match parameters.find("code_verifier") {
        Some(verifier) => Some(code_challenge_of(verifier).ok_or(WRONG_VERIFIER)?),
        None => None,
    };
    // No other address can have been registered, and not every store could even compare with one.
    if !redirect_uri.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(WRONG_REDIRECT_URI);
    }
    Ok(TokenRequest::AuthorizationCode {
        code: SecretString::from(code),
        redirect_uri: redirect_uri.to_owned(),
        code_challenge,
    })
}

fn refresh_token(parameters: &Parameters) -> Result<TokenRequest, OAuthError> {
    let refresh_token = parameters.find("refresh_token").ok_or(NO_REFRESH_TOKEN)?;
    let scope =
        parameters.find("scope").map(ScopeSet::parse).transpose().map_err(|_| UNKNOWN_SCOPE)?;
    Ok(TokenRequest::RefreshToken { refresh_token: SecretString::from(refresh_token), scope })
}

const NO_GRANT_TYPE: OAuthError = OAuthError::invalid_request("`grant_type` is missing");
const UNSUPPORTED_GRANT_TYPE: OAuthError = OAuthError::new(
    ErrorCode::UnsupportedGrantType,
    "`grant_type` must be `authorization_code` or `refresh_token`",
);
const NO_CODE: OAuthError = OAuthError::invalid_request("`code` is missing");
const NO_REDIRECT_URI: OAuthError = OAuthError::invalid_request("`redirect_uri` is missing");
const NO_REFRESH_TOKEN: OAuthError = OAuthError::invalid_request("`refresh_token` is missing");
const UNKNOWN_SCOPE: OAuthError =
    OAuthError::new(ErrorCode::InvalidScope, "`scope` names a scope that does not exist");
const WRONG_REDIRECT_URI: OAuthError = OAuthError::new(
    ErrorCode::InvalidGrant,
    "`redirect_uri` is not the one that the code was sent to",
);
const WRONG_VERIFIER: OAuthError =
    OAuthError::new(ErrorCode::InvalidGrant, "`code_verifier` does not belong to the code");

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::TokenRequest;
    use crate::error::{ErrorCode, OAuthError};
    use crate::parameters::Parameters;
    use crate::pkce::code_challenge_of;
    use crate::scope::{Scope, ScopeSet};

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    fn parse(query: &str) -> Result<TokenRequest, OAuthError> {
        TokenRequest::parse(&Parameters::from_query(query).ok().unwrap())
    }

    fn refused(query: &str) -> ErrorCode {
        parse(query).unwrap_err().code
    }

    #[test]
    fn a_code_is_read_with_the_challenge_of_its_verifier() {
        let query =
            format!("grant_type=authorization_code&code=c&redirect_uri=r&code_verifier={VERIFIER}");

        let Ok(TokenRequest::AuthorizationCode { code, redirect_uri, code_challenge }) =
            parse(&query)
        else {
            panic!("the request is whole")
        };
        assert_eq!(code.expose_secret(), "c");
        assert_eq!(redirect_uri, "r");
        assert_eq!(code_challenge, code_challenge_of(VERIFIER));
    }

    #[test]
    fn an_empty_verifier_is_none() {
        let query =
            "grant_type=authorization_code&code=c&redirect_uri=r&code_verifier=&scope=admin";

        assert!(matches!(
            parse(query),
            Ok(TokenRequest::AuthorizationCode { code_challenge: None, .. })
        ));
    }

    #[test]
    fn a_verifier_that_cannot_be_right_is_an_invalid_grant() {
        for verifier in ["short", &format!("{VERIFIER}="), &"a".repeat(129)] {
            let query = format!(
                "grant_type=authorization_code&code=c&redirect_uri=r&code_verifier={verifier}"
            );
            assert_eq!(refused(&query), ErrorCode::InvalidGrant, "{verifier}");
        }
    }

    #[test]
    fn an_unregistrable_address_is_an_invalid_grant() {
        for redirect_uri in ["https://app.example/%00", "https://app.example/%E2%98%83", "%20"] {
            let query = format!("grant_type=authorization_code&code=c&redirect_uri={redirect_uri}");
            assert_eq!(refused(&query), ErrorCode::InvalidGrant, "{redirect_uri}");
        }
    }

    #[test]
    fn a_refresh_token_is_read_with_the_scope_that_is_wanted() {
        let Ok(TokenRequest::RefreshToken { refresh_token, scope }) =
            parse("grant_type=refresh_token&refresh_token=r&scope=config:read")
        else {
            panic!("the request is whole")
        };
        assert_eq!(refresh_token.expose_secret(), "r");
        assert_eq!(scope, Some(ScopeSet::from(Scope::ConfigRead)));

        let without = parse("grant_type=refresh_token&refresh_token=r");
        assert!(matches!(without, Ok(TokenRequest::RefreshToken { scope: None, .. })));
    }

    #[test]
    fn what_is_missing_is_an_invalid_request() {
        for query in [
            "",
            "grant_type=&code=c&redirect_uri=r",
            "code=c&redirect_uri=r",
            "grant_type=authorization_code&redirect_uri=r",
            "grant_type=authorization_code&code=&redirect_uri=r",
            "grant_type=authorization_code&code=c",
            "grant_type=refresh_token",
            "grant_type[]=authorization_code&code=c&redirect_uri=r",
        ] {
            assert_eq!(refused(query), ErrorCode::InvalidRequest, "{query}");
        }
    }

    #[test]
    fn other_grant_types_are_unsupported() {
        for grant_type in [
            "Authorization_Code",
            "authorization_code+",
            "authorization_code%00",
            "password",
            "client_credentials",
            "implicit",
            "urn:ietf:params:oauth:grant-type:token-exchange",
        ] {
            let query = format!("grant_type={grant_type}&code=c&redirect_uri=r");
            assert_eq!(refused(&query), ErrorCode::UnsupportedGrantType, "{grant_type}");
        }
    }

    #[test]
    fn an_unknown_scope_is_refused_at_refresh() {
        assert_eq!(
            refused("grant_type=refresh_token&refresh_token=r&scope=admin"),
            ErrorCode::InvalidScope
        );
    }
}
