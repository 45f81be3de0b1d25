//! API tokens.

use async_trait::async_trait;
use oauth::{CredentialHash, Timestamp};
use rusqlite::{Connection, params, params_from_iter};

use super::query::{execute, query, query_opt};
use super::{SqliteStore, audit, authority, roles};
use crate::access_cache::CachedToken;
use crate::api_tokens::{
    API_TOKENS_AT_MOST, ApiTokenHolder, ApiTokenLine, ApiTokenStore, FoundApiToken, NewApiToken,
    RemovedApiToken, ServiceRoleWithdrawal, WhichApiTokens,
};
use crate::invalidation::{Change, Invalidation};
use crate::statements::api_tokens::{
    ADD_API_TOKEN, ADD_SERVICE, COUNT_API_TOKENS_OF, COUNT_ROLES, COUNT_SERVICES_MADE_BY,
    FIND_API_TOKEN, LOOKUP_API_TOKEN, NOTE_API_TOKEN_USED, REMOVE_API_TOKEN,
    REMOVE_API_TOKENS_OF_MEMBER, REMOVE_SERVICE, REMOVE_SERVICES_WITHOUT_TOKEN,
    WITHDRAW_SERVICE_ROLE,
};
use crate::stored::RoleRow;
use crate::{Act, Authority, ListRange, MemberId, NewAuditEntry, StorageError};

#[async_trait]
impl ApiTokenStore for SqliteStore {
    async fn add_api_token(&self, token: NewApiToken) -> Result<bool, StorageError> {
        self.writer.write(Some(token.made_at), move |database| add(database, &token)).await
    }

    async fn list_api_tokens(
        &self,
        which: WhichApiTokens,
        page: ListRange,
    ) -> Result<Vec<ApiTokenLine>, StorageError> {
        self.readers.read(move |database| list(database, which, page)).await
    }

    async fn lookup_api_token(&self, id: &str) -> Result<Option<ApiTokenLine>, StorageError> {
        let id = id.to_owned();
        let find = move |database: &Connection| {
            let rows = query(database, LOOKUP_API_TOKEN, [id], |row| ApiTokenLine::and_role(row))?;
            Ok(ApiTokenLine::of_rows(rows).pop())
        };
        self.readers.read(find).await
    }

    async fn remove_api_token(&self, id: &str, entry: NewAuditEntry) -> Result<bool, StorageError> {
        let id = id.to_owned();
        self.change_tokens(entry.act.at, move |database| remove(database, &id, &entry)).await
    }

    async fn withdraw_service_role(
        &self,
        withdrawal: ServiceRoleWithdrawal,
    ) -> Result<bool, StorageError> {
        let at = withdrawal.entry.act.at;
        self.change_tokens(at, move |database| withdraw_role(database, &withdrawal)).await
    }
}

impl SqliteStore {
    /// Finds a token in the file. Its use is written down where it is news.
    pub(super) async fn read_api_token(
        &self,
        hash: CredentialHash,
        now: Timestamp,
    ) -> Result<Option<CachedToken>, StorageError> {
        let find = move |database: &Connection| find(database, hash, now);
        let Some(found) = self.readers.read(find).await? else { return Ok(None) };
        if found.is_use_news {
            let id = found.id;
            let note = move |database: &Connection| {
                let values = params![now.as_milliseconds(), id];
                execute(database, NOTE_API_TOKEN_USED, values).map(drop)
            };
            self.writer.write(Some(now), note).await?;
        }
        Ok(Some(found.token))
    }
}

pub(super) fn find(
    database: &Connection,
    hash: CredentialHash,
    now: Timestamp,
) -> Result<Option<FoundApiToken>, StorageError> {
    let read = |row: &rusqlite::Row<'_>| FoundApiToken::from_row(hash, now, row);
    let found = query_opt(database, FIND_API_TOKEN, [hash.as_bytes()], read)?;
    Ok(found.filter(|found| found.is_of_this_time(now)))
}

