//! Members.

use deadpool_postgres::{GenericClient, Object};
use tokio_postgres::Row;

use super::audit;
use super::query::{query_one, query_opt, storable};
use crate::statements::{ADD_MEMBER, FIND_MEMBER_BY_EMAIL, LOOKUP_MEMBER};
use crate::{AuditEvent, Member, MemberId, NewAuditEntry, NewMember, StorageError};

pub(super) async fn add(
    database: &mut Object,
    member: &NewMember,
) -> Result<MemberId, StorageError> {
    let transaction = database.transaction().await?;
    let created_at = member.act.at.as_milliseconds();
    let values = [&member.email as _, &member.password_hash as _, &created_at as _];
    let id = MemberId::from_row(query_one(&transaction, ADD_MEMBER, &values).await?.try_get(0)?);
    let entry = NewAuditEntry::of_member(AuditEvent::MemberAdded, id, "", member.act);
    audit::add(&transaction, &entry).await?;
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

pub(super) fn member(row: &Row) -> Result<Member, StorageError> {
    Ok(Member {
        id: MemberId::from_row(row.try_get(0)?),
        email: row.try_get(1)?,
        password_hash: row.try_get(2)?,
    })
}
