//! Members.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object, Transaction};

use super::query::{begin, commit, execute, query_one, query_opt, storable};
use super::statements::members::LOCK_MEMBERS;
use super::{PostgresStore, access, audit, authority, identities, passkeys, roles, sessions};
use crate::invalidation::Change;
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
impl MemberStore for PostgresStore {
    async fn add_member(
        &self,
        member: NewMember,
        authority: Authority,
    ) -> Result<MemberId, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let id = add(&transaction, &member).await?;
        authority::hold(&transaction, authority, member.act.at).await?;
        commit(transaction).await?;
        Ok(id)
    }

    async fn add_first_member(&self, member: NewMember) -> Result<Option<MemberId>, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        execute(&transaction, LOCK_MEMBERS, &[]).await?;
        let members: i64 = query_one(&transaction, COUNT_MEMBERS, &[]).await?.try_get(0)?;
        if members > 0 {
            return Ok(None);
        }
        let id = add(&transaction, &member).await?;
        commit(transaction).await?;
        Ok(Some(id))
    }

    async fn lookup_member(&self, id: MemberId) -> Result<Option<Member>, StorageError> {
        let connection = self.connections.get().await?;
        let found = query_opt(&connection.database, LOOKUP_MEMBER, &[&id.to_row()]).await?;
        found.map(|row| Member::from_row(&row)).transpose()
    }

    async fn find_member_by_email(&self, email: &str) -> Result<Option<Member>, StorageError> {
        let connection = self.connections.get().await?;
        let Some(email) = storable(email) else { return Ok(None) };
        let found = query_opt(&connection.database, FIND_MEMBER_BY_EMAIL, &[&email]).await?;
        found.map(|row| Member::from_row(&row)).transpose()
    }

    async fn choose_password(
        &self,
        chosen: ChosenPassword,
    ) -> Result<ChoosePasswordOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = choose_password(&mut connection.database, &chosen).await?;
        Ok(self.answer(epoch, done))
    }

    async fn reset_password(&self, password: TemporaryPassword) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let change = reset_password(&mut connection.database, &password).await?;
        self.cache.apply(epoch, change);
        Ok(())
    }

    async fn renew_password_hash(&self, renewed: RenewedHash) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        let RenewedHash { member, before, after } = &renewed;
        execute(&connection.database, RENEW_PASSWORD_HASH, &[after, &member.to_row(), before])
            .await
            .map(drop)
    }
}

pub(super) async fn add(
    database: &impl GenericClient,
    member: &NewMember,
) -> Result<MemberId, StorageError> {
    let is_temporary = i64::from(member.is_password_temporary);
    let values = [
        &member.email as _,
        &member.password_hash as _,
        &is_temporary as _,
        &member.act.at.as_milliseconds() as _,
    ];
    let id = MemberId::from_row(query_one(database, ADD_MEMBER, &values).await?.try_get(0)?);
    roles::add(database, id, &member.roles, &[]).await?;
    set_voucher(database, id, member.act.member.filter(|_| member.is_password_temporary)).await?;
    audit::add(database, &NewAuditEntry::of_new_member(id, member)).await?;
    Ok(id)
}

/// Notes who alone vouches for the address of a member from now on.
pub(super) async fn set_voucher(
    database: &impl GenericClient,
    member: MemberId,
    voucher: Option<MemberId>,
) -> Result<(), StorageError> {
    let values = [&voucher_row(voucher) as _, &member.to_row() as _];
    execute(database, SET_VOUCHER, &values).await.map(drop)
}

/// The same for one whom `before` vouched for: what the member vouched for until now, that one may have.
async fn take_over(
    database: &impl GenericClient,
    member: MemberId,
    (before, voucher): (MemberId, Option<MemberId>),
) -> Result<(), StorageError> {
    execute(database, HAND_VOUCHED_ON, &[&before.to_row(), &member.to_row()]).await?;
    execute(database, DELETE_INVITATIONS_BY, &[&member.to_row()]).await?;
    set_voucher(database, member, voucher).await
}

