//! All ways in which something may be done in a member's name, but those by which they sign in.

use deadpool_postgres::Transaction;

use super::query::{execute, query};
use super::{api_tokens, audit, clients, sessions};
use crate::invalidation::Change;
use crate::statements::consents::{
    END_FAMILIES_OF_MEMBER, LIST_CLIENTS_OF_MEMBER, REMOVE_CODES_OF_MEMBER,
    REMOVE_CONSENTS_OF_MEMBER,
};
use crate::stored::client_id;
use crate::{Act, MemberId, NewAuditEntry, StorageError};

/// Ends all sessions of a member, their consents, with codes and tokens, and their API tokens. Sessions go first: a consent that is
/// given in one at this moment is waited for, and then ends too. So does the family of a code that is being exchanged.
pub(super) async fn end_all(
    transaction: &Transaction<'_>,
    member: MemberId,
    act: Act,
) -> Result<Change, StorageError> {
    sessions::end_all(transaction, member, act).await?;
    execute(transaction, REMOVE_CODES_OF_MEMBER, &[&member.to_row()]).await?;
    for row in query(transaction, LIST_CLIENTS_OF_MEMBER, &[&member.to_row()]).await? {
        let entry = NewAuditEntry::of_disconnecting(member, &client_id(row.try_get(0)?)?, act);
        audit::add(transaction, &entry).await?;
    }
    execute(transaction, REMOVE_CONSENTS_OF_MEMBER, &[&member.to_row()]).await?;
    let values = [&act.at.as_milliseconds() as _, &member.to_row() as _];
    execute(transaction, END_FAMILIES_OF_MEMBER, &values).await?;
    api_tokens::remove_all(transaction, member, act).await?;
    clients::tell(transaction).await
}
