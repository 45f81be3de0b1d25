//! What `serve` takes about an OpenID Connect provider.

use std::path::PathBuf;

use clap::Args;
use url::Url;

use crate::remote::is_protected;

#[derive(Debug, Args)]
#[expect(clippy::struct_field_names, reason = "the names are those of the flags")]
pub(crate) struct IdentityArguments {
    /// Let members sign in at this OpenID Connect provider, too, such as `https://accounts.google.com`. Its address for the answer is
    /// this server's /sign-in/provider/callback.
    #[arg(long, env = "ASSAY_OIDC_ISSUER", value_name = "URL", requires = "oidc_client_id", value_parser = issuer)]
    pub(crate) oidc_issuer: Option<String>,
    /// What the provider calls this server.
    #[arg(long, env = "ASSAY_OIDC_CLIENT_ID", value_name = "ID", requires = "oidc_issuer")]
    pub(crate) oidc_client_id: Option<String>,
    /// The file with the secret that the provider gave it, if any.
    #[arg(
        long,
        env = "ASSAY_OIDC_CLIENT_SECRET_FILE",
        value_name = "FILE",
        requires = "oidc_client_id"
    )]
    pub(crate) oidc_client_secret_file: Option<PathBuf>,
    /// What the button on the sign-in form calls the provider.
    #[arg(long, env = "ASSAY_OIDC_NAME", value_name = "NAME", default_value = "single sign-on")]
    pub(crate) oidc_name: String,
    /// Believe e-mail addresses that the provider has not verified. Safe only if each account of the provider belongs to your
    /// organisation and no one can choose their own address: Entra ID with one tenant.
    #[arg(long, env = "ASSAY_OIDC_TRUST_UNVERIFIED_EMAIL")]
    pub(crate) oidc_trust_unverified_email: bool,
}

/// An issuer is compared byte for byte, so it stays as the operator writes it.
fn issuer(text: &str) -> Result<String, &'static str> {
    let url: Url = text.parse().map_err(|_| "expected an address such as `https://id.example`")?;
    let is_plain = url.query().is_none() && url.fragment().is_none();
    if is_protected(&url) && is_plain {
        Ok(text.to_owned())
    } else {
        Err("expected an https address without a query: others could read along otherwise")
    }
}

#[cfg(test)]
mod tests {
    use super::issuer;

    #[test]
    fn an_issuer_stays_as_it_is_written() {
        for text in [
            "https://accounts.google.com",
            "https://shop.eu.auth0.com/",
            "http://localhost:9000/oidc",
        ] {
            assert_eq!(issuer(text).as_deref(), Ok(text));
        }
        for text in [
            "accounts.google.com",
            "http://id.example",
            "https://id.example/?a=b",
            "ftp://id.example",
            "",
        ] {
            assert!(issuer(text).is_err(), "{text}");
        }
    }
}
