//! Whether the authority on which something is made is still good.

use oauth::Timestamp;
use rusqlite::Connection;

use super::{access_tokens, api_tokens, sessions};
use crate::{ActingCredential, Authority, StorageError};

/// Whether what the request came with has not ended. The single writer changes nothing meanwhile.
pub(super) fn is_good(
    database: &Connection,
    authority: Authority,
    now: Timestamp,
) -> Result<bool, StorageError> {
    match authority {
        Authority::Operator => Ok(true),
        Authority::Member(member, ActingCredential::Session(hash)) => {
            sessions::is_alive(database, member, &hash)
        }
        Authority::Member(member, ActingCredential::AccessToken(hash)) => {
            let of_family = access_tokens::find(database, &hash, now)?;
            let token = match of_family {
                Some(found) => Some(found.token),
                None => api_tokens::find(database, hash, now)?.map(|found| found.token),
            };
            Ok(token.is_some_and(|token| token.grant.member == member))
        }
    }
}
