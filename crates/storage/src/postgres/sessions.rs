//! Sessions of members in their browsers.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object, Transaction};
use oauth::{CredentialHash, SESSION_ABSOLUTE, SESSION_IDLE, Timestamp};
use tokio_postgres::Row;

use super::query::{begin, commit, execute, query, query_opt, storable};
use super::statements::members::LOCK_MEMBER;
use super::statements::sessions::{HOLD_MEMBER, HOLD_PASSWORD, HOLD_SESSION};
use super::{PostgresStore, audit, identities, passkeys};
use crate::invalidation::Change;
use crate::sessions::{FoundSession, SESSIONS_LISTED_AT_MOST};
use crate::statements::sessions::{
    ADD_SESSION, END_ALL_SESSIONS, END_OTHER_SESSIONS, END_SESSION, FIND_SESSION, LIST_SESSIONS,
    REMOVE_SESSION, TOUCH_SESSION,
};
use crate::{
    Act, AuditEvent, Earlier, MemberId, NewAuditEntry, NewSession, Proof, Session, SessionLine,
    SessionStore, StorageError,
};

#[async_trait]
impl SessionStore for PostgresStore {
    async fn add_session(&self, session: NewSession) -> Result<Earlier, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let added = add(&mut connection.database, &session).await?;
        self.clean(connection, session.act.at);
        Ok(self.answer(epoch, added))
    }

    async fn find_session(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError> {
        let connection = self.connections.get().await?;
        let found = find(&connection.database, hash, now).await?;
        let Some(found) = found else { return Ok(None) };
        if found.is_to_be_touched(now) {
            touch(&connection.database, hash, now).await?;
        }
        Ok(Some(found.session))
    }

    async fn remove_session(&self, hash: &CredentialHash, act: Act) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        remove(&transaction, hash, act).await?;
        commit(transaction).await
    }

    async fn list_sessions(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Vec<SessionLine>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [
            &member.to_row() as _,
            &(now - SESSION_IDLE).as_milliseconds() as _,
            &now.as_milliseconds() as _,
            &SESSIONS_LISTED_AT_MOST as _,
        ];
        query(&connection.database, LIST_SESSIONS, &values)
            .await?
            .iter()
            .map(SessionLine::from_row)
            .collect()
    }

    async fn end_session(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let Some(id) = storable(id) else { return Ok(false) };
        let transaction = begin(&mut connection.database).await?;
        let ended = query(&transaction, END_SESSION, &[&member.to_row(), &id]).await?;
        note_ended(&transaction, member, &ended, act).await?;
        commit(transaction).await?;
        Ok(!ended.is_empty())
    }

    async fn end_other_sessions(
        &self,
        member: MemberId,
        kept: &CredentialHash,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let is_any = end_others(&transaction, member, kept, act).await?;
        commit(transaction).await?;
        Ok(is_any)
    }
}

pub(super) async fn add(
    database: &mut Object,
    session: &NewSession,
) -> Result<(Earlier, Change), StorageError> {
    let transaction = begin(database).await?;
    let added = add_within(&transaction, session).await?;
    commit(transaction).await?;
    Ok(added)
}

/// The member's row is held before anything is looked at: what ends all sessions of a member locks it, and then sees this one.
pub(super) async fn add_within(
    transaction: &Transaction<'_>,
    session: &NewSession,
) -> Result<(Earlier, Change), StorageError> {
    let NewSession { hash, id, member, proof, browser, replaced, act } = session;
    let mut done = (Earlier::Kept, Change::Nothing);
    match proof {
        Proof::Passkey(used) => {
            query_opt(transaction, HOLD_MEMBER, &[&member.to_row()]).await?;
            passkeys::note_use(transaction, *member, used, act.at).await?;
        }
        Proof::Identity(used) => {
            query_opt(transaction, LOCK_MEMBER, &[&member.to_row()]).await?;
            done = identities::note_use(transaction, session, used).await?;
        }
        Proof::Password(hash) => {
            let held = query_opt(transaction, HOLD_PASSWORD, &[&member.to_row(), hash]).await?;
            held.ok_or(StorageError::Conflict)?;
        }
    }
    if let Some(replaced) = replaced {
        remove(transaction, replaced, *act).await?;
    }
    let values = [
        &hash.as_bytes().as_slice() as _,
        id as _,
        &member.to_row() as _,
        browser as _,
        &act.at.as_milliseconds() as _,
        &(act.at + SESSION_ABSOLUTE).as_milliseconds() as _,
    ];
    execute(transaction, ADD_SESSION, &values).await?;
    let entry = NewAuditEntry::of_member(session.event(), *member, browser, *act);
    audit::add(transaction, &entry).await?;
    Ok(done)
}

/// Whether a session of this member is alive. A later attempt to end it waits for the transaction.
pub(super) async fn hold(
    transaction: &impl GenericClient,
    member: MemberId,
    hash: &CredentialHash,
) -> Result<bool, StorageError> {
    let hash = hash.as_bytes().as_slice();
    Ok(query_opt(transaction, HOLD_SESSION, &[&hash, &member.to_row()]).await?.is_some())
}

pub(super) async fn find(
    database: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundSession>, StorageError> {
    let hash = hash.as_bytes().as_slice();
    let seen_after = (now - SESSION_IDLE).as_milliseconds();
    let values = [&hash as _, &seen_after as _, &now.as_milliseconds() as _];
    let found = query_opt(database, FIND_SESSION, &values).await?;
    let found = found.map(|row| FoundSession::from_row(&row)).transpose()?;
    Ok(found.filter(|found| found.is_of_this_time(now)))
}

pub(super) async fn touch(
    database: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<(), StorageError> {
    let hash = hash.as_bytes().as_slice();
    execute(database, TOUCH_SESSION, &[&now.as_milliseconds(), &hash]).await?;
    Ok(())
}

async fn remove(
    transaction: &impl GenericClient,
    hash: &CredentialHash,
    act: Act,
) -> Result<(), StorageError> {
    let hash = hash.as_bytes().as_slice();
    let Some(row) = query_opt(transaction, REMOVE_SESSION, &[&hash]).await? else { return Ok(()) };
    let member = MemberId::from_row(row.try_get(0)?);
    let entry = NewAuditEntry::of_member(AuditEvent::SignedOut, member, "", act);
    audit::add(transaction, &entry).await
}

pub(super) async fn end_others(
    transaction: &impl GenericClient,
    member: MemberId,
    kept: &CredentialHash,
    act: Act,
) -> Result<bool, StorageError> {
    let kept = kept.as_bytes().as_slice();
    let ended = query(transaction, END_OTHER_SESSIONS, &[&member.to_row(), &kept]).await?;
    note_ended(transaction, member, &ended, act).await?;
    Ok(!ended.is_empty())
}

/// Ends all sessions of a member.
pub(super) async fn end_all(
    transaction: &impl GenericClient,
    member: MemberId,
    act: Act,
) -> Result<(), StorageError> {
    let ended = query(transaction, END_ALL_SESSIONS, &[&member.to_row()]).await?;
    note_ended(transaction, member, &ended, act).await
}

async fn note_ended(
    database: &impl GenericClient,
    member: MemberId,
    browsers: &[Row],
    act: Act,
) -> Result<(), StorageError> {
    for row in browsers {
        let entry =
            NewAuditEntry::of_member(AuditEvent::SessionEnded, member, row.try_get(0)?, act);
        audit::add(database, &entry).await?;
    }
    Ok(())
}
