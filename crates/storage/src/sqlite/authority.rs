//! Whether the authority on which something is made is still good.

use oauth::Timestamp;
use rusqlite::Connection;

use super::{access_tokens, api_tokens, sessions};
use crate::{ActingCredential, Authority, MemberId, StorageError};

/// [`StorageError::SignedOut`] if what the request came with has ended. The single writer lets nothing else in before the commit.
pub(super) fn check(
    database: &Connection,
    authority: Authority,
    now: Timestamp,
) -> Result<(), StorageError> {
    let Authority::Member(member, credential) = authority else { return Ok(()) };
    let is_good = is_good(database, member, credential, now)?;
    is_good.then_some(()).ok_or(StorageError::SignedOut)
}

fn is_good(
    database: &Connection,
    member: MemberId,
    credential: ActingCredential,
    now: Timestamp,
) -> Result<bool, StorageError> {
    match credential {
        ActingCredential::Session(hash) => sessions::is_alive(database, member, &hash),
        ActingCredential::AccessToken(hash) => {
            let of_family = access_tokens::find(database, &hash, now)?;
            let token = match of_family {
                Some(found) => Some(found.token),
                None => api_tokens::find(database, hash, now)?.map(|found| found.token),
            };
            Ok(token.is_some_and(|token| token.grant.member == member))
        }
    }
}
