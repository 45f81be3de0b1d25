//! All ways in which something may be done in a member's name, but those by which they sign in.

use rusqlite::{Connection, params};

use super::{api_tokens, audit, sessions};
use crate::statements::consents::{
    END_FAMILIES_OF_MEMBER, LIST_CLIENTS_OF_MEMBER, REMOVE_CODES_OF_MEMBER,
    REMOVE_CONSENTS_OF_MEMBER,
};
use crate::stored::client_id;
use crate::{Act, MemberId, NewAuditEntry, StorageError};

/// Ends all sessions of a member, their consents, with codes and tokens, and their API tokens.
pub(super) fn end_all(
    database: &Connection,
    member: MemberId,
    act: Act,
) -> Result<(), StorageError> {
    sessions::end_all(database, member, act)?;
    let mut statement = database.prepare_cached(LIST_CLIENTS_OF_MEMBER)?;
    let clients = statement.query_map([member.to_row()], |row| row.get::<_, String>(0))?;
    for client in clients.collect::<Result<Vec<_>, _>>()? {
        let entry = NewAuditEntry::of_disconnecting(member, &client_id(&client)?, act);
        audit::add(database, &entry)?;
    }
    for remove in [REMOVE_CODES_OF_MEMBER, REMOVE_CONSENTS_OF_MEMBER] {
        database.prepare_cached(remove)?.execute([member.to_row()])?;
    }
    let values = params![act.at.as_milliseconds(), member.to_row()];
    database.prepare_cached(END_FAMILIES_OF_MEMBER)?.execute(values)?;
    api_tokens::remove_all(database, member, act)
}
