//! Identities: a member signs in at an OpenID Connect provider instead of here. The provider is a port; `server` speaks its protocol.

mod begin;
mod provider;
mod sign_in;

pub use begin::{BeginProviderSignInError, begin_provider_sign_in};
pub use provider::{IdentityProvider, ProviderAnswer, ProviderError, ProviderQuestion};
pub use sign_in::{ProviderSignIn, ProviderSignInError, SignedInByProvider, sign_in_by_provider};

use crate::App;

/// What the button calls the provider; `None` where the operator has configured none.
#[must_use]
pub fn provider_name(app: &App) -> Option<&str> {
    app.identity_provider().map(IdentityProvider::name)
}
