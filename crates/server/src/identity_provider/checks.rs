//! What of a provider's answers is believed, beside what the library checks.

use app::identities::ProviderError;
use oauth::Lifetime;
use openidconnect::core::{CoreIdTokenClaims, CoreProviderMetadata, CoreTokenResponse};
use openidconnect::{ClientId, Nonce, TokenResponse as _, TokenUrl, UserInfoUrl};
use url::Url;

use super::{ReadyClient, not_valid};
use crate::clock::machine_time;
use crate::remote::is_protected;

/// Providers need not have the time of this machine to the minute.
const CLOCKS_DIFFER_BY: Lifetime = Lifetime::from_seconds(300);

/// The rule for the issuer holds for its endpoints: browsers are sent there, and codes and our secret.
pub(super) fn check_endpoints(metadata: &CoreProviderMetadata) -> Result<(), ProviderError> {
    let endpoints: [(&str, Option<&Url>); 4] = [
        ("authorization_endpoint", Some(metadata.authorization_endpoint().url())),
        ("token_endpoint", metadata.token_endpoint().map(TokenUrl::url)),
        ("userinfo_endpoint", metadata.userinfo_endpoint().map(UserInfoUrl::url)),
        ("jwks_uri", Some(metadata.jwks_uri().url())),
    ];
    let exposed = endpoints.iter().find(|(_, url)| url.is_some_and(|url| !is_protected(url)));
    exposed.map_or(Ok(()), |(name, _)| {
        Err(ProviderError::NotValid(format!(
            "the `{name}` of its metadata is not an https address; http is for this machine alone"
        )))
    })
}

/// The claims of the ID token, if the provider signed it for us, now, and for this question (OpenID Connect Core section 3.1.3.7).
pub(super) fn claims(
    client: &ReadyClient,
    tokens: &CoreTokenResponse,
    nonce: &Nonce,
) -> Result<CoreIdTokenClaims, ProviderError> {
    let token = tokens.id_token();
    let token = token.ok_or_else(|| ProviderError::NotValid("there is no ID token".to_owned()))?;
    let verifier = client
        .id_token_verifier()
        .set_other_audience_verifier_fn(|_| true)
        .set_issue_time_verifier_fn(|issued| check_issued(issued.timestamp_millis()));
    let claims = token.claims(&verifier, nonce).cloned().map_err(not_valid)?;
    if is_for_us(&claims, client.client_id()) {
        return Ok(claims);
    }
    let told = "its ID token is for several clients, and we are not the one that asked for it";
    Err(ProviderError::NotValid(told.to_owned()))
}

/// The library has seen that it has not expired.
fn check_issued(milliseconds: i64) -> Result<(), String> {
    let latest = machine_time() + CLOCKS_DIFFER_BY;
    if milliseconds <= latest.as_milliseconds() {
        return Ok(());
    }
    let ahead = (milliseconds - machine_time().as_milliseconds()) / 1_000;
    Err(format!("it was issued {ahead} s from now: a clock is wrong, here or there"))
}

/// The library has seen that we are among the audiences. Where there are others, the token says for whom it was made.
fn is_for_us(claims: &CoreIdTokenClaims, id: &ClientId) -> bool {
    claims.audiences().len() == 1 || claims.authorized_party() == Some(id)
}

#[cfg(test)]
mod tests {
    use openidconnect::core::CoreProviderMetadata;
    use serde_json::json;

    use super::check_endpoints;

    fn metadata(changed: &str, address: &str) -> CoreProviderMetadata {
        let mut metadata = json!({
            "issuer": "https://id.example",
            "authorization_endpoint": "https://id.example/ask",
            "token_endpoint": "https://id.example/token",
            "userinfo_endpoint": "https://id.example/person",
            "jwks_uri": "https://id.example/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        });
        metadata[changed] = address.into();
        serde_json::from_value(metadata).unwrap()
    }

    #[test]
    fn each_endpoint_is_https_or_on_this_machine() {
        for name in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] {
            for address in ["https://elsewhere.example/x", "http://localhost:9000/x"] {
                assert!(check_endpoints(&metadata(name, address)).is_ok(), "{name}: {address}");
            }
            for address in ["javascript:alert(1)", "http://id.example/x", "data:text/html,x"] {
                let told = check_endpoints(&metadata(name, address)).unwrap_err().to_string();
                assert!(told.contains(&format!("the `{name}` of its metadata")), "{told}");
            }
        }
    }
}
