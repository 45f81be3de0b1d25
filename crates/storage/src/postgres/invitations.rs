//! Invitations.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object};
use oauth::{CredentialHash, Timestamp};

use super::query::{begin, commit, execute, query, query_one, query_opt, run, storable};
use super::statements::roles::LOCK_ROLES;
use super::statements::sessions::HOLD_MEMBER;
use super::{PostgresStore, audit, authority, members, projects, roles};
use crate::invalidation::Change;
use crate::invitations::{
    AcceptOutcome, AcceptedByMember, AcceptedInvitation, AddInvitationOutcome, INVITATIONS_AT_MOST,
    INVITATIONS_TO_PROJECT_AT_MOST, Invitation, InvitationLimit, InvitationStore, NewInvitation,
};
use crate::statements::invitations::{
    ADD_INVITATION, COUNT_INVITATIONS_TO_PLACE, FIND_INVITATION, LIST_INVITATIONS,
    LIST_INVITATIONS_SEEN_BY, LOOKUP_INVITATION, REMOVE_INVITATION, REMOVE_INVITATIONS_OF_ADDRESS,
    TAKE_INVITATION,
};
use crate::stored::RoleRow;
use crate::{ChangeRoles, ListRange, MemberId, NewAuditEntry, RoleGrant, StorageError};

#[async_trait]
impl InvitationStore for PostgresStore {
    async fn add_invitation(
        &self,
        invitation: NewInvitation,
        entry: NewAuditEntry,
    ) -> Result<AddInvitationOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let outcome = add(&mut connection.database, &invitation, &entry).await?;
        self.clean(connection, entry.act.at);
        Ok(outcome)
    }

    async fn find_invitation(
        &self,
        hash: &CredentialHash,
    ) -> Result<Option<Invitation>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&hash.as_bytes().as_slice() as _];
        let found = query_opt(&connection.database, FIND_INVITATION, &values).await?;
        found.map(|row| Invitation::from_row(&row)).transpose()
    }

    async fn lookup_invitation(&self, id: &str) -> Result<Option<Invitation>, StorageError> {
        let Some(id) = storable(id) else { return Ok(None) };
        let connection = self.connections.get().await?;
        let found = query_opt(&connection.database, LOOKUP_INVITATION, &[&id]).await?;
        found.map(|row| Invitation::from_row(&row)).transpose()
    }

    async fn list_invitations(
        &self,
        seen_by: Option<MemberId>,
        page: ListRange,
    ) -> Result<Vec<Invitation>, StorageError> {
        let connection = self.connections.get().await?;
        let (per_page, skipped) = (i64::from(page.per_page), page.skipped());
        let rows = match seen_by.map(MemberId::to_row) {
            Some(member) => {
                let values = [&member as _, &per_page as _, &skipped as _];
                query(&connection.database, LIST_INVITATIONS_SEEN_BY, &values).await?
            }
            None => query(&connection.database, LIST_INVITATIONS, &[&per_page, &skipped]).await?,
        };
        rows.iter().map(Invitation::from_row).collect()
    }

    async fn remove_invitation(
        &self,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let Some(id) = storable(id) else { return Ok(false) };
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        if execute(&transaction, REMOVE_INVITATION, &[&id]).await? == 0 {
            return Ok(false);
        }
        audit::add(&transaction, &entry).await?;
        commit(transaction).await?;
        Ok(true)
    }

    async fn accept_invitation(
        &self,
        accepted: AcceptedInvitation,
    ) -> Result<AcceptOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        accept(&mut connection.database, accepted).await
    }

    async fn accept_invitation_as_member(
        &self,
        accepted: AcceptedByMember,
    ) -> Result<AcceptOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = accept_as_member(&mut connection.database, &accepted).await?;
        Ok(self.answer(epoch, done))
    }
}

