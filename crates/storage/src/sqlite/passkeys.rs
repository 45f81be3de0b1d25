//! Passkeys, and the challenges that were answered with them.

use async_trait::async_trait;
use oauth::Timestamp;
use rusqlite::{Connection, params};

use super::query::{query, query_opt};
use super::{SqliteStore, access, audit, sessions};
use crate::invalidation::{Change, Invalidation};
use crate::passkeys::PASSKEYS_AT_MOST;
use crate::row::Row as _;
use crate::statements::passkeys::{
    ADD_PASSKEY, FIND_PASSKEY, LIST_PASSKEYS, NOTE_PASSKEY_USE, REMOVE_PASSKEY,
    REMOVE_PASSKEYS_OF_MEMBER, RENAME_PASSKEY, SPEND_CHALLENGE,
};
use crate::{
    Act, AddPasskeyOutcome, AnsweredChallenge, AuditEvent, FoundPasskey, MemberId, NewAuditEntry,
    NewPasskey, PasskeyLine, PasskeyStore, PasskeyUse, RenamePasskey, StorageError,
};

#[async_trait]
impl PasskeyStore for SqliteStore {
    async fn add_passkey(&self, passkey: NewPasskey) -> Result<AddPasskeyOutcome, StorageError> {
        self.writer.write(Some(passkey.act.at), move |database| add(database, &passkey)).await
    }

    async fn find_passkey(
        &self,
        credential_id: &[u8],
    ) -> Result<Option<FoundPasskey>, StorageError> {
        let credential_id = credential_id.to_owned();
        self.readers.read(move |database| find(database, &credential_id)).await
    }

    async fn list_passkeys(&self, member: MemberId) -> Result<Vec<PasskeyLine>, StorageError> {
        self.readers.read(move |database| list(database, member)).await
    }

    async fn rename_passkey(&self, asked: RenamePasskey) -> Result<bool, StorageError> {
        self.writer.write(None, move |database| rename(database, &asked)).await
    }

    async fn remove_passkey(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let id = id.to_owned();
        self.writer.write(Some(act.at), move |database| remove(database, member, &id, act)).await
    }

    async fn remove_passkeys(&self, member: MemberId, act: Act) -> Result<usize, StorageError> {
        self.change_tokens(act.at, move |database| remove_all(database, member, act)).await
    }
}

pub(super) fn add(
    database: &Connection,
    passkey: &NewPasskey,
) -> Result<AddPasskeyOutcome, StorageError> {
    let NewPasskey { member, name, session, act, .. } = passkey;
    if !sessions::is_alive(database, *member, session)? {
        return Ok(AddPasskeyOutcome::SignedOut);
    }
    spend(database, passkey.challenge)?;
    let added = database.prepare_cached(ADD_PASSKEY)?.execute(params![
        passkey.credential_id,
        passkey.id,
        member.to_row(),
        passkey.credential,
        name,
        act.at.as_milliseconds(),
        PASSKEYS_AT_MOST,
    ])?;
    if added == 0 {
        return Ok(AddPasskeyOutcome::TooMany);
    }
    let entry = NewAuditEntry::of_member(AuditEvent::PasskeyAdded, *member, name, *act);
    audit::add(database, &entry)?;
    Ok(AddPasskeyOutcome::Added)
}

pub(super) fn find(
    database: &Connection,
    credential_id: &[u8],
) -> Result<Option<FoundPasskey>, StorageError> {
    query_opt(database, FIND_PASSKEY, [credential_id], |row| FoundPasskey::from_row(row))
}

/// The passkeys of a member, those added first first.
pub(super) fn list(
    database: &Connection,
    member: MemberId,
) -> Result<Vec<PasskeyLine>, StorageError> {
    query(database, LIST_PASSKEYS, [member.to_row()], |row| PasskeyLine::from_row(row))
}

/// Spends the challenge and moves the passkey on; a conflict if either has happened already, or the passkey is gone.
pub(super) fn note_use(
    database: &Connection,
    member: MemberId,
    used: &PasskeyUse,
    now: Timestamp,
) -> Result<(), StorageError> {
    spend(database, used.challenge)?;
    let PasskeyUse { credential_id, before, after, .. } = used;
    let values = params![after, now.as_milliseconds(), credential_id, before, member.to_row()];
    let noted = database.prepare_cached(NOTE_PASSKEY_USE)?.execute(values)?;
    if noted == 0 { Err(StorageError::Conflict) } else { Ok(()) }
}

pub(super) fn spend(
    database: &Connection,
    challenge: AnsweredChallenge,
) -> Result<(), StorageError> {
    let values = params![challenge.hash.as_bytes(), challenge.expires_at.as_milliseconds()];
    database.prepare_cached(SPEND_CHALLENGE)?.execute(values)?;
    Ok(())
}

pub(super) fn rename(database: &Connection, rename: &RenamePasskey) -> Result<bool, StorageError> {
    let values = params![rename.name, rename.member.to_row(), rename.id];
    Ok(database.prepare_cached(RENAME_PASSKEY)?.execute(values)? > 0)
}

pub(super) fn remove(
    database: &Connection,
    member: MemberId,
    id: &str,
    act: Act,
) -> Result<bool, StorageError> {
    let values = params![member.to_row(), id];
    let names = query(database, REMOVE_PASSKEY, values, |row| row.column(0))?;
    note_removed(database, member, &names, act)
}

pub(super) fn remove_all(
    database: &Connection,
    member: MemberId,
    act: Act,
) -> Result<(usize, Change), StorageError> {
    access::end_all(database, member, act)?;
    let names = query(database, REMOVE_PASSKEYS_OF_MEMBER, [member.to_row()], |row| row.column(0))?;
    note_removed(database, member, &names, act)?;
    Ok((names.len(), Change::Ended(Invalidation::Everything)))
}

fn note_removed(
    database: &Connection,
    member: MemberId,
    names: &[String],
    act: Act,
) -> Result<bool, StorageError> {
    for name in names {
        let entry = NewAuditEntry::of_member(AuditEvent::PasskeyRemoved, member, name, act);
        audit::add(database, &entry)?;
    }
    Ok(!names.is_empty())
}
