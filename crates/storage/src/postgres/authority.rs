//! Holds the authority on which something is made.

use deadpool_postgres::GenericClient;
use oauth::{CredentialHash, Timestamp};

use super::query::query_opt;
use super::statements::sessions::{HOLD_API_TOKEN, HOLD_MEMBER};
use super::{access_tokens, sessions};
use crate::{ActingCredential, Authority, MemberId, StorageError};

/// [`StorageError::SignedOut`] if what the request came with has ended. A later attempt to end it waits for the transaction, and then sees
/// what it made. The member's row is held first, as by all that ends something of a member.
pub(super) async fn hold(
    transaction: &impl GenericClient,
    authority: Authority,
    now: Timestamp,
) -> Result<(), StorageError> {
    let Authority::Member(member, credential) = authority else { return Ok(()) };
    query_opt(transaction, HOLD_MEMBER, &[&member.to_row()]).await?;
    let is_good = match credential {
        ActingCredential::Session(hash) => sessions::hold(transaction, member, &hash).await?,
        ActingCredential::AccessToken(hash) => {
            match access_tokens::hold(transaction, &hash, now).await? {
                Some(token) => token.grant.member == member,
                None => hold_api_token(transaction, member, &hash, now).await?,
            }
        }
    };
    is_good.then_some(()).ok_or(StorageError::SignedOut)
}

async fn hold_api_token(
    transaction: &impl GenericClient,
    member: MemberId,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let (hash, now) = (hash.as_bytes().as_slice(), now.as_milliseconds());
    let values = [&hash as _, &member.to_row() as _, &now as _];
    Ok(query_opt(transaction, HOLD_API_TOKEN, &values).await?.is_some())
}