fn add(database: &Connection, token: &NewApiToken) -> Result<bool, StorageError> {
    authority::check(database, token.authority, token.made_at)?;
    let made_at = token.made_at.as_milliseconds();
    if others(database, token)? >= API_TOKENS_AT_MOST {
        return Ok(false);
    }
    let holder = holder(database, token)?;
    let values = params![
        token.id,
        token.hash.as_bytes(),
        holder.to_row(),
        token.name,
        token.scope.to_string(),
        token.made_by,
        made_at,
        token.expires_at.as_milliseconds(),
    ];
    execute(database, ADD_API_TOKEN, values)?;
    audit::add(database, &token.entry)?;
    Ok(true)
}

/// How many tokens work already that count with this one.
fn others(database: &Connection, token: &NewApiToken) -> Result<i64, StorageError> {
    let made_at = token.made_at.as_milliseconds();
    let count = |row: &rusqlite::Row<'_>| row.get(0);
    Ok(match (&token.holder, token.authority) {
        (ApiTokenHolder::Member(member), _) => database
            .prepare_cached(COUNT_API_TOKENS_OF)?
            .query_row(params![member.to_row(), made_at], count)?,
        (ApiTokenHolder::Service { .. }, Authority::Member(..)) => database
            .prepare_cached(COUNT_SERVICES_MADE_BY)?
            .query_row(params![token.made_by, made_at], count)?,
        (ApiTokenHolder::Service { .. }, Authority::Operator) => 0,
    })
}

fn holder(database: &Connection, token: &NewApiToken) -> Result<MemberId, StorageError> {
    let (signature, granted) = match &token.holder {
        ApiTokenHolder::Member(member) => return Ok(*member),
        ApiTokenHolder::Service { signature, roles } => (signature, roles),
    };
    execute(database, REMOVE_SERVICES_WITHOUT_TOKEN, [])?;
    let values = params![signature, token.made_at.as_milliseconds()];
    let id = database.prepare_cached(ADD_SERVICE)?.query_row(values, |row| row.get(0))?;
    let id = MemberId::from_row(id);
    roles::add(database, id, granted, &[])?;
    Ok(id)
}

fn list(
    database: &Connection,
    which: WhichApiTokens,
    page: ListRange,
) -> Result<Vec<ApiTokenLine>, StorageError> {
    let (statement, values) = which.statement(page);
    let values = params_from_iter(values);
    let rows = query(database, statement, values, |row| ApiTokenLine::and_role(row))?;
    Ok(ApiTokenLine::of_rows(rows))
}

fn remove(
    database: &Connection,
    id: &str,
    entry: &NewAuditEntry,
) -> Result<(bool, Change), StorageError> {
    let read = |row: &rusqlite::Row<'_>| RemovedApiToken::from_row(row);
    let Some(removed) = query_opt(database, REMOVE_API_TOKEN, [id], read)? else {
        return Ok((false, Change::Nothing));
    };
    execute(database, REMOVE_SERVICE, [removed.holder])?;
    audit::add(database, entry)?;
    Ok((true, Change::ApiTokenRemoved(removed.invalidations())))
}

fn withdraw_role(
    database: &Connection,
    withdrawal: &ServiceRoleWithdrawal,
) -> Result<(bool, Change), StorageError> {
    let RoleRow { project, role, code } = (&withdrawal.role).into();
    let values = params![project, role, code, withdrawal.token];
    let withdrawn: Option<i64> =
        query_opt(database, WITHDRAW_SERVICE_ROLE, values, |row| Ok(row.get(0)?))?;
    let Some(service) = withdrawn else { return Ok((false, Change::Nothing)) };
    audit::add(database, &withdrawal.entry)?;
    let left: i64 = database.prepare_cached(COUNT_ROLES)?.query_row([service], |row| row.get(0))?;
    if left == 0 {
        return remove(database, &withdrawal.token, &withdrawal.entry_of_removal());
    }
    Ok((true, Change::Ended(Invalidation::Roles(MemberId::from_row(service)))))
}

/// Removes the tokens of a member.
pub(super) fn remove_all(
    database: &Connection,
    member: MemberId,
    act: Act,
) -> Result<(), StorageError> {
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    let removed: Vec<(String, String)> =
        query(database, REMOVE_API_TOKENS_OF_MEMBER, [member.to_row()], read)?;
    for (id, name) in removed {
        audit::add(database, &NewAuditEntry::of_removed_api_token(member, (&id, &name), act))?;
    }
    Ok(())
}
