//! Passkeys, and the challenges that were answered with them.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object, Transaction};
use oauth::Timestamp;
use tokio_postgres::Row;

use super::query::{begin, commit, execute, query, query_opt, storable};
use super::statements::members::LOCK_MEMBER;
use super::{PostgresStore, access, audit, sessions};
use crate::invalidation::Change;
use crate::passkeys::PASSKEYS_AT_MOST;
use crate::statements::passkeys::{
    ADD_PASSKEY, FIND_PASSKEY, LIST_PASSKEYS, NOTE_PASSKEY_USE, REMOVE_PASSKEY,
    REMOVE_PASSKEYS_OF_MEMBER, RENAME_PASSKEY, SPEND_CHALLENGE,
};
use crate::{
    Act, AddPasskeyOutcome, AnsweredChallenge, AuditEvent, FoundPasskey, MemberId, NewAuditEntry,
    NewPasskey, PasskeyLine, PasskeyStore, PasskeyUse, RenamePasskey, StorageError,
};

#[async_trait]
impl PasskeyStore for PostgresStore {
    async fn add_passkey(&self, passkey: NewPasskey) -> Result<AddPasskeyOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let NewPasskey { credential_id, id, member, credential, name, session, act, .. } = &passkey;
        if !sessions::hold(&transaction, *member, session).await? {
            return Ok(AddPasskeyOutcome::SignedOut);
        }
        spend(&transaction, passkey.challenge).await?;
        let values = [
            credential_id as _,
            id as _,
            &member.to_row() as _,
            credential as _,
            name as _,
            &act.at.as_milliseconds() as _,
            &PASSKEYS_AT_MOST as _,
        ];
        if execute(&transaction, ADD_PASSKEY, &values).await? == 0 {
            commit(transaction).await?;
            return Ok(AddPasskeyOutcome::TooMany);
        }
        let entry = NewAuditEntry::of_member(AuditEvent::PasskeyAdded, *member, name, *act);
        audit::add(&transaction, &entry).await?;
        commit(transaction).await?;
        Ok(AddPasskeyOutcome::Added)
    }

    async fn find_passkey(
        &self,
        credential_id: &[u8],
    ) -> Result<Option<FoundPasskey>, StorageError> {
        let connection = self.connections.get().await?;
        let found = query_opt(&connection.database, FIND_PASSKEY, &[&credential_id]).await?;
        found.map(|row| FoundPasskey::from_row(&row)).transpose()
    }

    async fn list_passkeys(&self, member: MemberId) -> Result<Vec<PasskeyLine>, StorageError> {
        let connection = self.connections.get().await?;
        query(&connection.database, LIST_PASSKEYS, &[&member.to_row()])
            .await?
            .iter()
            .map(PasskeyLine::from_row)
            .collect()
    }

    async fn rename_passkey(&self, asked: RenamePasskey) -> Result<bool, StorageError> {
        let connection = self.connections.get().await?;
        rename(&connection.database, &asked).await
    }

    async fn remove_passkey(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let is_removed = remove(&transaction, member, id, act).await?;
        commit(transaction).await?;
        Ok(is_removed)
    }

    async fn remove_passkeys(&self, member: MemberId, act: Act) -> Result<usize, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let removed = remove_all(&mut connection.database, member, act).await?;
        Ok(self.answer(epoch, removed))
    }
}

/// Spends the challenge and moves the passkey on; a conflict if either has happened already, or the passkey is gone.
pub(super) async fn note_use(
    transaction: &impl GenericClient,
    member: MemberId,
    used: &PasskeyUse,
    now: Timestamp,
) -> Result<(), StorageError> {
    spend(transaction, used.challenge).await?;
    let PasskeyUse { credential_id, before, after, .. } = used;
    let values = [
        after as _,
        &now.as_milliseconds() as _,
        credential_id as _,
        before as _,
        &member.to_row() as _,
    ];
    let noted = execute(transaction, NOTE_PASSKEY_USE, &values).await?;
    if noted == 0 { Err(StorageError::Conflict) } else { Ok(()) }
}

pub(super) async fn spend(
    transaction: &impl GenericClient,
    challenge: AnsweredChallenge,
) -> Result<(), StorageError> {
    let hash = challenge.hash.as_bytes().as_slice();
    let values = [&hash as _, &challenge.expires_at.as_milliseconds() as _];
    execute(transaction, SPEND_CHALLENGE, &values).await.map(drop)
}

pub(super) async fn rename(
    database: &impl GenericClient,
    rename: &RenamePasskey,
) -> Result<bool, StorageError> {
    let RenamePasskey { member, id, name } = rename;
    let Some(id) = storable(id) else { return Ok(false) };
    Ok(execute(database, RENAME_PASSKEY, &[name, &member.to_row(), &id]).await? > 0)
}

pub(super) async fn remove(
    transaction: &impl GenericClient,
    member: MemberId,
    id: &str,
    act: Act,
) -> Result<bool, StorageError> {
    let Some(id) = storable(id) else { return Ok(false) };
    let removed = query(transaction, REMOVE_PASSKEY, &[&member.to_row(), &id]).await?;
    note_removed(transaction, member, &removed, act).await?;
    Ok(!removed.is_empty())
}

pub(super) async fn remove_all(
    database: &mut Object,
    member: MemberId,
    act: Act,
) -> Result<(usize, Change), StorageError> {
    let transaction = begin(database).await?;
    query_opt(&transaction, LOCK_MEMBER, &[&member.to_row()]).await?;
    let removed = remove_all_within(&transaction, member, act).await?;
    commit(transaction).await?;
    Ok(removed)
}

/// The same in a transaction that holds the member.
pub(super) async fn remove_all_within(
    transaction: &Transaction<'_>,
    member: MemberId,
    act: Act,
) -> Result<(usize, Change), StorageError> {
    // Sessions first: this waits for a passkey that is being added in one at this moment, and then removes it too.
    let change = access::end_all(transaction, member, act).await?;
    let removed = query(transaction, REMOVE_PASSKEYS_OF_MEMBER, &[&member.to_row()]).await?;
    note_removed(transaction, member, &removed, act).await?;
    Ok((removed.len(), change))
}

async fn note_removed(
    database: &impl GenericClient,
    member: MemberId,
    names: &[Row],
    act: Act,
) -> Result<(), StorageError> {
    for row in names {
        let name: &str = row.try_get(0)?;
        let entry = NewAuditEntry::of_member(AuditEvent::PasskeyRemoved, member, name, act);
        audit::add(database, &entry).await?;
    }
    Ok(())
}
