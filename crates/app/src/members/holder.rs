//! A program asks for whom its token acts.

use std::sync::Arc;

use quick_cache::sync::Cache;
use storage::{MemberId, RoleGrant, StorageError};

use crate::App;

/// More members than use programs at the same time on one server; they take a megabyte.
const ADDRESSES_AT_MOST: usize = 16_384;

/// The member for whom a token acts.
#[derive(Debug, Clone)]
pub struct TokenHolder {
    /// Their e-mail address.
    pub email: Arc<str>,
    /// Their roles now.
    pub grants: Arc<[RoleGrant]>,
}

/// Members' e-mail addresses, in memory. A member keeps the address for life, and no other member ever gets the id.
#[derive(Debug)]
pub(crate) struct AddressCache(Cache<MemberId, Arc<str>>);

impl Default for AddressCache {
    fn default() -> Self {
        Self(Cache::new(ADDRESSES_AT_MOST))
    }
}

/// The member of a token; `None` if they were just removed.
///
/// # Errors
/// When the store does not answer.
pub async fn token_holder(
    app: &App,
    member: MemberId,
) -> Result<Option<TokenHolder>, StorageError> {
    let grants = app.store().find_roles(member, app.now()).await?;
    if let Some(email) = app.caches().addresses.0.get(&member) {
        return Ok(Some(TokenHolder { email, grants }));
    }
    let Some(found) = app.store().lookup_member(member).await? else { return Ok(None) };
    let email: Arc<str> = found.email.into();
    app.caches().addresses.0.insert(member, Arc::clone(&email));
    Ok(Some(TokenHolder { email, grants }))
}
