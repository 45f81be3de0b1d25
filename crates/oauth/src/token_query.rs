//! A question about one token: its revocation (RFC 7009 section 2.1) or its introspection (RFC 7662 section 2.1). The hint tells
//! where to look first; all tokens are found in the same time, so that it is not needed.

use secrecy::SecretString;

use crate::error::OAuthError;
use crate::parameters::Parameters;

/// The token that a request is about.
///
/// # Errors
/// `invalid_request` when there is none.
pub fn token_in_question(parameters: &Parameters) -> Result<SecretString, OAuthError> {
    parameters.find("token").map(SecretString::from).ok_or(NO_TOKEN)
}

const NO_TOKEN: OAuthError = OAuthError::invalid_request("`token` is missing");
