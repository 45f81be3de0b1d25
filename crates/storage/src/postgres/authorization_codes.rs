//! Authorization codes: stored for a minute, spent once.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use oauth::{ACCESS_TOKEN, AUTHORIZATION_CODE, CodeChallenge, REFRESH_ABSOLUTE, REFRESH_IDLE};

use super::query::{query_opt, storable};
use super::statements::authorization_codes::{ADD_CODE_AND_CONSENT, EXCHANGE_CODE};
use super::{PostgresStore, TRIES, grants, sessions};
use crate::access_cache::CachedToken;
use crate::audit_row::address_text;
use crate::authorization_codes::{self, FamilyOfCode, StoredCode};
use crate::invalidation::{Change, Invalidation};
use crate::statements::authorization_codes::{FIND_AUTHORIZATION_CODE, FIND_FAMILY_OF_CODE};
use crate::stored::scope;
use crate::{
    AccessGrant, AddCodeOutcome, AuditEvent, AuthorizationCodeStore, Consent, ExchangeCode,
    ExchangeOutcome, MemberId, NewAuthorizationCode, StorageError,
};

#[async_trait]
impl AuthorizationCodeStore for PostgresStore {
    async fn add_authorization_code(
        &self,
        code: NewAuthorizationCode,
    ) -> Result<AddCodeOutcome, StorageError> {
        let connection = self.connections.get().await?;
        let outcome = add(&connection.database, &code).await?;
        self.clean(connection, code.now);
        Ok(outcome)
    }

    async fn exchange_code(&self, asked: ExchangeCode) -> Result<ExchangeOutcome, StorageError> {
        let connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let mut tries = 0..TRIES;
        let (outcome, change) = loop {
            match exchange(&connection.database, &asked).await {
                Err(StorageError::Busy) if tries.next().is_some() => {}
                done => break done?,
            }
        };
        self.cache.apply(epoch, change);
        self.clean(connection, asked.now);
        Ok(outcome)
    }
}

pub(super) async fn add(
    database: &impl GenericClient,
    code: &NewAuthorizationCode,
) -> Result<AddCodeOutcome, StorageError> {
    let hash = code.hash.as_bytes().as_slice();
    let expires_at = (code.now + AUTHORIZATION_CODE).as_milliseconds();
    let address = match code.consent {
        Consent::Given(address) => Some(address_text(address)),
        Consent::Remembered => None,
    };
    let values = [
        &hash as _,
        &code.client_id.as_str() as _,
        &code.member.to_row() as _,
        &code.redirect_uri as _,
        &code.scope.to_string() as _,
        &code.code_challenge.as_ref().map(CodeChallenge::as_str) as _,
        &expires_at as _,
        &code.now.as_milliseconds() as _,
        &address as _,
        &code.session.as_bytes().as_slice() as _,
        &i64::from(!code.names_scope) as _,
    ];
    if query_opt(database, ADD_CODE_AND_CONSENT, &values).await?.is_some() {
        return Ok(AddCodeOutcome::Kept);
    }
    // Sessions never come back, so whichever was missing is missing now.
    let is_alive = sessions::hold(database, code.member, &code.session).await?;
    if is_alive { Err(StorageError::Conflict) } else { Ok(AddCodeOutcome::SignedOut) }
}

pub(super) async fn exchange(
    database: &impl GenericClient,
    exchange: &ExchangeCode,
) -> Result<(ExchangeOutcome, Change), StorageError> {
    match spend(database, exchange).await? {
        Some((token, is_scope_told)) => {
            let outcome = ExchangeOutcome::exchanged(token.grant.scope, is_scope_told);
            Ok((outcome, Change::Issued(token)))
        }
        None => refuse(database, exchange).await,
    }
}

/// Spends the code if everything about the exchange is right; gives the access token, and whether its scope is to be told.
async fn spend(
    database: &impl GenericClient,
    exchange: &ExchangeCode,
) -> Result<Option<(CachedToken, i64)>, StorageError> {
    let now = exchange.now;
    // No code was ever sent to an empty address.
    let redirect_uri = storable(&exchange.redirect_uri).unwrap_or_default();
    let values = [
        &exchange.code.as_bytes().as_slice() as _,
        &exchange.client_id.as_str() as _,
        &redirect_uri as _,
        &exchange.code_challenge.as_ref().map(CodeChallenge::as_str) as _,
        &now.as_milliseconds() as _,
        &(now + REFRESH_IDLE).as_milliseconds() as _,
        &(now + REFRESH_ABSOLUTE).as_milliseconds() as _,
        &exchange.refresh_token.as_bytes().as_slice() as _,
        &exchange.access_token.as_bytes().as_slice() as _,
        &(now + ACCESS_TOKEN).as_milliseconds() as _,
        &address_text(exchange.address) as _,
        &now.last_good_end(AUTHORIZATION_CODE).as_milliseconds() as _,
    ];
    let Some(row) = query_opt(database, EXCHANGE_CODE, &values).await? else { return Ok(None) };
    let grant = AccessGrant {
        member: MemberId::from_row(row.try_get(1)?),
        client_id: exchange.client_id.clone(),
        scope: scope(row.try_get(2)?)?,
        expires_at: now + ACCESS_TOKEN,
    };
    let token = CachedToken::of_family(exchange.access_token, row.try_get(0)?, grant);
    Ok(Some((token, row.try_get(3)?)))
}

/// Finds out why the code could not be spent, and ends what a code became that was sent twice.
async fn refuse(
    database: &impl GenericClient,
    exchange: &ExchangeCode,
) -> Result<(ExchangeOutcome, Change), StorageError> {
    let hash = exchange.code.as_bytes().as_slice();
    let code = query_opt(database, FIND_AUTHORIZATION_CODE, &[&hash]).await?;
    let code = code.map(|row| StoredCode::from_row(&row)).transpose()?;
    let family = match code {
        Some(_) => None,
        None => query_opt(database, FIND_FAMILY_OF_CODE, &[&hash]).await?,
    };
    let family = family.map(|row| FamilyOfCode::from_row(&row)).transpose()?;
    let (outcome, change) = authorization_codes::refuse(code.as_ref(), family.as_ref(), exchange);
    if let Change::Ended(Invalidation::Family(family)) = change {
        grants::end(database, family, AuditEvent::CodeReplayed, &exchange.into()).await?;
    }
    Ok((outcome, change))
}
