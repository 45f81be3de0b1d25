//! Members.

use async_trait::async_trait;
use rusqlite::{Connection, params};

use super::query::{execute, query_opt};
use super::{SqliteStore, access, audit, authority, identities, passkeys, roles, sessions};
use crate::invalidation::{Change, Invalidation};
use crate::row::Row as _;
use crate::statements::counts::COUNT_MEMBERS;
use crate::statements::members::{
    ADD_MEMBER, CHOOSE_PASSWORD, DELETE_INVITATIONS_BY, END_PASSWORD, FIND_MEMBER_BY_EMAIL,
    FIND_VOUCHER, HAND_VOUCHED_ON, LOOKUP_MEMBER, RENEW_PASSWORD_HASH, RESET_PASSWORD, SET_VOUCHER,
};
use crate::stored::voucher_row;
use crate::{
    Act, AuditEvent, Authority, ChoosePasswordOutcome, ChoosingSession, ChosenPassword, Member,
    MemberId, MemberStore, NewAuditEntry, NewMember, RenewedHash, StorageError, TemporaryPassword,
};

#[async_trait]
impl MemberStore for SqliteStore {
    async fn add_member(
        &self,
        member: NewMember,
        authority: Authority,
    ) -> Result<MemberId, StorageError> {
        let at = member.act.at;
        let work = move |database: &Connection| {
            authority::check(database, authority, at)?;
            add(database, &member)
        };
        self.writer.write(Some(at), work).await
    }

    async fn add_first_member(&self, member: NewMember) -> Result<Option<MemberId>, StorageError> {
        self.writer.write(Some(member.act.at), move |database| add_first(database, &member)).await
    }

    async fn lookup_member(&self, id: MemberId) -> Result<Option<Member>, StorageError> {
        self.readers.read(move |database| lookup(database, id)).await
    }

    async fn find_member_by_email(&self, email: &str) -> Result<Option<Member>, StorageError> {
        let email = email.to_owned();
        self.readers.read(move |database| find_by_email(database, &email)).await
    }

    async fn choose_password(
        &self,
        chosen: ChosenPassword,
    ) -> Result<ChoosePasswordOutcome, StorageError> {
        let at = chosen.act.at;
        self.change_tokens(at, move |database| choose_password(database, &chosen)).await
    }

    async fn reset_password(&self, password: TemporaryPassword) -> Result<(), StorageError> {
        self.change_tokens(password.act.at, move |database| reset_password(database, &password))
            .await
    }

    async fn renew_password_hash(&self, renewed: RenewedHash) -> Result<(), StorageError> {
        self.writer.write(None, move |database| renew_hash(database, &renewed)).await
    }
}

pub(super) fn add(database: &Connection, member: &NewMember) -> Result<MemberId, StorageError> {
    let NewMember { email, password_hash, is_password_temporary, act, .. } = member;
    let is_temporary = i64::from(*is_password_temporary);
    let values = params![email, password_hash, is_temporary, act.at.as_milliseconds()];
    let id = database.prepare_cached(ADD_MEMBER)?.query_row(values, |row| row.get(0))?;
    let id = MemberId::from_row(id);
    roles::add(database, id, &member.roles, &[])?;
    set_voucher(database, id, act.member.filter(|_| *is_password_temporary))?;
    audit::add(database, &NewAuditEntry::of_new_member(id, member))?;
    Ok(id)
}

/// Notes who alone vouches for the address of a member from now on.
pub(super) fn set_voucher(
    database: &Connection,
    member: MemberId,
    voucher: Option<MemberId>,
) -> Result<(), StorageError> {
    execute(database, SET_VOUCHER, params![voucher_row(voucher), member.to_row()]).map(drop)
}

/// The same for one whom `before` vouched for: what the member vouched for until now, that one may have.
fn take_over(
    database: &Connection,
    member: MemberId,
    (before, voucher): (MemberId, Option<MemberId>),
) -> Result<(), StorageError> {
    execute(database, HAND_VOUCHED_ON, params![before.to_row(), member.to_row()])?;
    execute(database, DELETE_INVITATIONS_BY, [member.to_row()])?;
    set_voucher(database, member, voucher)
}

/// Who alone vouches for the address of a member.
pub(super) fn voucher(
    database: &Connection,
    member: MemberId,
) -> Result<Option<MemberId>, StorageError> {
    let found = query_opt(database, FIND_VOUCHER, [member.to_row()], |row| row.column(0))?;
    Ok(found.map(MemberId::from_row))
}

