//! The token response (RFC 6749 section 5.1), with exactly the members that are documented.

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;

use crate::scope::ScopeSet;
use crate::time::ACCESS_TOKEN;

/// Fresh tokens for a client.
#[derive(Debug)]
pub struct TokenResponse {
    /// What opens the API.
    pub access_token: SecretString,
    /// What gets further access tokens; left out where the client keeps the one it has.
    pub refresh_token: Option<SecretString>,
    /// Its scope, unless that is the requested one.
    pub scope: Option<ScopeSet>,
}

impl TokenResponse {
    /// The JSON object that the token endpoint answers with.
    #[must_use]
    pub fn to_json(&self) -> SecretString {
        let mut members = json!({
            "access_token": self.access_token.expose_secret(),
            "expires_in": ACCESS_TOKEN.seconds(),
            "token_type": "bearer",
        });
        if let Some(refresh_token) = &self.refresh_token {
            members["refresh_token"] = refresh_token.expose_secret().into();
        }
        if let Some(scope) = self.scope {
            members["scope"] = scope.to_string().into();
        }
        SecretString::from(members.to_string())
    }
}

#[cfg(test)]
mod tests {
    use secrecy::{ExposeSecret as _, SecretString};

    use super::TokenResponse;

    #[test]
    fn the_response_to_a_code_has_four_members() {
        let response = TokenResponse {
            access_token: SecretString::from("a"),
            refresh_token: Some(SecretString::from("r")),
            scope: None,
        };

        assert_eq!(
            response.to_json().expose_secret(),
            r#"{"access_token":"a","expires_in":7200,"token_type":"bearer","refresh_token":"r"}"#
        );
    }

    #[test]
    fn a_client_that_keeps_its_refresh_token_gets_no_other() {
        let access_token = SecretString::from("a");
        let response = TokenResponse { access_token, refresh_token: None, scope: None };

        assert_eq!(
            response.to_json().expose_secret(),
            r#"{"access_token":"a","expires_in":7200,"token_type":"bearer"}"#
        );
    }
}
