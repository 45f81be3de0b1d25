//! Holds the authority on which something is made.

use deadpool_postgres::GenericClient;
use oauth::{CredentialHash, Timestamp};

use super::query::query_opt;
use super::statements::sessions::{HOLD_API_TOKEN, HOLD_MEMBER};
use super::{access_tokens, sessions};
use crate::{ActingCredential, Authority, MemberId, StorageError};

/// Whether what the request came with has not ended. A later attempt to end it waits for the transaction, and then sees what it made.
/// The member's row is held first, as by all that ends something of a member.
pub(super) async fn hold(
    transaction: &impl GenericClient,
    authority: Authority,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let Authority::Member(member, credential) = authority else { return Ok(true) };
    query_opt(transaction, HOLD_MEMBER, &[&member.to_row()]).await?;
    match credential {
        ActingCredential::Session(hash) => sessions::hold(transaction, member, &hash).await,
        ActingCredential::AccessToken(hash) => {
            let found = access_tokens::hold(transaction, &hash, now).await?;
            match found {
                Some(token) => Ok(token.grant.member == member),
                None => hold_api_token(transaction, member, &hash, now).await,
            }
        }
    }
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
