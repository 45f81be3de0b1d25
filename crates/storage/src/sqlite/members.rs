//! Members.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{audit, roles, sessions};
use crate::statements::{
    ADD_MEMBER, CHANGE_PASSWORD, FIND_MEMBER_BY_EMAIL, LOOKUP_MEMBER, RENEW_PASSWORD_HASH,
};
use crate::{
    AuditEvent, Member, MemberId, NewAuditEntry, NewMember, NewPassword, RenewedHash, StorageError,
};

pub(super) fn add(database: &Connection, member: &NewMember) -> Result<MemberId, StorageError> {
    let values = params![member.email, member.password_hash, member.act.at.as_milliseconds()];
    let id = database.prepare_cached(ADD_MEMBER)?.query_row(values, |row| row.get(0))?;
    let id = MemberId::from_row(id);
    roles::add(database, id, &member.roles)?;
    audit::add(database, &NewAuditEntry::of_new_member(id, member))?;
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

/// Writes down the change first, then the sessions that it ends.
pub(super) fn change_password(
    database: &Connection,
    password: &NewPassword,
) -> Result<(), StorageError> {
    let NewPassword { member, password_hash, kept_session, act } = password;
    let values = params![password_hash, member.to_row()];
    database.prepare_cached(CHANGE_PASSWORD)?.execute(values)?;
    let entry = NewAuditEntry::of_member(AuditEvent::PasswordChanged, *member, "", *act);
    audit::add(database, &entry)?;
    match kept_session {
        Some(kept) => sessions::end_others(database, *member, kept, *act).map(drop),
        None => sessions::end_all(database, *member, *act),
    }
}

pub(super) fn renew_hash(database: &Connection, renewed: &RenewedHash) -> Result<(), StorageError> {
    let values = params![renewed.after, renewed.member.to_row(), renewed.before];
    database.prepare_cached(RENEW_PASSWORD_HASH)?.execute(values)?;
    Ok(())
}

pub(super) fn member(row: &Row<'_>) -> rusqlite::Result<Member> {
    Ok(Member {
        id: MemberId::from_row(row.get(0)?),
        email: row.get(1)?,
        password_hash: row.get(2)?,
    })
}
