//! API tokens.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object, Transaction};
use oauth::{CredentialHash, Timestamp};
use tokio_postgres::types::ToSql;

use super::query::{begin, commit, execute, query, query_one, query_opt, run, storable};
use super::statements::grants::TELL;
use super::statements::roles::LOCK_ROLES;
use super::{PostgresStore, audit, authority, roles};
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
impl ApiTokenStore for PostgresStore {
    async fn add_api_token(&self, token: NewApiToken) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let is_added = add(&mut connection.database, &token).await?;
        self.clean(connection, token.made_at);
        Ok(is_added)
    }

    async fn list_api_tokens(
        &self,
        which: WhichApiTokens,
        page: ListRange,
    ) -> Result<Vec<ApiTokenLine>, StorageError> {
        let connection = self.connections.get().await?;
        let (statement, values) = which.statement(page);
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let rows = query(&connection.database, statement, &values).await?;
        let rows: Result<_, _> = rows.iter().map(ApiTokenLine::and_role).collect();
        Ok(ApiTokenLine::of_rows(rows?))
    }

    async fn lookup_api_token(&self, id: &str) -> Result<Option<ApiTokenLine>, StorageError> {
        let Some(id) = storable(id) else { return Ok(None) };
        let connection = self.connections.get().await?;
        let rows = query(&connection.database, LOOKUP_API_TOKEN, &[&id]).await?;
        let rows: Result<_, _> = rows.iter().map(ApiTokenLine::and_role).collect();
        Ok(ApiTokenLine::of_rows(rows?).pop())
    }

    async fn remove_api_token(&self, id: &str, entry: NewAuditEntry) -> Result<bool, StorageError> {
        let Some(id) = storable(id) else { return Ok(false) };
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = remove(&mut connection.database, id, &entry).await?;
        Ok(self.answer(epoch, done))
    }

    async fn withdraw_service_role(
        &self,
        withdrawal: ServiceRoleWithdrawal,
    ) -> Result<bool, StorageError> {
        if storable(&withdrawal.token).is_none() {
            return Ok(false);
        }
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = withdraw_role(&mut connection.database, &withdrawal).await?;
        Ok(self.answer(epoch, done))
    }
}

/// Finds a token. Its use is written down where it is news.
pub(super) async fn find(
    database: &impl GenericClient,
    hash: &CredentialHash,
    now: Timestamp,
) -> Result<Option<CachedToken>, StorageError> {
    let row = query_opt(database, FIND_API_TOKEN, &[&hash.as_bytes().as_slice()]).await?;
    let found = row.map(|row| FoundApiToken::from_row(*hash, now, &row)).transpose()?;
    let Some(found) = found.filter(|found| found.is_of_this_time(now)) else { return Ok(None) };
    if found.is_use_news {
        let values = [&now.as_milliseconds() as _, &found.id as _];
        execute(database, NOTE_API_TOKEN_USED, &values).await?;
    }
    Ok(Some(found.token))
}

/// The service comes first: a change of its maker's roles waits for other roles, and then ends what the maker acts with.
async fn add(database: &mut Object, token: &NewApiToken) -> Result<bool, StorageError> {
    let transaction = begin(database).await?;
    let made_at = token.made_at.as_milliseconds();
    if others(&transaction, token).await? >= API_TOKENS_AT_MOST {
        return Ok(false);
    }
    let holder = holder(&transaction, token).await?;
    authority::hold(&transaction, token.authority, token.made_at).await?;
    let values = [
        &token.id as _,
        &token.hash.as_bytes().as_slice() as _,
        &holder.to_row() as _,
        &token.name as _,
        &token.scope.to_string() as _,
        &token.made_by as _,
        &made_at as _,
        &token.expires_at.as_milliseconds() as _,
    ];
    execute(&transaction, ADD_API_TOKEN, &values).await?;
    audit::add(&transaction, &token.entry).await?;
    commit(transaction).await?;
    Ok(true)
}

