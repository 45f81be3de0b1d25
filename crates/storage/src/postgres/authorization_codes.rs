//! Authorization codes: kept for a minute, spent once.

use deadpool_postgres::{GenericClient, Object};
use oauth::{
    ACCESS_TOKEN, AUTHORIZATION_CODE, CodeChallenge, REFRESH_ABSOLUTE, REFRESH_IDLE, ScopeSet,
    Timestamp,
};

use super::query::{execute, query_opt};
use super::statements::{ADD_CODE_AND_CONSENT, EXCHANGE_CODE};
use super::token_families;
use crate::statements::{FIND_AUTHORIZATION_CODE, FIND_FAMILY_OF_CODE};
use crate::stored::scope;
use crate::{ExchangeCode, ExchangeOutcome, NewAuthorizationCode, StorageError};

pub(super) async fn add(
    database: &impl GenericClient,
    code: &NewAuthorizationCode,
) -> Result<(), StorageError> {
    let hash = code.hash.as_bytes().as_slice();
    let expires_at = (code.now + AUTHORIZATION_CODE).as_milliseconds();
    let values = [
        &hash as _,
        &code.client_id.as_str() as _,
        &code.member.to_row() as _,
        &code.redirect_uri as _,
        &code.scope.to_string() as _,
        &code.code_challenge.as_ref().map(CodeChallenge::as_str) as _,
        &expires_at as _,
    ];
    execute(database, ADD_CODE_AND_CONSENT, &values).await?;
    Ok(())
}

pub(super) async fn exchange(
    database: &mut Object,
    exchange: &ExchangeCode,
) -> Result<ExchangeOutcome, StorageError> {
    match spend(database, exchange).await? {
        Some(scope) => Ok(ExchangeOutcome::Exchanged(scope)),
        None => refuse(database, exchange).await,
    }
}

/// Spends the code if everything about the exchange is right.
async fn spend(
    database: &impl GenericClient,
    exchange: &ExchangeCode,
) -> Result<Option<ScopeSet>, StorageError> {
    let now = exchange.now;
    let values = [
        &exchange.code.as_bytes().as_slice() as _,
        &exchange.client_id.as_str() as _,
        &exchange.redirect_uri as _,
        &exchange.code_challenge.as_ref().map(CodeChallenge::as_str) as _,
        &now.as_milliseconds() as _,
        &(now + REFRESH_IDLE).as_milliseconds() as _,
        &(now + REFRESH_ABSOLUTE).as_milliseconds() as _,
        &exchange.refresh_token.as_bytes().as_slice() as _,
        &exchange.access_token.as_bytes().as_slice() as _,
        &(now + ACCESS_TOKEN).as_milliseconds() as _,
    ];
    let spent = query_opt(database, EXCHANGE_CODE, &values).await?;
    spent.map(|row| scope(row.try_get(2)?)).transpose()
}

/// Why the code could not be spent.
async fn refuse(
    database: &mut Object,
    exchange: &ExchangeCode,
) -> Result<ExchangeOutcome, StorageError> {
    let code = exchange.code.as_bytes().as_slice();
    let Some(row) = query_opt(database, FIND_AUTHORIZATION_CODE, &[&code]).await? else {
        return refuse_spent(database, exchange).await;
    };
    let client_id: &str = row.try_get(0)?;
    let redirect_uri: &str = row.try_get(1)?;
    let expires_at = Timestamp::from_milliseconds(row.try_get(2)?);
    Ok(if client_id != exchange.client_id.as_str() {
        ExchangeOutcome::OtherClient
    } else if expires_at <= exchange.now {
        ExchangeOutcome::Expired
    } else if redirect_uri != exchange.redirect_uri {
        ExchangeOutcome::RedirectUriMismatch
    } else {
        ExchangeOutcome::CodeChallengeMismatch
    })
}

/// When a client uses its code twice, two may hold it, so what came from it ends (RFC 6749 section 4.1.2).
async fn refuse_spent(
    database: &mut Object,
    exchange: &ExchangeCode,
) -> Result<ExchangeOutcome, StorageError> {
    let code = exchange.code.as_bytes().as_slice();
    let Some(row) = query_opt(database, FIND_FAMILY_OF_CODE, &[&code]).await? else {
        return Ok(ExchangeOutcome::Unknown);
    };
    let client_id: &str = row.try_get(1)?;
    if client_id != exchange.client_id.as_str() {
        return Ok(ExchangeOutcome::OtherClient);
    }
    token_families::end(database, row.try_get(0)?, exchange.now).await?;
    Ok(ExchangeOutcome::AlreadyUsed)
}
