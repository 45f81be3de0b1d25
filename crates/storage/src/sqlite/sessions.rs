//! Sessions of members in their browsers.

use async_trait::async_trait;
use oauth::{CredentialHash, SESSION_ABSOLUTE, SESSION_IDLE, Timestamp};
use rusqlite::{Connection, params};

use super::query::{execute, exists, query, query_opt};
use super::{SqliteStore, audit, identities, passkeys};
use crate::invalidation::{Change, Invalidation};
use crate::row::Row as _;
use crate::sessions::{FoundSession, SESSIONS_LISTED_AT_MOST};
use crate::statements::sessions::{
    ADD_SESSION, END_ALL_SESSIONS, END_OTHER_SESSIONS, END_SESSION, FIND_SESSION, HAS_PASSWORD,
    HAS_SESSION, LIST_SESSIONS, REMOVE_SESSION, TOUCH_SESSION,
};
use crate::{
    Act, AuditEvent, Earlier, MemberId, NewAuditEntry, NewSession, Proof, Session, SessionLine,
    SessionStore, StorageError,
};

#[async_trait]
impl SessionStore for SqliteStore {
    async fn add_session(&self, session: NewSession) -> Result<Earlier, StorageError> {
        let at = session.act.at;
        let add = move |database: &Connection| {
            let earlier = add(database, &session)?;
            let change = match earlier {
                Earlier::Kept => Change::Nothing,
                Earlier::Ended => Change::Ended(Invalidation::Everything),
            };
            Ok((earlier, change))
        };
        self.change_tokens(at, add).await
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

pub(super) fn add(database: &Connection, session: &NewSession) -> Result<Earlier, StorageError> {
    let now = session.act.at;
    let mut earlier = Earlier::Kept;
    match &session.proof {
        Proof::Passkey(used) => passkeys::note_use(database, session.member, used, now)?,
        Proof::Identity(used) => earlier = identities::note_use(database, session, used)?,
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
    audit::add(database, &NewAuditEntry::of_member(session.event(), *member, browser, *act))?;
    Ok(earlier)
}

pub(super) fn find(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundSession>, StorageError> {
    let values =
        params![hash.as_bytes(), (now - SESSION_IDLE).as_milliseconds(), now.as_milliseconds()];
    let found = query_opt(database, FIND_SESSION, values, |row| FoundSession::from_row(row))?;
    Ok(found.filter(|found| found.is_of_this_time(now)))
}

/// Whether this is the hash of the member's password at this moment.
pub(super) fn is_password(
    database: &Connection,
    member: MemberId,
    hash: &str,
) -> Result<bool, StorageError> {
    exists(database, HAS_PASSWORD, params![member.to_row(), hash])
}

/// Whether a session of this member has not ended.
pub(super) fn is_alive(
    database: &Connection,
    member: MemberId,
    hash: &CredentialHash,
) -> Result<bool, StorageError> {
    exists(database, HAS_SESSION, params![hash.as_bytes(), member.to_row()])
}

pub(super) fn touch(
    database: &Connection,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<(), StorageError> {
    execute(database, TOUCH_SESSION, params![now.as_milliseconds(), hash.as_bytes()]).map(drop)
}

pub(super) fn remove(
    database: &Connection,
    hash: &CredentialHash,
    act: Act,
) -> Result<(), StorageError> {
    let removed = query_opt(database, REMOVE_SESSION, [hash.as_bytes()], |row| row.column(0))?;
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
    query(database, LIST_SESSIONS, values, |row| SessionLine::from_row(row))
}

/// Ends one session of a member; returns whether there was one.
pub(super) fn end(
    database: &Connection,
    member: MemberId,
    id: &str,
    act: Act,
) -> Result<bool, StorageError> {
    let values = params![member.to_row(), id];
    let ended = query(database, END_SESSION, values, |row| row.column(0))?;
    note_ended(database, member, &ended, act)
}

/// Ends all sessions of a member but the one that is kept; returns whether there were any.
pub(super) fn end_others(
    database: &Connection,
    member: MemberId,
    kept: &CredentialHash,
    act: Act,
) -> Result<bool, StorageError> {
    let values = params![member.to_row(), kept.as_bytes()];
    let ended = query(database, END_OTHER_SESSIONS, values, |row| row.column(0))?;
    note_ended(database, member, &ended, act)
}

/// Ends all sessions of a member.
pub(super) fn end_all(
    database: &Connection,
    member: MemberId,
    act: Act,
) -> Result<(), StorageError> {
    let ended = query(database, END_ALL_SESSIONS, [member.to_row()], |row| row.column(0))?;
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
