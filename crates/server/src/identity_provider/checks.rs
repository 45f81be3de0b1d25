//! What of a provider's answers is believed, beside what the library checks.

use app::identities::ProviderError;
use openidconnect::core::CoreProviderMetadata;
use url::Url;

use crate::remote::is_protected;

/// The rule for the issuer holds for its endpoints: browsers are sent there, and codes and our secret.
pub(super) fn check_endpoints(metadata: &CoreProviderMetadata) -> Result<(), ProviderError> {
    let endpoints: [(&str, Option<&Url>); 4] = [
        ("authorization_endpoint", Some(metadata.authorization_endpoint().url())),
        ("token_endpoint", metadata.token_endpoint().map(|endpoint| endpoint.url())),
        ("userinfo_endpoint", metadata.userinfo_endpoint().map(|endpoint| endpoint.url())),
        ("jwks_uri", Some(metadata.jwks_uri().url())),
    ];
    let exposed = endpoints.iter().find(|(_, url)| url.is_some_and(|url| !is_protected(url)));
    exposed.map_or(Ok(()), |(name, _)| {
        Err(ProviderError::NotValid(format!(
            "the `{name}` of its metadata is no https address; http is for this machine alone"
        )))
    })
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
