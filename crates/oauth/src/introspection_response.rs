//! The introspection response (RFC 7662 section 2.2). About a token that is not good, nothing else is said: neither why, nor whether
//! there ever was one.

use serde_json::{Value, json};

use crate::client::ClientId;
use crate::scope::ScopeSet;
use crate::time::Timestamp;

/// What an authorization server says about a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntrospectionResponse {
    /// It is unknown, expired, revoked or replaced, no token at all, or another client's.
    Inactive,
    /// It is valid.
    Active(ActiveToken),
}

/// A valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveToken {
    /// What it allows, or can give.
    pub scope: ScopeSet,
    /// Whose it is.
    pub client_id: ClientId,
    /// In whose name: the member's id, which never changes.
    pub subject: String,
    /// Until when.
    pub expires_at: Timestamp,
    /// `bearer` for an access token; a refresh token has no type (RFC 6749 section 5.1).
    pub token_type: Option<&'static str>,
    /// Who issued it.
    pub issuer: String,
}

impl IntrospectionResponse {
    /// The JSON object that the endpoint answers with.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let Self::Active(token) = self else { return json!({"active": false}) };
        let mut members = json!({
            "active": true,
            "scope": token.scope.to_string(),
            "client_id": token.client_id.as_str(),
            "sub": token.subject,
            "exp": token.expires_at.as_milliseconds() / 1000,
            "iss": token.issuer,
        });
        if let Some(token_type) = token.token_type {
            members["token_type"] = token_type.into();
        }
        members
    }
}
