//! Who members are at an OpenID Connect provider, as it is stored. Nothing of the provider's tokens is.

use async_trait::async_trait;

use crate::{AnsweredChallenge, Member, StorageError};

/// Identities of members at a provider.
#[async_trait]
pub trait IdentityStore: Send + Sync + 'static {
    /// The member with this identity.
    async fn find_member_by_identity(
        &self,
        identity: &Identity,
    ) -> Result<Option<Member>, StorageError>;
}

/// A person at a provider (OpenID Connect Core section 5.7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// The person there, for ever.
    pub subject: String,
}

/// A sign-in by an identity.
#[derive(Debug, Clone)]
pub struct IdentityUse {
    /// The identity. It becomes the member's if they have none of this provider.
    pub identity: Identity,
    /// The question that led to the provider.
    pub challenge: AnsweredChallenge,
}
