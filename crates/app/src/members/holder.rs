//! A program asks whose token it has.

use std::sync::Arc;

use quick_cache::sync::Cache;
use storage::{MemberId, RoleGrant, StorageError};

use crate::App;

/// More members than use programs at the same time on one server; a megabyte.
const ADDRESSES_AT_MOST: usize = 16_384;

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
pub(crate) struct AddressCache(Cache<MemberId, Arc<str>>);

impl Default for AddressCache {
    fn default() -> Self {
        Self(Cache::new(ADDRESSES_AT_MOST))
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
    if let Some(email) = app.addresses().0.get(&member) {
        return Ok(Some(TokenHolder { email, grants }));
    }
    let Some(found) = app.store().lookup_member(member).await? else { return Ok(None) };
    let email: Arc<str> = found.email.into();
    app.addresses().0.insert(member, Arc::clone(&email));
    Ok(Some(TokenHolder { email, grants }))
}
