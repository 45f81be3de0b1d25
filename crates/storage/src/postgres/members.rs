//! Members and their sessions.

use deadpool_postgres::GenericClient;
use oauth::{CredentialHash, SESSION_ABSOLUTE, SESSION_IDLE, Timestamp};
use tokio_postgres::Row;

use super::query::{execute, query_one, query_opt, storable};
use crate::members::FoundSession;
use crate::statements::{
    ADD_MEMBER, ADD_SESSION, FIND_MEMBER_BY_EMAIL, FIND_SESSION, LOOKUP_MEMBER, REMOVE_SESSION,
    TOUCH_SESSION,
};
use crate::{Member, MemberId, NewMember, NewSession, Session, StorageError};

pub(super) async fn add(
    database: &impl GenericClient,
    member: &NewMember,
) -> Result<MemberId, StorageError> {
    let created_at = member.created_at.as_milliseconds();
    let values = [&member.email as _, &member.password_hash as _, &created_at as _];
    Ok(MemberId::from_row(query_one(database, ADD_MEMBER, &values).await?.try_get(0)?))
}

pub(super) async fn lookup(
    database: &impl GenericClient,
    id: MemberId,
) -> Result<Option<Member>, StorageError> {
    query_opt(database, LOOKUP_MEMBER, &[&id.to_row()]).await?.map(|row| member(&row)).transpose()
}

pub(super) async fn find_by_email(
    database: &impl GenericClient,
    email: &str,
) -> Result<Option<Member>, StorageError> {
    let Some(email) = storable(email) else { return Ok(None) };
    query_opt(database, FIND_MEMBER_BY_EMAIL, &[&email]).await?.map(|row| member(&row)).transpose()
}

fn member(row: &Row) -> Result<Member, StorageError> {
    Ok(Member {
        id: MemberId::from_row(row.try_get(0)?),
        email: row.try_get(1)?,
        password_hash: row.try_get(2)?,
    })
}

pub(super) async fn add_session(
    database: &impl GenericClient,
    session: &NewSession,
) -> Result<(), StorageError> {
    let hash = session.hash.as_bytes().as_slice();
    let expires_at = (session.now + SESSION_ABSOLUTE).as_milliseconds();
    let now = session.now.as_milliseconds();
    let values = [&hash as _, &session.member.to_row() as _, &now as _, &expires_at as _];
    execute(database, ADD_SESSION, &values).await?;
    Ok(())
}

pub(super) async fn find_session(
    database: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundSession>, StorageError> {
    let hash = hash.as_bytes().as_slice();
    let seen_after = (now - SESSION_IDLE).as_milliseconds();
    let values = [&hash as _, &seen_after as _, &now.as_milliseconds() as _];
    let found = query_opt(database, FIND_SESSION, &values).await?;
    found
        .map(|row| {
            let seen_at = Timestamp::from_milliseconds(row.try_get(3)?);
            Ok(FoundSession { session: Session { member: member(&row)? }, seen_at })
        })
        .transpose()
}

pub(super) async fn touch_session(
    database: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<(), StorageError> {
    let hash = hash.as_bytes().as_slice();
    execute(database, TOUCH_SESSION, &[&now.as_milliseconds(), &hash]).await?;
    Ok(())
}

pub(super) async fn remove_session(
    database: &impl GenericClient,
    hash: &CredentialHash,
) -> Result<(), StorageError> {
    execute(database, REMOVE_SESSION, &[&hash.as_bytes().as_slice()]).await?;
    Ok(())
}
