//! Sessions of members in their browsers.

use async_trait::async_trait;
use oauth::{CredentialHash, SESSION_ABSOLUTE, SESSION_IDLE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::members::member;
use super::{SqliteStore, audit, passkeys};
use crate::sessions::{FoundSession, SESSIONS_LISTED_AT_MOST};
use crate::statements::sessions::{
    ADD_SESSION, END_ALL_SESSIONS, END_OTHER_SESSIONS, END_SESSION, FIND_SESSION, HAS_PASSWORD,
    HAS_SESSION, LIST_SESSIONS, REMOVE_SESSION, TOUCH_SESSION,
};
use crate::{
    Act, AuditEvent, MemberId, NewAuditEntry, NewSession, Proof, Session, SessionLine,
    SessionStore, StorageError,
};

#[async_trait]
impl SessionStore for SqliteStore {
    async fn add_session(&self, session: NewSession) -> Result<(), StorageError> {
        self.writer.write(Some(session.act.at), move |database| add(database, &session)).await
    }

    async fn find_session(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError> {
        let hash = *hash;
        let found = self.readers.read(move |database| find(database, &hash, now)).await?;
        let Some(found) = found else { return Ok(None) };
        if found.is_to_be_touched(now) {
            self.writer.write(Some(now), move |database| touch(database, &hash, now)).await?;
        }
        Ok(Some(found.session))
    }

    async fn remove_session(&self, hash: &CredentialHash, act: Act) -> Result<(), StorageError> {
        let hash = *hash;
        self.writer.write(Some(act.at), move |database| remove(database, &hash, act)).await
    }

    async fn list_sessions(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Vec<SessionLine>, StorageError> {
        self.readers.read(move |database| list(database, member, now)).await
    }

    async fn end_session(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let id = id.to_owned();
        self.writer.write(Some(act.at), move |database| end(database, member, &id, act)).await
    }

    async fn end_other_sessions(
        &self,
        member: MemberId,
        kept: &CredentialHash,
        act: Act,
    ) -> Result<bool, StorageError> {
        let kept = *kept;
        self.writer
            .write(Some(act.at), move |database| end_others(database, member, &kept, act))
            .await
    }
}

pub(super) fn add(database: &Connection, session: &NewSession) -> Result<(), StorageError> {
    let now = session.act.at;
    match &session.proof {
        Proof::Passkey(used) => passkeys::note_use(database, session.member, used, now)?,
        Proof::Password(hash) if is_password(database, session.member, hash)? => {}
        Proof::Password(_) => return Err(StorageError::Conflict),
    }
    if let Some(replaced) = &session.replaced {
        remove(database, replaced, session.act)?;
    }
    database.prepare_cached(ADD_SESSION)?.execute(params![
        session.hash.as_bytes(),
        session.id,
        session.member.to_row(),
        session.browser,
        now.as_milliseconds(),
        (now + SESSION_ABSOLUTE).as_milliseconds(),
    ])?;
    let NewSession { member, browser, act, .. } = session;
    audit::add(database, &NewAuditEntry::of_member(session.event(), *member, browser, *act))
}

pub(super) fn find(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundSession>, StorageError> {
    let values =
        params![hash.as_bytes(), (now - SESSION_IDLE).as_milliseconds(), now.as_milliseconds()];
    let found = database.prepare_cached(FIND_SESSION)?.query_row(values, |row| {
        let [seen_at, started_at] = [row.get(4)?, row.get(5)?].map(Timestamp::from_milliseconds);
        Ok(FoundSession { session: Session { member: member(row)?, started_at }, seen_at })
    });
    Ok(found.optional()?.filter(|found| found.is_of_this_time(now)))
}

/// Whether this is the hash of the member's password at this moment.
pub(super) fn is_password(
    database: &Connection,
    member: MemberId,
    hash: &str,
) -> Result<bool, StorageError> {
    Ok(database.prepare_cached(HAS_PASSWORD)?.exists(params![member.to_row(), hash])?)
}

/// Whether a session of this member has not ended.
pub(super) fn is_alive(
    database: &Connection,
    member: MemberId,
    hash: &CredentialHash,
) -> Result<bool, StorageError> {
    let values = params![hash.as_bytes(), member.to_row()];
    Ok(database.prepare_cached(HAS_SESSION)?.exists(values)?)
}

pub(super) fn touch(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<(), StorageError> {
    database
        .prepare_cached(TOUCH_SESSION)?
        .execute(params![now.as_milliseconds(), hash.as_bytes()])?;
    Ok(())
}

pub(super) fn remove(
    database: &Connection,
    hash: &CredentialHash,
    act: Act,
) -> Result<(), StorageError> {
    let mut statement = database.prepare_cached(REMOVE_SESSION)?;
    let removed = statement.query_row([hash.as_bytes()], |row| row.get(0)).optional()?;
    let Some(member) = removed.map(MemberId::from_row) else { return Ok(()) };
    audit::add(database, &NewAuditEntry::of_member(AuditEvent::SignedOut, member, "", act))
}

/// The sessions that are not over, those used last first.
pub(super) fn list(
    database: &Connection,
    member: MemberId,
    now: Timestamp,
) -> Result<Vec<SessionLine>, StorageError> {
    let values = params![
        member.to_row(),
        (now - SESSION_IDLE).as_milliseconds(),
        now.as_milliseconds(),
        SESSIONS_LISTED_AT_MOST
    ];
    let mut statement = database.prepare_cached(LIST_SESSIONS)?;
    let lines = statement.query_map(values, line)?;
    Ok(lines.collect::<Result<_, _>>()?)
}

fn line(row: &Row<'_>) -> rusqlite::Result<SessionLine> {
    Ok(SessionLine {
        hash: CredentialHash::from_bytes(row.get(0)?),
        id: row.get(1)?,
        browser: row.get(2)?,
        started_at: Timestamp::from_milliseconds(row.get(3)?),
        seen_at: Timestamp::from_milliseconds(row.get(4)?),
    })
}

/// Ends one session of a member; tells whether there was one.
pub(super) fn end(
    database: &Connection,
    member: MemberId,
    id: &str,
    act: Act,
) -> Result<bool, StorageError> {
    let mut statement = database.prepare_cached(END_SESSION)?;
    let values = params![member.to_row(), id];
    let ended = statement.query_map(values, |row| row.get(0))?.collect::<Result<Vec<_>, _>>()?;
    note_ended(database, member, &ended, act)
}

/// Ends all sessions of a member but the one that is kept; tells whether there were any.
pub(super) fn end_others(
    database: &Connection,
    member: MemberId,
    kept: &CredentialHash,
    act: Act,
) -> Result<bool, StorageError> {
    let mut statement = database.prepare_cached(END_OTHER_SESSIONS)?;
    let values = params![member.to_row(), kept.as_bytes()];
    let ended = statement.query_map(values, |row| row.get(0))?.collect::<Result<Vec<_>, _>>()?;
    note_ended(database, member, &ended, act)
}

/// Ends all sessions of a member.
pub(super) fn end_all(
    database: &Connection,
    member: MemberId,
    act: Act,
) -> Result<(), StorageError> {
    let mut statement = database.prepare_cached(END_ALL_SESSIONS)?;
    let ended =
        statement.query_map([member.to_row()], |row| row.get(0))?.collect::<Result<Vec<_>, _>>()?;
    note_ended(database, member, &ended, act).map(drop)
}

fn note_ended(
    database: &Connection,
    member: MemberId,
    browsers: &[String],
    act: Act,
) -> Result<bool, StorageError> {
    for browser in browsers {
        let entry = NewAuditEntry::of_member(AuditEvent::SessionEnded, member, browser, act);
        audit::add(database, &entry)?;
    }
    Ok(!browsers.is_empty())
}