/// Who alone vouches for the address of a member.
pub(super) async fn voucher(
    database: &impl GenericClient,
    member: MemberId,
) -> Result<Option<MemberId>, StorageError> {
    let found = query_opt(database, FIND_VOUCHER, &[&member.to_row()]).await?;
    Ok(found.map(|row| row.try_get(0)).transpose()?.map(MemberId::from_row))
}

/// The member has proved their address: ends the password and passkeys that another person may have made, and all that acts for the member.
pub(super) async fn end_unproved(
    transaction: &Transaction<'_>,
    member: MemberId,
    act: Act,
) -> Result<Change, StorageError> {
    execute(transaction, END_PASSWORD, &[&member.to_row()]).await?;
    if let Some(before) = voucher(transaction, member).await? {
        take_over(transaction, member, (before, None)).await?;
    }
    let entry = NewAuditEntry::of_ended_password(member, act);
    audit::add(transaction, &entry).await?;
    Ok(passkeys::remove_all_within(transaction, member, act).await?.1)
}

/// Records the change first, then what it ends. The member's row is changed first: a concurrent sign-in or consent of the member
/// holds a lock that this waits for.
pub(super) async fn choose_password(
    database: &mut Object,
    chosen: &ChosenPassword,
) -> Result<(ChoosePasswordOutcome, Change), StorageError> {
    let ChosenPassword { member, before, after, removed_passkeys, session, act } = chosen;
    let transaction = begin(database).await?;
    let values = [after as _, &member.to_row() as _, before as _];
    if execute(&transaction, CHOOSE_PASSWORD, &values).await? == 0 {
        return Ok((ChoosePasswordOutcome::OtherPassword, Change::Nothing));
    }
    if let ChoosingSession::Renewed(shown, _) = session
        && !sessions::hold(&transaction, *member, shown).await?
    {
        return Ok((ChoosePasswordOutcome::SignedOut, Change::Nothing));
    }
    note_change(&transaction, *member, *act).await?;
    for id in removed_passkeys {
        passkeys::remove(&transaction, *member, id, *act).await?;
    }
    let mut change = Change::Nothing;
    match session {
        ChoosingSession::Renewed(_, session) | ChoosingSession::Started(session) => {
            sessions::end_all(&transaction, *member, *act).await?;
            sessions::add_within(&transaction, session).await?;
        }
        ChoosingSession::Only(session) => {
            identities::unlink(&transaction, *member).await?;
            if let Some(before) = voucher(&transaction, *member).await? {
                passkeys::remove_all_within(&transaction, *member, *act).await?;
                take_over(&transaction, *member, (before, None)).await?;
            }
            change = access::end_all(&transaction, *member, *act).await?;
            sessions::add_within(&transaction, session).await?;
        }
    }
    commit(transaction).await?;
    Ok((ChoosePasswordOutcome::Chosen, change))
}

/// Records the change first, then all that it ends.
pub(super) async fn reset_password(
    database: &mut Object,
    password: &TemporaryPassword,
) -> Result<Change, StorageError> {
    let TemporaryPassword { member, password_hash, act } = password;
    let transaction = begin(database).await?;
    execute(&transaction, RESET_PASSWORD, &[password_hash, &member.to_row()]).await?;
    note_change(&transaction, *member, *act).await?;
    identities::unlink(&transaction, *member).await?;
    match voucher(&transaction, *member).await? {
        // A member's own reset hands nothing to anyone.
        _ if act.member == Some(*member) => {}
        Some(before) if act.member != Some(before) => {
            passkeys::remove_all_within(&transaction, *member, *act).await?;
            take_over(&transaction, *member, (before, act.member)).await?;
        }
        Some(_) | None => set_voucher(&transaction, *member, act.member).await?,
    }
    let change = access::end_all(&transaction, *member, *act).await?;
    commit(transaction).await?;
    Ok(change)
}

async fn note_change(
    database: &impl GenericClient,
    member: MemberId,
    act: Act,
) -> Result<(), StorageError> {
    let entry = NewAuditEntry::of_member(AuditEvent::PasswordChanged, member, "", act);
    audit::add(database, &entry).await
}
