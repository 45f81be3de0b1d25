//! Members.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::audit;
use crate::statements::{ADD_MEMBER, FIND_MEMBER_BY_EMAIL, LOOKUP_MEMBER};
use crate::{AuditEvent, Member, MemberId, NewAuditEntry, NewMember, StorageError};

pub(super) fn add(database: &Connection, member: &NewMember) -> Result<MemberId, StorageError> {
    let values = params![member.email, member.password_hash, member.act.at.as_milliseconds()];
    let id = database.prepare_cached(ADD_MEMBER)?.query_row(values, |row| row.get(0))?;
    let id = MemberId::from_row(id);
    audit::add(database, &NewAuditEntry::of_member(AuditEvent::MemberAdded, id, "", member.act))?;
    Ok(id)
}

pub(super) fn lookup(database: &Connection, id: MemberId) -> Result<Option<Member>, StorageError> {
    Ok(database.prepare_cached(LOOKUP_MEMBER)?.query_row([id.to_row()], member).optional()?)
}

pub(super) fn find_by_email(
    database: &Connection,
    email: &str,
) -> Result<Option<Member>, StorageError> {
    Ok(database.prepare_cached(FIND_MEMBER_BY_EMAIL)?.query_row([email], member).optional()?)
}

pub(super) fn member(row: &Row<'_>) -> rusqlite::Result<Member> {
    Ok(Member {
        id: MemberId::from_row(row.get(0)?),
        email: row.get(1)?,
        password_hash: row.get(2)?,
    })
}