async fn add(
    database: &mut Object,
    NewInvitation { authority, limit, hash, invitation }: &NewInvitation,
    entry: &NewAuditEntry,
) -> Result<AddInvitationOutcome, StorageError> {
    let transaction = begin(database).await?;
    if let Some(project) = invitation.role.project {
        projects::hold(&transaction, project).await?;
    }
    authority::hold(&transaction, *authority, invitation.made_at).await?;
    let RoleRow { project, role, code } = (&invitation.role).into();
    if *limit == InvitationLimit::OfProject {
        let values = [&project as _, &invitation.made_at.as_milliseconds() as _];
        let row = query_one(&transaction, COUNT_INVITATIONS_TO_PLACE, &values).await?;
        if row.try_get::<_, i64>(0)? >= INVITATIONS_TO_PROJECT_AT_MOST {
            return Ok(AddInvitationOutcome::TooManyToProject);
        }
    }
    let values = [
        &invitation.id as _,
        &hash.as_bytes().as_slice() as _,
        &invitation.email as _,
        &project as _,
        &role as _,
        &code as _,
        &invitation.member_row() as _,
        &invitation.made_by as _,
        &invitation.made_at.as_milliseconds() as _,
        &invitation.expires_at.as_milliseconds() as _,
        &INVITATIONS_AT_MOST as _,
    ];
    if execute(&transaction, ADD_INVITATION, &values).await? == 0 {
        return Ok(AddInvitationOutcome::TooMany);
    }
    audit::add(&transaction, entry).await?;
    commit(transaction).await?;
    Ok(AddInvitationOutcome::Added)
}

/// The roles are held first, as by every change of them and by the deletion of a project.
async fn accept(
    database: &mut Object,
    AcceptedInvitation { invitation, may_give, member, entry }: AcceptedInvitation,
) -> Result<AcceptOutcome, StorageError> {
    let transaction = begin(database).await?;
    run(&transaction, LOCK_ROLES).await?;
    let now = member.act.at;
    let values = [&invitation.id as _, &now.as_milliseconds() as _];
    if execute(&transaction, TAKE_INVITATION, &values).await? == 0 {
        return Ok(AcceptOutcome::Gone);
    }
    let added = members::add(&transaction, &member).await?;
    if !is_still_given(&transaction, &invitation, may_give, now).await? {
        return Ok(AcceptOutcome::Powerless);
    }
    members::set_voucher(&transaction, added, invitation.member).await?;
    remove_useless(&transaction, &invitation).await?;
    audit::add(&transaction, &NewAuditEntry { member: Some(added), ..entry }).await?;
    commit(transaction).await?;
    Ok(AcceptOutcome::Member(added))
}

/// The roles are held first, as by every change of them.
async fn accept_as_member(
    database: &mut Object,
    accepted: &AcceptedByMember,
) -> Result<(AcceptOutcome, Change), StorageError> {
    let AcceptedByMember { invitation, may_give, member, authority, entry } = accepted;
    let act = entry.act;
    let transaction = begin(database).await?;
    run(&transaction, LOCK_ROLES).await?;
    authority::hold(&transaction, *authority, act.at).await?;
    let values = [&invitation.id as _, &act.at.as_milliseconds() as _];
    if execute(&transaction, TAKE_INVITATION, &values).await? == 0 {
        return Ok((AcceptOutcome::Gone, Change::Nothing));
    }
    if !is_still_given(&transaction, invitation, *may_give, act.at).await? {
        return Ok((AcceptOutcome::Powerless, Change::Nothing));
    }
    let line = roles::lookup(&transaction, *member).await?.ok_or(StorageError::SignedOut)?;
    remove_useless(&transaction, invitation).await?;
    audit::add(&transaction, entry).await?;
    let after = Some(invitation.added_to(&line.roles));
    let changed = ChangeRoles { member: *member, before: line.roles, after, through: None, act };
    let (_, change) = roles::change_in(&transaction, &changed).await?;
    commit(transaction).await?;
    Ok((AcceptOutcome::Member(*member), change))
}

async fn is_still_given(
    transaction: &impl GenericClient,
    invitation: &Invitation,
    may_give: fn(&[RoleGrant], &RoleGrant) -> bool,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let Some(inviting) = invitation.member else { return Ok(true) };
    query_opt(transaction, HOLD_MEMBER, &[&inviting.to_row()]).await?;
    let roles = roles::find(transaction, inviting).await?.at(now);
    Ok(may_give(&roles, &invitation.role))
}

async fn remove_useless(
    transaction: &impl GenericClient,
    taken: &Invitation,
) -> Result<(), StorageError> {
    let RoleRow { project, .. } = (&taken.role).into();
    let values = [&taken.email as _, &project as _];
    execute(transaction, REMOVE_INVITATIONS_OF_ADDRESS, &values).await.map(drop)
}