/// How many tokens work already that count with this one.
async fn others(database: &impl GenericClient, token: &NewApiToken) -> Result<i64, StorageError> {
    let made_at = token.made_at.as_milliseconds();
    let row = match (&token.holder, token.authority) {
        (ApiTokenHolder::Member(member), _) => {
            query_one(database, COUNT_API_TOKENS_OF, &[&member.to_row(), &made_at]).await?
        }
        (ApiTokenHolder::Service { .. }, Authority::Member(..)) => {
            query_one(database, COUNT_SERVICES_MADE_BY, &[&token.made_by, &made_at]).await?
        }
        (ApiTokenHolder::Service { .. }, Authority::Operator) => return Ok(0),
    };
    Ok(row.try_get(0)?)
}

async fn holder(
    database: &impl GenericClient,
    token: &NewApiToken,
) -> Result<MemberId, StorageError> {
    let (signature, granted) = match &token.holder {
        ApiTokenHolder::Member(member) => return Ok(*member),
        ApiTokenHolder::Service { signature, roles } => (signature, roles),
    };
    execute(database, REMOVE_SERVICES_WITHOUT_TOKEN, &[]).await?;
    let values = [signature as _, &token.made_at.as_milliseconds() as _];
    let id = MemberId::from_row(query_one(database, ADD_SERVICE, &values).await?.try_get(0)?);
    roles::add(database, id, granted, &[]).await?;
    Ok(id)
}

async fn remove(
    database: &mut Object,
    id: &str,
    entry: &NewAuditEntry,
) -> Result<(bool, Change), StorageError> {
    let transaction = begin(database).await?;
    // With the token, its service loses its roles: in turn with those who withdraw them, or each would wait for the other.
    run(&transaction, LOCK_ROLES).await?;
    let done = remove_in(&transaction, id, entry).await?;
    commit(transaction).await?;
    Ok(done)
}

async fn remove_in(
    transaction: &Transaction<'_>,
    id: &str,
    entry: &NewAuditEntry,
) -> Result<(bool, Change), StorageError> {
    let Some(row) = query_opt(transaction, REMOVE_API_TOKEN, &[&id]).await? else {
        return Ok((false, Change::Nothing));
    };
    let removed = RemovedApiToken::from_row(&row)?;
    execute(transaction, REMOVE_SERVICE, &[&removed.holder]).await?;
    audit::add(transaction, entry).await?;
    let invalidations = removed.invalidations();
    for invalidation in &invalidations {
        query_one(transaction, TELL, &[&invalidation.to_string()]).await?;
    }
    Ok((true, Change::ApiTokenRemoved(invalidations)))
}

/// One change of roles after the other: of two who take the last two roles at the same time, one takes the token, too.
async fn withdraw_role(
    database: &mut Object,
    withdrawal: &ServiceRoleWithdrawal,
) -> Result<(bool, Change), StorageError> {
    let transaction = begin(database).await?;
    run(&transaction, LOCK_ROLES).await?;
    let done = withdraw_role_in(&transaction, withdrawal).await?;
    commit(transaction).await?;
    Ok(done)
}

async fn withdraw_role_in(
    transaction: &Transaction<'_>,
    withdrawal: &ServiceRoleWithdrawal,
) -> Result<(bool, Change), StorageError> {
    let RoleRow { project, role, code } = (&withdrawal.role).into();
    let values = [&project as _, &role as _, &code as _, &withdrawal.token as _];
    let Some(row) = query_opt(transaction, WITHDRAW_SERVICE_ROLE, &values).await? else {
        return Ok((false, Change::Nothing));
    };
    let service: i64 = row.try_get(0)?;
    audit::add(transaction, &withdrawal.entry).await?;
    let left: i64 = query_one(transaction, COUNT_ROLES, &[&service]).await?.try_get(0)?;
    if left == 0 {
        return remove_in(transaction, &withdrawal.token, &withdrawal.entry_of_removal()).await;
    }
    let invalidation = Invalidation::Roles(MemberId::from_row(service));
    query_one(transaction, TELL, &[&invalidation.to_string()]).await?;
    Ok((true, Change::Ended(invalidation)))
}

/// Removes the tokens of a member.
pub(super) async fn remove_all(
    database: &impl GenericClient,
    member: MemberId,
    act: Act,
) -> Result<(), StorageError> {
    for row in query(database, REMOVE_API_TOKENS_OF_MEMBER, &[&member.to_row()]).await? {
        let (id, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let entry = NewAuditEntry::of_removed_api_token(member, (&id, &name), act);
        audit::add(database, &entry).await?;
    }
    Ok(())
}
