//! Members and their sessions.

use oauth::{CredentialHash, SESSION_ABSOLUTE, SESSION_IDLE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::members::FoundSession;
use crate::statements::{
    ADD_MEMBER, ADD_SESSION, FIND_MEMBER_BY_EMAIL, FIND_SESSION, LOOKUP_MEMBER, REMOVE_SESSION,
    TOUCH_SESSION,
};
use crate::{Member, MemberId, NewMember, NewSession, Session, StorageError};

pub(super) fn add(database: &Connection, member: &NewMember) -> Result<MemberId, StorageError> {
    let values = params![member.email, member.password_hash, member.created_at.as_milliseconds()];
    let id = database.prepare_cached(ADD_MEMBER)?.query_row(values, |row| row.get(0))?;
    Ok(MemberId::from_row(id))
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

fn member(row: &Row<'_>) -> rusqlite::Result<Member> {
    Ok(Member {
        id: MemberId::from_row(row.get(0)?),
        email: row.get(1)?,
        password_hash: row.get(2)?,
    })
}

pub(super) fn add_session(database: &Connection, session: &NewSession) -> Result<(), StorageError> {
    let expires_at = session.now + SESSION_ABSOLUTE;
    database.prepare_cached(ADD_SESSION)?.execute(params![
        session.hash.as_bytes(),
        session.member.to_row(),
        session.now.as_milliseconds(),
        expires_at.as_milliseconds(),
    ])?;
    Ok(())
}

pub(super) fn find_session(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundSession>, StorageError> {
    let values =
        params![hash.as_bytes(), (now - SESSION_IDLE).as_milliseconds(), now.as_milliseconds()];
    let found = database.prepare_cached(FIND_SESSION)?.query_row(values, |row| {
        let seen_at = Timestamp::from_milliseconds(row.get(3)?);
        Ok(FoundSession { session: Session { member: member(row)? }, seen_at })
    });
    Ok(found.optional()?)
}

pub(super) fn touch_session(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<(), StorageError> {
    database
        .prepare_cached(TOUCH_SESSION)?
        .execute(params![now.as_milliseconds(), hash.as_bytes()])?;
    Ok(())
}

pub(super) fn remove_session(
    database: &Connection,
    hash: &CredentialHash,
) -> Result<(), StorageError> {
    database.prepare_cached(REMOVE_SESSION)?.execute([hash.as_bytes()])?;
    Ok(())
}
