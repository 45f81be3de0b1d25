//! Members and their roles.

use std::sync::Arc;

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;
use rusqlite::{Connection, params};

use super::query::query;
use super::{SqliteStore, access, audit, projects};
use crate::invalidation::{Change, Invalidation};
use crate::statements::roles::{
    ADD_ROLE, COUNT_OTHER_OWNERS, FIND_ROLES, HAS_PROJECT, LIST_MEMBERS, LIST_PROJECTS_OF_MEMBER,
    LOOKUP_MEMBER_LINE, REMOVE_MEMBER, REMOVE_ROLES,
};
use crate::stored::{RoleRow, member_and_role, member_lines, project_row_id};
use crate::{
    ChangeRoles, ChangeRolesOutcome, MemberId, MemberLine, NewAuditEntry, Page, ProjectSummary,
    RoleGrant, RoleStore, StorageError, WhichProjects,
};

#[async_trait]
impl RoleStore for SqliteStore {
    async fn list_members(&self, page: Page) -> Result<Vec<MemberLine>, StorageError> {
        self.readers.read(move |database| list(database, page)).await
    }

    async fn lookup_member_line(&self, id: MemberId) -> Result<Option<MemberLine>, StorageError> {
        self.readers.read(move |database| lookup(database, id)).await
    }

    async fn find_roles(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Arc<[RoleGrant]>, StorageError> {
        if self.check_other_processes(now).await
            && let Some(roles) = self.cache.find_roles(member)
        {
            return Ok(roles);
        }
        let epoch = self.cache.epoch();
        let roles = self.readers.read(move |database| find(database, member)).await?;
        let roles: Arc<[RoleGrant]> = roles.into();
        self.cache.keep_roles(epoch, member, Arc::clone(&roles));
        Ok(roles)
    }

    async fn change_roles(&self, asked: ChangeRoles) -> Result<ChangeRolesOutcome, StorageError> {
        self.change_tokens(asked.act.at, move |database| change(database, &asked)).await
    }

    async fn has_project(&self, id: ProjectId) -> Result<bool, StorageError> {
        self.readers
            .read(move |database| {
                let mut statement = database.prepare_cached(HAS_PROJECT)?;
                Ok(statement.exists([project_row_id(id)])?)
            })
            .await
    }

    async fn list_projects_of_member(
        &self,
        member: MemberId,
        which: WhichProjects,
        page: Page,
    ) -> Result<Vec<ProjectSummary>, StorageError> {
        self.readers
            .read(move |database| {
                let mut statement = database.prepare_cached(LIST_PROJECTS_OF_MEMBER)?;
                let [lowest, highest] = which.is_archived();
                let values =
                    params![member.to_row(), lowest, highest, page.per_page, page.skipped()];
                projects::summaries(statement.query(values)?)
            })
            .await
    }
}

pub(super) fn add(
    database: &Connection,
    member: MemberId,
    roles: &[RoleGrant],
) -> Result<(), StorageError> {
    for grant in roles {
        let RoleRow { project, role, code } = grant.into();
        let values = params![member.to_row(), project, role, code];
        database.prepare_cached(ADD_ROLE)?.execute(values)?;
    }
    Ok(())
}

fn find(database: &Connection, member: MemberId) -> Result<Vec<RoleGrant>, StorageError> {
    query(database, FIND_ROLES, [member.to_row()], |row| RoleGrant::from_row(row, [0, 1, 2]))
}

fn lookup(database: &Connection, id: MemberId) -> Result<Option<MemberLine>, StorageError> {
    let rows = query(database, LOOKUP_MEMBER_LINE, [id.to_row()], |row| member_and_role(row))?;
    Ok(member_lines(rows).pop())
}

fn list(database: &Connection, page: Page) -> Result<Vec<MemberLine>, StorageError> {
    let values = params![page.per_page, page.skipped()];
    Ok(member_lines(query(database, LIST_MEMBERS, values, |row| member_and_role(row))?))
}

fn change(
    database: &Connection,
    asked: &ChangeRoles,
) -> Result<(ChangeRolesOutcome, Change), StorageError> {
    let Some(line) = lookup(database, asked.member)? else {
        return Ok((ChangeRolesOutcome::UnknownMember, Change::Nothing));
    };
    if !asked.is_about(&line.roles) {
        return Ok((ChangeRolesOutcome::OtherRoles, Change::Nothing));
    }
    if asked.takes_an_owner() && !has_another_owner(database, asked.member)? {
        return Ok((ChangeRolesOutcome::LastOwner, Change::Nothing));
    }
    audit::add(database, &NewAuditEntry::of_roles(asked, &line.email))?;
    let invalidation = if let Some(after) = &asked.after {
        database.prepare_cached(REMOVE_ROLES)?.execute([asked.member.to_row()])?;
        add(database, asked.member, after)?;
        if asked.grows() {
            access::end_all(database, asked.member, asked.act)?;
            Invalidation::Everything
        } else {
            Invalidation::Roles(asked.member)
        }
    } else {
        database.prepare_cached(REMOVE_MEMBER)?.execute([asked.member.to_row()])?;
        Invalidation::Everything
    };
    Ok((ChangeRolesOutcome::Changed, Change::Ended(invalidation)))
}

fn has_another_owner(database: &Connection, member: MemberId) -> Result<bool, StorageError> {
    let mut statement = database.prepare_cached(COUNT_OTHER_OWNERS)?;
    let count: i64 = statement.query_row([member.to_row()], |row| row.get(0))?;
    Ok(count > 0)
}