/// The member has proved their address: ends the password and passkeys that another person may have made, and all that acts for the member.
pub(super) fn end_unproved(
    database: &Connection,
    member: MemberId,
    act: Act,
) -> Result<(), StorageError> {
    execute(database, END_PASSWORD, [member.to_row()])?;
    if let Some(before) = voucher(database, member)? {
        take_over(database, member, (before, None))?;
    }
    let entry = NewAuditEntry::of_ended_password(member, act);
    audit::add(database, &entry)?;
    passkeys::remove_all(database, member, act).map(drop)
}

fn add_first(database: &Connection, member: &NewMember) -> Result<Option<MemberId>, StorageError> {
    let members: i64 = database.prepare_cached(COUNT_MEMBERS)?.query_row([], |row| row.get(0))?;
    if members > 0 {
        return Ok(None);
    }
    add(database, member).map(Some)
}

pub(super) fn lookup(database: &Connection, id: MemberId) -> Result<Option<Member>, StorageError> {
    query_opt(database, LOOKUP_MEMBER, [id.to_row()], |row| Member::from_row(row))
}

pub(super) fn find_by_email(
    database: &Connection,
    email: &str,
) -> Result<Option<Member>, StorageError> {
    query_opt(database, FIND_MEMBER_BY_EMAIL, [email], |row| Member::from_row(row))
}

/// Records the change first, then what it ends.
pub(super) fn choose_password(
    database: &Connection,
    chosen: &ChosenPassword,
) -> Result<(ChoosePasswordOutcome, Change), StorageError> {
    let ChosenPassword { member, before, after, removed_passkeys, session, act } = chosen;
    if !sessions::is_password(database, *member, before)? {
        return Ok((ChoosePasswordOutcome::OtherPassword, Change::Nothing));
    }
    if let ChoosingSession::Renewed(shown, _) = session
        && !sessions::is_alive(database, *member, shown)?
    {
        return Ok((ChoosePasswordOutcome::SignedOut, Change::Nothing));
    }
    let values = params![after, member.to_row(), before];
    database.prepare_cached(CHOOSE_PASSWORD)?.execute(values)?;
    note_change(database, *member, *act)?;
    for id in removed_passkeys {
        passkeys::remove(database, *member, id, *act)?;
    }
    match session {
        ChoosingSession::Renewed(_, session) | ChoosingSession::Started(session) => {
            sessions::end_all(database, *member, *act)?;
            sessions::add(database, session)?;
        }
        ChoosingSession::Only(session) => {
            identities::unlink(database, *member)?;
            if let Some(before) = voucher(database, *member)? {
                passkeys::remove_all(database, *member, *act)?;
                take_over(database, *member, (before, None))?;
            }
            access::end_all(database, *member, *act)?;
            sessions::add(database, session)?;
            let change = Change::Ended(Invalidation::Everything);
            return Ok((ChoosePasswordOutcome::Chosen, change));
        }
    }
    Ok((ChoosePasswordOutcome::Chosen, Change::Nothing))
}

/// Records the change first, then all that it ends.
pub(super) fn reset_password(
    database: &Connection,
    password: &TemporaryPassword,
) -> Result<((), Change), StorageError> {
    let TemporaryPassword { member, password_hash, act } = password;
    let values = params![password_hash, member.to_row()];
    database.prepare_cached(RESET_PASSWORD)?.execute(values)?;
    note_change(database, *member, *act)?;
    identities::unlink(database, *member)?;
    match voucher(database, *member)? {
        // A member's own reset hands nothing to anyone.
        _ if act.member == Some(*member) => {}
        Some(before) if act.member != Some(before) => {
            passkeys::remove_all(database, *member, *act)?;
            take_over(database, *member, (before, act.member))?;
        }
        Some(_) | None => set_voucher(database, *member, act.member)?,
    }
    access::end_all(database, *member, *act)?;
    Ok(((), Change::Ended(Invalidation::Everything)))
}

fn note_change(database: &Connection, member: MemberId, act: Act) -> Result<(), StorageError> {
    audit::add(database, &NewAuditEntry::of_member(AuditEvent::PasswordChanged, member, "", act))
}

pub(super) fn renew_hash(database: &Connection, renewed: &RenewedHash) -> Result<(), StorageError> {
    let values = params![renewed.after, renewed.member.to_row(), renewed.before];
    database.prepare_cached(RENEW_PASSWORD_HASH)?.execute(values)?;
    Ok(())
}
