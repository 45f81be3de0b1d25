//! Members and their roles.

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object, Transaction};
use domain::ProjectId;
use oauth::Timestamp;

use super::query::{
    begin, commit, execute, execute_unhurried, query, query_one, query_opt, run, take_your_time,
};
use super::statements::grants::TELL;
use super::statements::roles::LOCK_ROLES;
use super::{PostgresStore, access, audit, projects, webhooks};
use crate::invalidation::Change;
use crate::roles::{FoundRoles, role_and_end};
use crate::statements::roles::{
    ADD_ROLE, COUNT_OTHER_OWNERS, FIND_ROLES, HAS_PROJECT, LIST_MEMBERS, LIST_MEMBERS_SEEN_BY,
    LIST_PROJECTS_OF_MEMBER, LOOKUP_MEMBER_LINE, REMOVE_MEMBER, REMOVE_ROLES,
};
use crate::stored::{RoleRow, member_and_role, member_lines, project_row_id};
use crate::{
    ChangeRoles, ChangeRolesOutcome, ListRange, MemberId, MemberLine, NewAuditEntry,
    ProjectSummary, RoleGrant, RoleStore, StorageError, WhichProjects,
};

#[async_trait]
impl RoleStore for PostgresStore {
    async fn list_members(
        &self,
        seen_by: Option<MemberId>,
        page: ListRange,
    ) -> Result<Vec<MemberLine>, StorageError> {
        let connection = self.connections.get().await?;
        let (per_page, skipped) = (i64::from(page.per_page), page.skipped());
        let rows = match seen_by.map(MemberId::to_row) {
            Some(member) => {
                let values = [&member as _, &per_page as _, &skipped as _];
                query(&connection.database, LIST_MEMBERS_SEEN_BY, &values).await?
            }
            None => query(&connection.database, LIST_MEMBERS, &[&per_page, &skipped]).await?,
        };
        Ok(member_lines(rows.iter().map(member_and_role).collect::<Result<_, _>>()?))
    }

    async fn lookup_member_line(&self, id: MemberId) -> Result<Option<MemberLine>, StorageError> {
        let connection = self.connections.get().await?;
        lookup(&connection.database, id).await
    }

    async fn find_roles(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Arc<[RoleGrant]>, StorageError> {
        if self.cache.find_roles(member, now).is_some()
            && self.listener().hear_everything().await
            && let Some(roles) = self.cache.find_roles(member, now)
        {
            return Ok(roles);
        }
        let epoch = self.cache.epoch();
        let connection = self.connections.get().await?;
        let found = find(&connection.database, member).await?;
        let roles = found.at(now);
        self.cache.keep_roles(epoch, member, found);
        Ok(roles)
    }

    async fn change_roles(&self, asked: ChangeRoles) -> Result<ChangeRolesOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        Ok(self.answer(epoch, change(&mut connection.database, &asked).await?))
    }

    async fn has_project(&self, id: ProjectId) -> Result<bool, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(id) as _];
        Ok(query_opt(&connection.database, HAS_PROJECT, &values).await?.is_some())
    }

    async fn list_projects_of_member(
        &self,
        member: MemberId,
        which: WhichProjects,
        page: ListRange,
    ) -> Result<Vec<ProjectSummary>, StorageError> {
        let connection = self.connections.get().await?;
        let (per_page, skipped) = (i64::from(page.per_page), page.skipped());
        let [lowest, highest] = which.is_archived();
        let member = member.to_row();
        let values = [&member as _, &lowest as _, &highest as _, &per_page as _, &skipped as _];
        let rows = query(&connection.database, LIST_PROJECTS_OF_MEMBER, &values).await?;
        rows.iter().map(ProjectSummary::from_row).collect()
    }
}

/// [`StorageError::NoSuchProject`] if a role that the member did not have before is in no project.
pub(super) async fn add(
    database: &impl GenericClient,
    member: MemberId,
    roles: &[RoleGrant],
    before: &[RoleGrant],
) -> Result<(), StorageError> {
    let had = |project| before.iter().any(|grant| grant.project == Some(project));
    for grant in roles {
        let RoleRow { project, role, code } = grant.into();
        let values = [&member.to_row() as _, &project as _, &role as _, &code as _];
        execute(database, ADD_ROLE, &values).await?;
        // A deletion that has not got so far waits, and takes the role with it.
        if let Some(project) = grant.project.filter(|project| !had(*project)) {
            projects::check(database, project).await?;
        }
    }
    Ok(())
}

pub(super) async fn find(
    database: &impl GenericClient,
    member: MemberId,
) -> Result<FoundRoles, StorageError> {
    let rows = query(database, FIND_ROLES, &[&member.to_row()]).await?;
    let roles: Result<_, StorageError> = rows.iter().map(role_and_end).collect();
    Ok(FoundRoles::from_rows(roles.map_err(|error| error.in_row("member_role", member))?))
}

pub(super) async fn lookup(
    database: &impl GenericClient,
    id: MemberId,
) -> Result<Option<MemberLine>, StorageError> {
    let rows = query(database, LOOKUP_MEMBER_LINE, &[&id.to_row()]).await?;
    Ok(member_lines(rows.iter().map(member_and_role).collect::<Result<_, _>>()?).pop())
}

/// One change after the other: of two owners who lower each other at the same time, one stays.
async fn change(
    database: &mut Object,
    asked: &ChangeRoles,
) -> Result<(ChangeRolesOutcome, Change), StorageError> {
    let transaction = begin(database).await?;
    run(&transaction, LOCK_ROLES).await?;
    let done = change_in(&transaction, asked).await?;
    if done.0 == ChangeRolesOutcome::Changed {
        commit(transaction).await?;
    }
    Ok(done)
}

/// The same in a transaction that holds the roles.
pub(super) async fn change_in(
    transaction: &Transaction<'_>,
    asked: &ChangeRoles,
) -> Result<(ChangeRolesOutcome, Change), StorageError> {
    let Some(line) = lookup(transaction, asked.member).await? else {
        return Ok((ChangeRolesOutcome::UnknownMember, Change::Nothing));
    };
    let other_owners = count_other_owners(transaction, asked.member).await?;
    if let Some(refused) = asked.refuse(&line.roles, other_owners) {
        return Ok((refused, Change::Nothing));
    }
    audit::add(transaction, &NewAuditEntry::of_roles(asked, &line.email)).await?;
    if let Some(after) = &asked.after {
        execute(transaction, REMOVE_ROLES, &[&asked.member.to_row()]).await?;
        add(transaction, asked.member, after, &line.roles).await?;
        if asked.grows_on_server() {
            access::end_all(transaction, asked.member, asked.act).await?;
        }
    } else {
        webhooks::switch_off_of_removed(transaction, asked).await?;
        take_your_time(transaction).await?;
        execute_unhurried(transaction, REMOVE_MEMBER, &[&asked.member.to_row()]).await?;
    }
    let invalidation = asked.invalidation();
    query_one(transaction, TELL, &[&invalidation.to_string()]).await?;
    Ok((ChangeRolesOutcome::Changed, Change::Ended(invalidation)))
}

async fn count_other_owners(
    database: &impl GenericClient,
    member: MemberId,
) -> Result<i64, StorageError> {
    let row = query_one(database, COUNT_OTHER_OWNERS, &[&member.to_row()]).await?;
    Ok(row.try_get(0)?)
}
