//! Invitations.

use async_trait::async_trait;
use oauth::{CredentialHash, Timestamp};
use rusqlite::{Connection, params};

use super::query::{execute, query, query_opt};
use super::{SqliteStore, audit, authority, members, projects, roles};
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
impl InvitationStore for SqliteStore {
    async fn add_invitation(
        &self,
        invitation: NewInvitation,
        entry: NewAuditEntry,
    ) -> Result<AddInvitationOutcome, StorageError> {
        let at = entry.act.at;
        let work = move |database: &Connection| add(database, &invitation, &entry);
        self.writer.write(Some(at), work).await
    }

    async fn find_invitation(
        &self,
        hash: &CredentialHash,
    ) -> Result<Option<Invitation>, StorageError> {
        let hash = *hash;
        let find = move |database: &Connection| {
            query_opt(database, FIND_INVITATION, [hash.as_bytes()], |row| Invitation::from_row(row))
        };
        self.readers.read(find).await
    }

    async fn lookup_invitation(&self, id: &str) -> Result<Option<Invitation>, StorageError> {
        let id = id.to_owned();
        let find = move |database: &Connection| {
            query_opt(database, LOOKUP_INVITATION, [id], |row| Invitation::from_row(row))
        };
        self.readers.read(find).await
    }

    async fn list_invitations(
        &self,
        seen_by: Option<MemberId>,
        page: ListRange,
    ) -> Result<Vec<Invitation>, StorageError> {
        let list = move |database: &Connection| {
            let (per_page, skipped) = (page.per_page, page.skipped());
            if let Some(member) = seen_by.map(MemberId::to_row) {
                let values = params![member, per_page, skipped];
                query(database, LIST_INVITATIONS_SEEN_BY, values, |row| Invitation::from_row(row))
            } else {
                let values = params![per_page, skipped];
                query(database, LIST_INVITATIONS, values, |row| Invitation::from_row(row))
            }
        };
        self.readers.read(list).await
    }

    async fn remove_invitation(
        &self,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let (id, at) = (id.to_owned(), entry.act.at);
        let work = move |database: &Connection| {
            if execute(database, REMOVE_INVITATION, [id])? == 0 {
                return Ok(false);
            }
            audit::add(database, &entry)?;
            Ok(true)
        };
        self.writer.write(Some(at), work).await
    }

    async fn accept_invitation(
        &self,
        accepted: AcceptedInvitation,
    ) -> Result<AcceptOutcome, StorageError> {
        let at = accepted.member.act.at;
        self.writer.write(Some(at), move |database| accept(database, accepted)).await
    }

    async fn accept_invitation_as_member(
        &self,
        accepted: AcceptedByMember,
    ) -> Result<AcceptOutcome, StorageError> {
        let at = accepted.entry.act.at;
        self.change_tokens(at, move |database| accept_as_member(database, &accepted)).await
    }
}

fn add(
    database: &Connection,
    NewInvitation { authority, limit, hash, invitation }: &NewInvitation,
    entry: &NewAuditEntry,
) -> Result<AddInvitationOutcome, StorageError> {
    if let Some(project) = invitation.role.project {
        projects::check(database, project)?;
    }
    authority::check(database, *authority, invitation.made_at)?;
    let RoleRow { project, role, code } = (&invitation.role).into();
    if *limit == InvitationLimit::OfProject {
        let values = params![project, invitation.made_at.as_milliseconds()];
        let mut count = database.prepare_cached(COUNT_INVITATIONS_TO_PLACE)?;
        let waiting: i64 = count.query_row(values, |row| row.get(0))?;
        if waiting >= INVITATIONS_TO_PROJECT_AT_MOST {
            return Ok(AddInvitationOutcome::TooManyToProject);
        }
    }
    let values = params![
        invitation.id,
        hash.as_bytes(),
        invitation.email,
        project,
        role,
        code,
        invitation.member_row(),
        invitation.made_by,
        invitation.made_at.as_milliseconds(),
        invitation.expires_at.as_milliseconds(),
        INVITATIONS_AT_MOST,
    ];
    if execute(database, ADD_INVITATION, values)? == 0 {
        return Ok(AddInvitationOutcome::TooMany);
    }
    audit::add(database, entry)?;
    Ok(AddInvitationOutcome::Added)
}

fn accept(
    database: &Connection,
    AcceptedInvitation { invitation, may_give, member, entry }: AcceptedInvitation,
) -> Result<AcceptOutcome, StorageError> {
    let now = member.act.at;
    if !is_still_given(database, &invitation, may_give, now)? {
        return Ok(AcceptOutcome::Powerless);
    }
    let values = params![invitation.id, now.as_milliseconds()];
    if execute(database, TAKE_INVITATION, values)? == 0 {
        return Ok(AcceptOutcome::Gone);
    }
    let added = members::add(database, &member)?;
    members::set_voucher(database, added, invitation.member)?;
    remove_useless(database, &invitation)?;
    audit::add(database, &NewAuditEntry { member: Some(added), ..entry })?;
    Ok(AcceptOutcome::Member(added))
}

fn accept_as_member(
    database: &Connection,
    accepted: &AcceptedByMember,
) -> Result<(AcceptOutcome, Change), StorageError> {
    let AcceptedByMember { invitation, may_give, member, authority, entry } = accepted;
    let act = entry.act;
    authority::check(database, *authority, act.at)?;
    if !is_still_given(database, invitation, *may_give, act.at)? {
        return Ok((AcceptOutcome::Powerless, Change::Nothing));
    }
    let values = params![invitation.id, act.at.as_milliseconds()];
    if execute(database, TAKE_INVITATION, values)? == 0 {
        return Ok((AcceptOutcome::Gone, Change::Nothing));
    }
    let line = roles::lookup(database, *member)?.ok_or(StorageError::SignedOut)?;
    remove_useless(database, invitation)?;
    audit::add(database, entry)?;
    let after = Some(invitation.added_to(&line.roles));
    let changed = ChangeRoles { member: *member, before: line.roles, after, through: None, act };
    let (_, change) = roles::change(database, &changed)?;
    Ok((AcceptOutcome::Member(*member), change))
}

fn is_still_given(
    database: &Connection,
    invitation: &Invitation,
    may_give: fn(&[RoleGrant], &RoleGrant) -> bool,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let Some(inviting) = invitation.member else { return Ok(true) };
    Ok(may_give(&roles::find(database, inviting)?.at(now), &invitation.role))
}

fn remove_useless(database: &Connection, taken: &Invitation) -> Result<(), StorageError> {
    let RoleRow { project, .. } = (&taken.role).into();
    execute(database, REMOVE_INVITATIONS_OF_ADDRESS, params![taken.email, project]).map(drop)
}
