//! Members and their roles.

use std::sync::Arc;

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;
use rusqlite::{Connection, params};

use super::query::{execute, exists, query};
use super::{SqliteStore, access, audit, projects, webhooks};
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
impl RoleStore for SqliteStore {
    async fn list_members(
        &self,
        seen_by: Option<MemberId>,
        page: ListRange,
    ) -> Result<Vec<MemberLine>, StorageError> {
        self.readers.read(move |database| list(database, seen_by, page)).await
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
            && let Some(roles) = self.cache.find_roles(member, now)
        {
            return Ok(roles);
        }
        let epoch = self.cache.epoch();
        let found = self.readers.read(move |database| find(database, member)).await?;
        let roles = found.at(now);
        self.cache.keep_roles(epoch, member, found);
        Ok(roles)
    }

    async fn change_roles(&self, asked: ChangeRoles) -> Result<ChangeRolesOutcome, StorageError> {
        self.change_tokens(asked.act.at, move |database| change(database, &asked)).await
    }

    async fn has_project(&self, id: ProjectId) -> Result<bool, StorageError> {
        self.readers.read(move |database| exists(database, HAS_PROJECT, [project_row_id(id)])).await
    }

    async fn list_projects_of_member(
        &self,
        member: MemberId,
        which: WhichProjects,
        page: ListRange,
    ) -> Result<Vec<ProjectSummary>, StorageError> {
        self.readers
            .read(move |database| {
                let [lowest, highest] = which.is_archived();
                let values =
                    params![member.to_row(), lowest, highest, page.per_page, page.skipped()];
                query(database, LIST_PROJECTS_OF_MEMBER, values, |row| {
                    ProjectSummary::from_row(row)
                })
            })
            .await
    }
}

/// [`StorageError::NoSuchProject`] if a role that the member did not have before is in no project.
pub(super) fn add(
    database: &Connection,
    member: MemberId,
    roles: &[RoleGrant],
    before: &[RoleGrant],
) -> Result<(), StorageError> {
    let had = |project| before.iter().any(|grant| grant.project == Some(project));
    for grant in roles {
        let RoleRow { project, role, code } = grant.into();
        let values = params![member.to_row(), project, role, code];
        database.prepare_cached(ADD_ROLE)?.execute(values)?;
        if let Some(project) = grant.project.filter(|project| !had(*project)) {
            projects::check(database, project)?;
        }
    }
    Ok(())
}

pub(super) fn find(database: &Connection, member: MemberId) -> Result<FoundRoles, StorageError> {
    let rows = query(database, FIND_ROLES, [member.to_row()], |row| role_and_end(row))
        .map_err(|error| error.in_row("member_role", member))?;
    Ok(FoundRoles::from_rows(rows))
}

pub(super) fn lookup(
    database: &Connection,
    id: MemberId,
) -> Result<Option<MemberLine>, StorageError> {
    let rows = query(database, LOOKUP_MEMBER_LINE, [id.to_row()], |row| member_and_role(row))?;
    Ok(member_lines(rows).pop())
}

fn list(
    database: &Connection,
    seen_by: Option<MemberId>,
    page: ListRange,
) -> Result<Vec<MemberLine>, StorageError> {
    let (per_page, skipped) = (page.per_page, page.skipped());
    let rows = match seen_by.map(MemberId::to_row) {
        Some(member) => {
            let values = params![member, per_page, skipped];
            query(database, LIST_MEMBERS_SEEN_BY, values, |row| member_and_role(row))?
        }
        None => {
            query(database, LIST_MEMBERS, params![per_page, skipped], |row| member_and_role(row))?
        }
    };
    Ok(member_lines(rows))
}

pub(super) fn change(
    database: &Connection,
    asked: &ChangeRoles,
) -> Result<(ChangeRolesOutcome, Change), StorageError> {
    let Some(line) = lookup(database, asked.member)? else {
        return Ok((ChangeRolesOutcome::UnknownMember, Change::Nothing));
    };
    let other_owners = count_other_owners(database, asked.member)?;
    if let Some(refused) = asked.refuse(&line.roles, other_owners) {
        return Ok((refused, Change::Nothing));
    }
    audit::add(database, &NewAuditEntry::of_roles(asked, &line.email))?;
    if let Some(after) = &asked.after {
        execute(database, REMOVE_ROLES, [asked.member.to_row()])?;
        add(database, asked.member, after, &line.roles)?;
        if asked.grows_on_server() {
            access::end_all(database, asked.member, asked.act)?;
        }
    } else {
        webhooks::switch_off_of_removed(database, asked)?;
        execute(database, REMOVE_MEMBER, [asked.member.to_row()])?;
    }
    Ok((ChangeRolesOutcome::Changed, Change::Ended(asked.invalidation())))
}

fn count_other_owners(database: &Connection, member: MemberId) -> Result<i64, StorageError> {
    let mut statement = database.prepare_cached(COUNT_OTHER_OWNERS)?;
    Ok(statement.query_row([member.to_row()], |row| row.get(0))?)
}
