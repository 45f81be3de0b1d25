//! Members.

use deadpool_postgres::{GenericClient, Object};
use tokio_postgres::Row;

use super::query::{execute, query_one, query_opt, storable};
use super::{audit, roles, sessions};
use crate::statements::{
    ADD_MEMBER, CHANGE_PASSWORD, FIND_MEMBER_BY_EMAIL, LOOKUP_MEMBER, RENEW_PASSWORD_HASH,
};
use crate::{
    AuditEvent, Member, MemberId, NewAuditEntry, NewMember, NewPassword, RenewedHash, StorageError,
};

pub(super) async fn add(
    database: &mut Object,
    member: &NewMember,
) -> Result<MemberId, StorageError> {
    let transaction = database.transaction().await?;
    let created_at = member.act.at.as_milliseconds();
    let values = [&member.email as _, &member.password_hash as _, &created_at as _];
    let id = MemberId::from_row(query_one(&transaction, ADD_MEMBER, &values).await?.try_get(0)?);
    roles::add(&transaction, id, &member.roles).await?;
    audit::add(&transaction, &NewAuditEntry::of_new_member(id, member)).await?;
    transaction.commit().await?;
    Ok(id)
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

/// Writes down the change first, then the sessions that it ends.
pub(super) async fn change_password(
    database: &mut Object,
    password: &NewPassword,
) -> Result<(), StorageError> {
    let NewPassword { member, password_hash, kept_session, act } = password;
    let transaction = database.transaction().await?;
    execute(&transaction, CHANGE_PASSWORD, &[password_hash, &member.to_row()]).await?;
    let entry = NewAuditEntry::of_member(AuditEvent::PasswordChanged, *member, "", *act);
    audit::add(&transaction, &entry).await?;
    match kept_session {
        Some(kept) => {
            sessions::end_others_within(&transaction, *member, kept, *act).await?;
        }
        None => sessions::end_all(&transaction, *member, *act).await?,
    }
    Ok(transaction.commit().await?)
}

pub(super) async fn renew_hash(
    database: &impl GenericClient,
    renewed: &RenewedHash,
) -> Result<(), StorageError> {
    let RenewedHash { member, before, after } = renewed;
    execute(database, RENEW_PASSWORD_HASH, &[after, &member.to_row(), before]).await.map(drop)
}

pub(super) fn member(row: &Row) -> Result<Member, StorageError> {
    Ok(Member {
        id: MemberId::from_row(row.try_get(0)?),
        email: row.try_get(1)?,
        password_hash: row.try_get(2)?,
    })
}
