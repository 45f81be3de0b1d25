//! A program asks whose token it has.

use std::sync::Arc;

use storage::{MemberId, RoleGrant, StorageError};

use crate::App;
use crate::bounded_cache::BoundedCache;

/// Addresses are short; more members than use programs at the same time on one server.
const ADDRESS_BYTES_AT_MOST: usize = 64 * 1024;

/// Who a token acts for.
#[derive(Debug, Clone)]
pub struct TokenHolder {
    /// Their address.
    pub email: Arc<str>,
    /// Their roles at this moment.
    pub grants: Arc<[RoleGrant]>,
}

/// Addresses of members, in memory. A member keeps the address for life, and no other member ever gets the id.
#[derive(Debug)]
pub(crate) struct AddressCache(BoundedCache<MemberId, Arc<str>>);

impl Default for AddressCache {
    fn default() -> Self {
        Self(BoundedCache::holding(ADDRESS_BYTES_AT_MOST))
    }
}

/// Who the member of a token is; `None` if they were removed at this moment.
///
/// # Errors
/// When the store does not answer.
pub async fn token_holder(
    app: &App,
    member: MemberId,
) -> Result<Option<TokenHolder>, StorageError> {
    let grants = app.store().find_roles(member, app.now()).await?;
    if let Some(email) = app.addresses().0.find(&member) {
        return Ok(Some(TokenHolder { email, grants }));
    }
    let Some(found) = app.store().lookup_member(member).await? else { return Ok(None) };
    let email: Arc<str> = found.email.into();
    app.addresses().0.put(member, Arc::clone(&email), email.len());
    Ok(Some(TokenHolder { email, grants }))
}
